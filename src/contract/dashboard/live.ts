import { z } from 'zod'
import { LIVE_LIMITS } from '../../limits/deliveries.ts'

/** What a stream of changes is asked for beside the company of its path. */
export const LiveQuery = z.object({
  /** Ids of more companies of the account, with commas between them. */
  also: z
    .string()
    .max(LIVE_LIMITS.companiesPerStream * 40)
    .default('')
    .transform((text) => (text === '' ? [] : text.toLowerCase().split(',')))
    .pipe(z.array(z.uuid()).max(LIVE_LIMITS.companiesPerStream - 1)),
  /** The last position that was told, for a client that cannot say `Last-Event-ID`. */
  after: z.string().max(100).nullable().default(null),
})
