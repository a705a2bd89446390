import type { Ids } from '../../core/ids.ts'

/** Returns a delivery's id that begins as its event's does, as `new_delivery_id` of the database makes it. */
export function deliveryIdOf(eventId: string, ids: Pick<Ids, 'uuid'>): string {
  return eventId.slice(0, EVENT_PART) + ids.uuid().slice(EVENT_PART)
}

/** The first 8 bytes of an id: its time, and its place within a millisecond. */
const EVENT_PART = 18

/**
 * Returns an event's id as merchants see it: `evt_` and the 32 hexadecimal characters of its UUID.
 * Spec: Concepts › Identifiers.
 */
export function eventIdText(uuid: string): string {
  return `evt_${uuid.replaceAll('-', '')}`
}
