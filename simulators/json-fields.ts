/** The fields of a JSON object, whose values are not validated. */
export type Fields = Record<string, unknown>

/** Returns the fields of an object; none for any other value. */
export function readFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

/** Returns the objects of a list; none for any other value. */
export function readList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(readFields) : []
}

/** Returns a non-empty text, or null for any other value. */
export function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
