/** The form of an id as it is stored and sent, for patterns that hold one: a UUID in lower case. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** How long one is. */
export const UUID_CHARS = 36

const UUID = new RegExp(`^${UUID_PATTERN}$`)

/** Whether the text is an id exactly as this service writes it. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Returns the id that somebody wrote, in either case, as it is stored; null where the text is none. */
export function readUuid(text: string): string | null {
  const id = text.toLowerCase()
  return isUuid(id) ? id : null
}
