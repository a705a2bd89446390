/**
 * Writes what a batch of attempts came to: the attempts, the deliveries' next state, the hours' sums,
 * the endpoints' health, and where the rule says so the switch-off with its notice.
 *
 * Successes of endpoints that do not fail are written by `recordSuccesses`; the rest is judged by the
 * rule here, all of an endpoint's attempts together.
 *
 * Isolation: short transactions. A delivery moves only while it still carries the claim id of its
 * attempt: a worker that finishes after its lease has gone matches no row, its attempt is logged as
 * late and counts for nothing. Deliveries are locked in id order, then the health of endpoints in id
 * order; whoever settles attempts of one endpoint does so after the other, so the rule is judged
 * attempt by attempt on what really stands, and an endpoint is switched off and told of once.
 *
 * Spec: Deliveries › Switch-off; readings D9, D12.
 */
import type { Transaction } from 'kysely'
import type { Database } from '../../infra/database/connect.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import type { Ids } from '../../core/ids.ts'
import { evaluateAttempts } from './evaluate-attempts.ts'
import { lockSettled, readEndpoints } from './lock-outcomes.sql.ts'
import { recordSuccesses } from './record-successes.sql.ts'
import { supersedeDeliveries, switchOffAndTell, writeSettled } from './write-outcomes.sql.ts'
import type { RecordedAttempt } from './settled-attempt.ts'

export type Settlement = {
  /** Attempts that counted for nothing, as their claim was another's by then. */
  lateIds: string[]
  switchedOff: { endpointId: string; reason: string }[]
}

/**
 * @param written Makes one of the writes, again if it may: each is a transaction of its own, so what
 *   was written is not written again when the next one has to be.
 */
export async function recordAttempts(
  { db, ids, written = (write) => write() }: Deps,
  attempts: readonly RecordedAttempt[],
): Promise<Settlement> {
  const failing = new Set(
    attempts.filter(({ error }) => error !== null).map(({ endpointId }) => endpointId),
  )
  const well = attempts.filter(({ endpointId }) => !failing.has(endpointId))
  const done = await written(() => recordSuccesses(db, well))
  const rest = attempts.filter(({ attemptId }) => !done.has(attemptId))
  if (rest.length === 0) return { lateIds: [], switchedOff: [] }
  return written(() => transaction(db, (tx) => settleIn(tx, ids, rest)))
}

type Deps = {
  db: Pick<Database, 'kysely' | 'afterCommit'>
  ids: Ids
  written?: <T>(write: () => Promise<T>) => Promise<T>
}

async function settleIn(
  tx: Transaction<DB>,
  ids: Ids,
  attempts: readonly RecordedAttempt[],
): Promise<Settlement> {
  const locked = await lockSettled(tx, attempts)
  const endpoints = await readEndpoints(tx, attempts, locked)
  const judged = evaluateAttempts(attempts, locked, endpoints)
  const lateIds = await writeSettled(tx, judged)
  await supersedeDeliveries(tx, judged.resent)
  const switchedOff = await switchOffAndTell(tx, ids, judged.verdicts)
  return { lateIds, switchedOff }
}
