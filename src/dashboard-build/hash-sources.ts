import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { placesOf } from './places.ts'

/** Sources of the dashboard in other folders: the modules of the server that it imports, and the reference that it shows. */
const SHARED = ['src/core', 'src/rules', 'src/schemas', 'src/flow-kinds', 'src/contract', 'openapi']

const VECTORS = 'docs/test-vectors.json'

/**
 * Returns a hash of everything that a build contains, by which a stale build is recognised. It does not depend on clocks.
 * Returns null without the sources, as in a runtime-only image.
 */
export async function hashSources(project: string): Promise<string | null> {
  const { sources } = placesOf(project)
  const own = await filesOf(sources)
  if (own.length === 0) return null
  const shared = await Promise.all(SHARED.map((folder) => filesOf(path.join(project, folder))))
  // A build also contains packages of the server, whose versions are in the lock file.
  const files = [
    ...own,
    ...shared.flat(),
    path.join(project, 'package-lock.json'),
    path.join(project, VECTORS),
  ].toSorted()
  const hash = createHash('sha256')
  const texts = await Promise.all(files.map((file) => readFile(file).catch(() => null)))
  for (const [at, file] of files.entries()) {
    hash.update(`${path.relative(project, file)}\0${texts[at]?.length ?? 'none'}\0`)
    hash.update(texts[at] ?? '')
  }
  return hash.digest('hex')
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(folder, entry.name)
      if (['node_modules', 'test'].includes(entry.name)) return []
      if (entry.isDirectory()) return filesOf(file)
      return entry.isFile() ? [file] : []
    }),
  )
  return found.flat()
}
