import type { Transaction } from 'kysely'
import { takeMinutePlace } from '../accounts/take-minute-place.sql.ts'
import type { DB } from '../database/tables.ts'
import { DELIVERY_LIMITS } from '../limits/deliveries.ts'
import { fact } from '../facts/fact.ts'
import { ServiceError } from '../service-error.ts'

/**
 * Takes one of the account's ten places a minute for tests, resends and jobs of resends together.
 * Taken last in a transaction, so that a request that is refused takes none.
 * @throws rate_limited, with when a place is free again.
 * Spec: Limits › Deliveries.
 */
export async function takeTestPlace(
  tx: Transaction<DB>,
  { accountId, now }: { accountId: string; now: Date },
): Promise<void> {
  const place = await takeMinutePlace(tx, {
    accountId,
    what: 'tests_and_resends',
    most: DELIVERY_LIMITS.testsAndResendsPerMinute,
    now,
  })
  if (place.ok) return
  throw new ServiceError(
    'rate_limited',
    fact('tests_and_resends_a_minute', {
      most: DELIVERY_LIMITS.testsAndResendsPerMinute,
      freeAt: place.freesAt.toISOString(),
    }),
    { retryAfterMs: place.freesAt.getTime() - now.getTime() },
  )
}
