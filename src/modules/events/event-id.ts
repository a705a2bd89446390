import type { Ids } from '../../core/ids.ts'

/**
 * Returns a new delivery id that begins with the first 8 bytes of its event's id, like `new_delivery_id` of the
 * database.
 */
export function deliveryIdOf(eventId: string, ids: Pick<Ids, 'uuid'>): string {
  return eventId.slice(0, EVENT_PART) + ids.uuid().slice(EVENT_PART)
}

/** The number of characters of a UUID that contain its first 8 bytes: its time, and its order within a millisecond. */
const EVENT_PART = 18

/**
 * Returns an event's id as merchants see it: `evt_` and the 32 hexadecimal characters of its UUID.
 * Spec: Concepts › Identifiers.
 */
export function eventIdText(uuid: string): string {
  return `evt_${uuid.replaceAll('-', '')}`
}
