/**
 * A version of events, which derives the `data` of an event from its newest form. Modules raise events in the newest
 * form.
 *
 * To publish a version, add it to `API_VERSIONS` and add its shape here. The older shapes then convert from the newest
 * form. To retire a version, remove both. Spec: Versioning › Events.
 */
import { API_VERSIONS, type ApiVersion, type EventType } from '../core/vocabulary/events.ts'

export type EventVersion = {
  /** A date such as 2026-10: versions sort by their text. */
  version: string
  /** Returns the data in this version's form. It never changes its argument, which other versions share. */
  shape(type: EventType, data: Readonly<Record<string, unknown>>): Record<string, unknown>
}

const SHAPES: Record<ApiVersion, EventVersion['shape']> = { '2026-10': (_type, data) => data }

/** All versions of the payloads of events, oldest first. */
export const EVENT_VERSIONS: readonly EventVersion[] = API_VERSIONS.map((version) => ({
  version,
  shape: SHAPES[version],
}))

/**
 * Returns the version that an endpoint is sent. That is its own version, or once that is retired, the oldest newer
 * one. An older release that does not know the version yet sends its newest. `RAISE_EVENTS` does the same. A version
 * never suppresses an event.
 */
export function versionSent(
  requested: string,
  versions: readonly EventVersion[] = EVENT_VERSIONS,
): EventVersion {
  return versions.find(({ version }) => version >= requested) ?? versions.at(-1)!
}
