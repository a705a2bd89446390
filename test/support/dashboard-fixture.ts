/** A tiny build of a dashboard, as vite and the packing leave one. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export const SCRIPT = `console.log(${JSON.stringify('a script of the dashboard '.repeat(80))})`

export const PAGE = `<!doctype html><html><head><meta property="csp-nonce" nonce="__NONCE__">
<meta name="wasla-version" content="__VERSION__"><title>A dashboard</title>
<script type="module" src="/assets/index-a1.js"></script></head><body></body></html>`

/** Writes the build into `build/dashboard` of a project. */
export async function writeDashboard(
  project: string,
  { sources, script = SCRIPT }: { sources?: string; script?: string } = {},
): Promise<void> {
  const folder = path.join(project, 'build/dashboard')
  const files: Record<string, string | Buffer> = {
    'index.html': PAGE,
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/index-a1.js': script,
    'assets/index-a1.js.br': brotliCompressSync(script),
    'assets/index-a1.js.gz': gzipSync(script),
    'assets/letters-b2.woff2': Buffer.from([1, 2, 3]),
    '.vite/manifest.json': '{"secret":true}',
    ...(sources === undefined ? {} : { '.sources': sources }),
  }
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}
