import { fact } from '../facts/fact.ts'
import { ServiceError } from '../service-error.ts'
import { SUBSCRIBABLE_EVENT_TYPES, type EventType } from '../vocabulary/events.ts'

/**
 * An endpoint subscribes to what something causes; it keeps what it had before. @throws invalid, with the
 * types that there are.
 */
export function requireSubscribable(
  wanted: readonly EventType[],
  before: readonly string[] = [],
): void {
  const known: readonly string[] = [...SUBSCRIBABLE_EVENT_TYPES, ...before]
  const refused = wanted.filter((type) => !known.includes(type))
  if (refused.length === 0) return
  throw new ServiceError('invalid', fact('events_not_caused'), {
    errors: refused.map((type) => ({
      field: 'eventTypes',
      ...fact('event_not_caused', { type, types: [...SUBSCRIBABLE_EVENT_TYPES] }),
    })),
  })
}
