/**
 * Returns digits that are the same for all forms of one telephone line, so that the form of a case and that of the
 * service compare as equal. It is used for comparison only: no input of the service passes through it.
 */
export function lineOf(digits: string): string {
  const brazil = /^55(\d{2})([6-9]\d{7})$/.exec(digits)
  if (brazil) return `55${brazil[1]}9${brazil[2]}`
  const mexico = /^521(\d{10})$/.exec(digits)
  if (mexico) return `52${mexico[1]}`
  const argentina = /^54(\d{10})$/.exec(digits)
  return argentina ? `549${argentina[1]}` : digits
}

/** Returns an identifier of a case. A number is in the form of its line. */
export const asLine = (identifier: string): string =>
  identifier.startsWith('number:') ? `number:${lineOf(identifier.slice(7))}` : identifier
