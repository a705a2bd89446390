/**
 * The one place that knows how the `data` of an event looks in each version. Rooms raise events in the
 * newest form; what a version tells differently is derived from that.
 *
 * To publish a version: add it to `API_VERSIONS`, and its shape here; the older shapes then say how the
 * newest form is told in theirs. To retire one: take both away. Spec: Versioning › Events.
 */
import { API_VERSIONS, type ApiVersion, type EventType } from '../core/vocabulary/events.ts'

export type EventVersion = {
  /** A date such as 2026-10: versions sort by their text. */
  version: string
  /** The data as this version tells it. Never changes what it is given: other versions share it. */
  shape(type: EventType, data: Readonly<Record<string, unknown>>): Record<string, unknown>
}

const SHAPES: Record<ApiVersion, EventVersion['shape']> = {
  '2026-10': (_type, data) => data,
}

/** Oldest first. */
export const EVENT_VERSIONS: readonly EventVersion[] = API_VERSIONS.map((version) => ({
  version,
  shape: SHAPES[version],
}))

/**
 * The version that an endpoint is sent: its own; once that is retired the oldest that is newer, and
 * while an older release runs, which does not know it yet, the newest that there is. `RAISE_EVENTS`
 * does the same. No event is ever left out for its version.
 */
export function versionSent(
  asked: string,
  versions: readonly EventVersion[] = EVENT_VERSIONS,
): EventVersion {
  return versions.find(({ version }) => version >= asked) ?? versions.at(-1)!
}
