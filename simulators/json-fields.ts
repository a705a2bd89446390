export type Fields = Record<string, unknown>

/** The fields of an object; none when it is something else. */
export function readFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

/** The objects of a list; none when it is no list. */
export function readList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(readFields) : []
}

/** A text that is not empty, else null. */
export function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
