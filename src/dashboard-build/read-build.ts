/**
 * A build of the dashboard as it is served. It is read into memory as a whole, so that no browser gets parts of two
 * builds while one replaces the other.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { STAMP } from './places.ts'

/** A file of a build. */
export type BuiltFile = {
  bytes: Buffer<ArrayBuffer>
  /** The same bytes, compressed at the build; null where that saves nothing. */
  br: Buffer<ArrayBuffer> | null
  gzip: Buffer<ArrayBuffer> | null
  type: string
  /** A hash of `bytes`, without quotes. */
  hash: string
  /** True when the file's name contains a hash of its content. */
  isHashed: boolean
}

/** A build in memory. */
export type Build = {
  /** A hash that changes with anything that the dashboard's pages load. */
  version: string
  /** The hash of its sources; null for a build that was made without the builder. */
  sources: string | null
  /** The page with the placeholders `__NONCE__` and `__VERSION__`. */
  page: string
  /** Files by request path, such as `/assets/index-x.js`. */
  files: ReadonlyMap<string, BuiltFile>
}

/** Maximum size of a build. A larger folder is no build of the dashboard and is not read into memory. */
const MAX_BYTES = 32 * 1024 * 1024
/** Number of attempts to read a build that is being replaced. */
const MAX_READS = 5
const VERSION_CHARS = 16
const PACKED = /\.(br|gz)$/
const PAGE = '/index.html'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/**
 * Reads the dashboard's build in a folder into memory. Returns null if there is none, or if it was
 * replaced during each attempt.
 * @throws Error when it is larger than a build can be
 */
export async function readBuild(folder: string): Promise<Build | null> {
  for (let look = 0; look < MAX_READS; look++) {
    const sources = await readStamp(folder)
    const read = await readFiles(folder)
    // Otherwise the build was replaced meanwhile.
    if (read && sources === (await readStamp(folder))) return asBuild(sources, read)
  }
  return null
}

async function readStamp(folder: string): Promise<string | null> {
  const text = await readFile(path.join(folder, STAMP), 'utf8').catch(() => null)
  return text === null ? null : text.trim()
}

/** Returns the files by path; null without a page, or if a file disappeared meanwhile. */
async function readFiles(folder: string): Promise<Map<string, Buffer<ArrayBuffer>> | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const name = path.relative(folder, path.join(entry.parentPath, entry.name))
      return `/${name.split(path.sep).join('/')}`
    })
    // Files that begin with a dot are not served.
    .filter((name) => !name.includes('/.'))
    .toSorted()
  const files = new Map<string, Buffer<ArrayBuffer>>()
  let size = 0
  for (const name of names) {
    const bytes = await readFile(path.join(folder, name)).catch(() => null)
    if (bytes === null) return null
    size += bytes.length
    if (size > MAX_BYTES) {
      throw new Error(`The dashboard that was built has more than ${MAX_BYTES} bytes.`)
    }
    files.set(name, bytes)
  }
  return files.has(PAGE) ? files : null
}

function asBuild(sources: string | null, read: Map<string, Buffer<ArrayBuffer>>): Build {
  const files = new Map<string, BuiltFile>()
  for (const [name, bytes] of read) {
    if (name === PAGE || (PACKED.test(name) && read.has(name.replace(PACKED, '')))) continue
    files.set(name, {
      bytes,
      br: read.get(`${name}.br`) ?? null,
      gzip: read.get(`${name}.gz`) ?? null,
      type: TYPES[path.extname(name)] ?? 'application/octet-stream',
      hash: hashOf([bytes]),
      isHashed: name.startsWith('/assets/'),
    })
  }
  const page = read.get(PAGE)!
  const parts = [...files].map(([name, { hash }]) => Buffer.from(`${name}\0${hash}\0`))
  return { version: hashOf([page, ...parts]), sources, page: page.toString('utf8'), files }
}

function hashOf(parts: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64url').slice(0, VERSION_CHARS)
}
