import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { ServiceError } from '../../core/service-error.ts'

type MinuteLimit = { max: number; refused(values: { max: number; freeAt: string }): Fact }

/** The limits of an account per minute. */
const LIMITS = {
  /** Tests, resends and jobs of resends together. */
  tests_and_resends: {
    max: DELIVERY_LIMITS.testsAndResendsPerMinute,
    refused: (values) => fact('tests_and_resends_a_minute', values),
  },
  connection_tests: {
    max: CALL_LIMITS.testsPerMinute,
    refused: (values) => fact('tests_of_calls_a_minute', values),
  },
  /** Invitations go to any address, so the limit keeps an account from flooding mailboxes. */
  invitations: {
    max: SIGN_IN_LIMITS.invitationMailsPerMinute,
    refused: ({ max }) => fact('invitations_a_minute', { max }),
  },
  model_tests: {
    max: MODEL_LIMITS.testsPerMinute,
    refused: (values) => fact('model_tests_a_minute', values),
  },
} satisfies Record<string, MinuteLimit>

/**
 * Consumes one unit of an account's limit in the current clock minute. Only a rollback returns the unit. It is
 * consumed last in the transaction, so that a refused request consumes none. The count is one statement in the
 * database, so it holds over all nodes and after a restart.
 * @throws rate_limited, with the time until the next minute
 *
 * Spec: Limits › Deliveries; Limits › Calls.
 */
export async function consumeRateLimit(
  db: Kysely<DB>,
  { accountId, what, now }: { accountId: string; what: keyof typeof LIMITS; now: Date },
): Promise<void> {
  const { max, refused }: MinuteLimit = LIMITS[what]
  const minute = new Date(now.getTime() - (now.getTime() % MINUTE_MS))
  const { rows } = await sql`
    insert into rate_limit_counter (account_id, what, minute, used)
    values (${accountId}, ${what}, ${minute}, 1)
    on conflict (account_id, what, minute) do update set used = rate_limit_counter.used + 1
      where rate_limit_counter.used < ${max}::int
    returning used
  `.execute(db)
  if (rows.length > 0) return
  const freesAt = new Date(minute.getTime() + MINUTE_MS)
  throw new ServiceError('rate_limited', refused({ max, freeAt: freesAt.toISOString() }), {
    retryAfterMs: freesAt.getTime() - now.getTime(),
  })
}
