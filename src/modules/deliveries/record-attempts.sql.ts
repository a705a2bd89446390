/**
 * Records the outcomes of a batch of attempts: the attempts, the next state of their deliveries, hourly sums, and the
 * health of endpoints. Switches an endpoint off, with a notice, where the rule says so.
 *
 * `recordSuccesses` writes the successes of endpoints without failures; the rule here evaluates all other attempts.
 *
 * Isolation: short transactions. A delivery changes only while it carries the claim id of its attempt. A worker that
 * finishes after its lease expired matches no row; its attempt is logged as late and does not count. Deliveries are
 * locked in id order, then the health of endpoints in id order. Workers that record attempts of one endpoint
 * therefore wait for each other, so the rule evaluates each attempt against current health, and an endpoint is
 * switched off and announced once.
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
import { supersedeDeliveries, switchOffAndNotify, writeSettled } from './write-outcomes.sql.ts'
import type { RecordedAttempt } from './recorded-attempt.ts'

/** The result of recording a batch of attempts. */
export type Settlement = {
  /** Attempts that do not count, because another claim held their delivery by then. */
  lateIds: string[]
  switchedOff: { endpointId: string; reason: string }[]
}

/**
 * Records the outcomes of a batch of delivery attempts, each only while its claim still holds.
 * @param deps `written` runs one write and may retry it. Each write is a separate transaction, so that a retry does not
 * repeat an earlier one.
 */
export async function recordAttempts(
  { db, ids, written = (write) => write() }: Deps,
  attempts: readonly RecordedAttempt[],
): Promise<Settlement> {
  const failing = new Set(
    attempts.filter(({ error }) => error !== null).map(({ endpointId }) => endpointId),
  )
  const successes = attempts.filter(({ endpointId }) => !failing.has(endpointId))
  const done = await written(() => recordSuccesses(db, successes))
  const rest = attempts.filter(({ attemptId }) => !done.has(attemptId))
  if (rest.length === 0) return { lateIds: [], switchedOff: [] }
  return written(() => transaction(db, (tx) => recordRest(tx, ids, rest)))
}

type Deps = {
  db: Pick<Database, 'kysely' | 'afterCommit'>
  ids: Ids
  written?: <T>(write: () => Promise<T>) => Promise<T>
}

async function recordRest(
  tx: Transaction<DB>,
  ids: Ids,
  attempts: readonly RecordedAttempt[],
): Promise<Settlement> {
  const locked = await lockSettled(tx, attempts)
  const endpoints = await readEndpoints(tx, attempts, locked)
  const evaluated = evaluateAttempts(attempts, locked, endpoints)
  const lateIds = await writeSettled(tx, evaluated)
  await supersedeDeliveries(tx, evaluated.resent)
  const switchedOff = await switchOffAndNotify(tx, ids, evaluated.verdicts)
  return { lateIds, switchedOff }
}
