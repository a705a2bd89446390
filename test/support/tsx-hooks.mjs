import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'

/** Loads a `.tsx` file as JavaScript, and a style sheet as a module without content. */
export async function load(url, context, nextLoad) {
  const { pathname } = new URL(url)
  if (pathname.endsWith('.css'))
    return { format: 'module', source: 'export default {}', shortCircuit: true }
  if (!pathname.endsWith('.tsx')) return nextLoad(url, context)
  const file = fileURLToPath(url)
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file, {
    jsx: { runtime: 'automatic' },
  })
  return { format: 'module', source: code, shortCircuit: true }
}
