import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const KILOBYTE = 1000
/** Budgets in kilobytes of gzip: the entry that loads before anything is shown, and any later part. */
const MAX_KILOBYTES = { entry: 210, part: 120 }

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }

/** The size of the entry or of a chunk, with its budget. */
export type Measured = { name: string; kilobytes: number; max: number }

/**
 * Measures a build in kilobytes of gzip: the entry with its static imports and styles, then every other chunk with
 * its styles, the largest first.
 */
export function measureBuild(build: string): {
  entry: Measured
  parts: Measured[]
  isWithin: boolean
} {
  const chunks = JSON.parse(
    readFileSync(path.join(build, '.vite/manifest.json'), 'utf8'),
  ) as Record<string, Chunk>
  const sizeOf = (files: Iterable<string>) => {
    const sizes = [...files].map((file) => gzipSync(readFileSync(path.join(build, file))).length)
    return Math.round((sizes.reduce((sum, size) => sum + size, 0) / KILOBYTE) * 10) / 10
  }
  const first = Object.entries(chunks).filter(([, { isEntry }]) => isEntry)
  const loaded = new Set(first.flatMap(([key]) => [...withImports(chunks, key)]))
  const filesOf = (keys: Iterable<string>) =>
    new Set([...keys].flatMap((key) => [chunks[key]!.file, ...(chunks[key]!.css ?? [])]))
  const atOnce = filesOf(loaded)
  const entry = { name: 'entry', kilobytes: sizeOf(atOnce), max: MAX_KILOBYTES.entry }
  const parts = Object.keys(chunks)
    .filter((key) => !loaded.has(key) && /\.(js|css)$/.test(chunks[key]!.file))
    .map((key) => {
      const files = [...filesOf([key])].filter((file) => !atOnce.has(file))
      return { name: chunks[key]!.file, kilobytes: sizeOf(files), max: MAX_KILOBYTES.part }
    })
    .toSorted((one, other) => other.kilobytes - one.kilobytes)
  return {
    entry,
    parts,
    isWithin: [entry, ...parts].every(({ kilobytes, max }) => kilobytes <= max),
  }
}

/** Returns the files of a chunk and of its static imports, recursively. */
function withImports(
  chunks: Record<string, Chunk>,
  key: string,
  found = new Set<string>(),
): Set<string> {
  if (found.has(key)) return found
  found.add(key)
  for (const imported of chunks[key]?.imports ?? []) withImports(chunks, imported, found)
  return found
}
