import { sql, type Transaction } from 'kysely'
import type { Database } from '../connect.ts'
import type { DB } from '../tables.ts'
import { transaction } from '../transaction.ts'
import { dueOf, type Claimable, type ClaimedJob } from './queue.ts'
import { settle } from './release.sql.ts'

/** The retries of a kind of jobs after an error of the service, with a growing delay. */
export type Retries<Locked, Deps, Message> = {
  queue: Claimable
  /** The table of the jobs, with the number of consecutive failures; an advance resets it. */
  table: 'flow_run' | 'assistant_reply'
  /** Delays before the retries; the job fails after the last one. */
  retryDelaysMs: readonly number[]
  /** Locks the job. Returns null when the claim is lost. */
  lock(tx: Transaction<DB>, claimed: ClaimedJob): Promise<Locked | null>
  /** Ends the locked job. Returns messages to dispatch after the commit. */
  fail(tx: Transaction<DB>, deps: Deps & { now: Date }, locked: Locked): Promise<readonly Message[]>
}

/** The time of the next retry, null when the job failed or its claim is lost, and messages to dispatch. */
export type Deferred<Message> = { dueAt: Date | null; queued: readonly Message[] }

/** Makes a claimed job that cannot be advanced due later, or fails it after the last retry. */
export async function deferJob<Locked, Deps, Message>(
  deps: Deps & { db: Pick<Database, 'kysely' | 'afterCommit'>; clock: { now(): Date } },
  retries: Retries<Locked, Deps, Message>,
  claimed: ClaimedJob,
): Promise<Deferred<Message>> {
  return transaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const locked = await retries.lock(tx, claimed)
    if (!locked) return { dueAt: null, queued: [] }
    const { rows } = await sql<{ failureCount: number }>`
      update ${sql.table(retries.table)} set failure_count = failure_count + 1
      where id = ${claimed.id} returning failure_count`.execute(tx)
    const delayMs = retries.retryDelaysMs[rows[0]!.failureCount - 1]
    if (delayMs === undefined) {
      return { dueAt: null, queued: await retries.fail(tx, { ...deps, now }, locked) }
    }
    const dueAt = new Date(now.getTime() + delayMs)
    await settle(tx, retries.queue, claimed, sql`${dueOf(retries.queue)} = ${dueAt}`)
    return { dueAt, queued: [] }
  })
}
