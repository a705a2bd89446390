/**
 * Returns an event's id as merchants see it: `evt_` and the 32 hexadecimal characters of its UUID.
 * Spec: Concepts › Identifiers.
 */
export function eventIdText(uuid: string): string {
  return `evt_${uuid.replaceAll('-', '')}`
}
