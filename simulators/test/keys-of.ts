/**
 * Returns every key of a value once, with its path, such as `.entry.changes.value`. All items of a list count as one.
 */
export const keysOf = (value: unknown): Set<string> => new Set(listKeys(value))

function listKeys(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listKeys(item, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [
    `${path}.${key}`,
    ...listKeys(item, `${path}.${key}`),
  ])
}
