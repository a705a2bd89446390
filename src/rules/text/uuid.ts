/** The pattern of an id as it is stored and sent: a UUID in lower case. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** The length of a UUID. */
export const UUID_CHARS = 36

const UUID = new RegExp(`^${UUID_PATTERN}$`)

/** Returns whether the text is an id exactly as this service writes it. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Returns an id in lower case, as it is stored; null when the text is not an id. */
export function readUuid(text: string): string | null {
  const id = text.toLowerCase()
  return isUuid(id) ? id : null
}
