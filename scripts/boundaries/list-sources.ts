/** The sources that the boundaries and the module graph are about, and which of them imports which. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readSource } from './read-source.ts'

/** A file by its path from the project's root, with its text. */
export type Source = { file: string; text: string }

/** An import of one source by another, by their paths. */
export type Edge = { from: string; to: string }

/** Returns the sources of the service, the simulators and the demonstration, except tests and generated files. */
export function listSources(project: string): Source[] {
  return globSync('{src,simulators,demonstration}/**/*.{ts,tsx}', {
    cwd: project,
    exclude: ['**/node_modules/**', '{simulators,src/dashboard}/test/**'],
  })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file !== 'src/infra/database/tables.ts')
    .map((file) => ({ file, text: readFileSync(path.join(project, file), 'utf8') }))
}

/** Returns every import of one source by another, of types too. */
export function listEdges(sources: readonly Source[]): Edge[] {
  const known = new Set(sources.map(({ file }) => file))
  return sources.flatMap(({ file, text }) =>
    readSource(file, text)
      .imports.map(({ specifier }) => ({ from: file, to: targetOf(file, specifier ?? '') }))
      .filter(({ to }) => known.has(to)),
  )
}

/** Returns the path from the project's root of a relative import. */
export function targetOf(file: string, specifier: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
}
