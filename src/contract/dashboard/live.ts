import { z } from 'zod'
import { LIVE_LIMITS } from '../../core/limits/deliveries.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { UUID_CHARS } from '../../rules/text/uuid.ts'
import type { Bytes, Route } from './route.ts'

/** The query of a stream of changes, besides the company in its path. */
export const LiveQuery = z.object({
  /** Ids of more companies of the account, with commas between them. */
  also: z
    .string()
    .max(LIVE_LIMITS.companiesPerStream * (UUID_CHARS + 1))
    .default('')
    .transform((text) => (text === '' ? [] : text.toLowerCase().split(',')))
    .pipe(z.array(uuidInput).max(LIVE_LIMITS.companiesPerStream - 1)),
  /** The last position received, for a client that cannot send `Last-Event-ID`. */
  after: z.string().max(LIVE_LIMITS.positionChars).nullable().default(null),
})

export interface LiveRoutes {
  '/companies/:companyId/live': { get: Route<Bytes, { query: typeof LiveQuery }> }
}
