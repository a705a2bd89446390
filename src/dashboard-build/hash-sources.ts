import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { placesOf } from './places.ts'

/** What the dashboard is made of besides its own folder: what it may import of the server, and the reference that it shows. */
const SHARED = [
  'src/core/limits',
  'src/core/vocabulary',
  'src/core/facts',
  'src/rules',
  'src/schemas',
  'src/flow-kinds',
  'src/contract',
  'openapi',
]

const VECTORS = 'docs/test-vectors.json'

/**
 * A hash of all that goes into a build, so that no clock decides what is stale. Null where the sources are
 * not there, as in an image that holds only what runs.
 */
export async function hashSources(project: string): Promise<string | null> {
  const { sources } = placesOf(project)
  const own = await filesOf(sources)
  if (own.length === 0) return null
  const shared = await Promise.all(SHARED.map((folder) => filesOf(path.join(project, folder))))
  // Packages of the server are built in too: the lock says which.
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
