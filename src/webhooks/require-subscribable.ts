import { ServiceError } from '../service-error.ts'
import { SUBSCRIBABLE_EVENT_TYPES, type EventType } from '../vocabulary.ts'

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
  throw new ServiceError(
    'invalid',
    'An endpoint cannot subscribe to an event that nothing causes.',
    {
      errors: refused.map((type) => ({
        field: 'eventTypes',
        code: 'not_a_choice',
        message: `must not have "${type}", which nothing causes in this version; there are ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}`,
      })),
    },
  )
}
