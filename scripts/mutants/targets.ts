import path from 'node:path'

/** Sources that are mutated without `--only`. */
export const TARGETS =
  'src/rules,src/modules/hooks,src/modules/deliveries,src/modules/endpoints,src/modules/events,src/flow-kinds,src/modules/flows,src/modules/connections'

/**
 * Returns the files that `only` names: files and folders, separated by commas.
 *
 * @throws for a name without files, which would otherwise look well tested
 */
export function sourcesIn(files: readonly string[], only: string): Set<string> {
  const parts = only.split(',').map((part) => path.normalize(part.trim()).replace(/\/$/, ''))
  const isIn = (file: string, part: string) => file === part || file.startsWith(`${part}/`)
  const empty = parts.filter((part) => !files.some((file) => isIn(file, part)))
  if (empty.length > 0) throw new Error(`No source is in ${empty.join(', ')}: see --only.`)
  return new Set(files.filter((file) => parts.some((part) => isIn(file, part))))
}
