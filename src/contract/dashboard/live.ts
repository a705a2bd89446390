import { z } from 'zod'
import { LIVE_LIMITS } from '../../core/limits/deliveries.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { UUID_CHARS } from '../../rules/text/uuid.ts'

/** What a stream of changes is asked for beside the company of its path. */
export const LiveQuery = z.object({
  /** Ids of more companies of the account, with commas between them. */
  also: z
    .string()
    .max(LIVE_LIMITS.companiesPerStream * (UUID_CHARS + 1))
    .default('')
    .transform((text) => (text === '' ? [] : text.toLowerCase().split(',')))
    .pipe(z.array(uuidInput).max(LIVE_LIMITS.companiesPerStream - 1)),
  /** The last position that was told, for a client that cannot say `Last-Event-ID`. */
  after: z.string().max(LIVE_LIMITS.positionChars).nullable().default(null),
})
