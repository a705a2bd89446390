/**
 * Jobs with effects: claimed rows that alternate between transactions and effects outside of them. They are runs of
 * flows with their calls, and replies of the assistant with their models and tools.
 *
 * 1. An advance locks and loads the job, accepts the result of its last effect, decides and writes, in a transaction.
 * 2. It writes an effect as started, with a renewed lease, before the effect is performed without a slot and without a
 *    connection. The next advance accepts the result only under the claim that started the effect.
 * 3. An advance without a result finds the started effect of a process that died. It starts the effect again where a
 *    repetition does no harm, and otherwise records that the outcome is unknown.
 * 4. An error defers the job. If the database is unavailable, the claim is released as soon as it is available.
 */
import type { Context } from '../infra/context.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import type { Deferred } from '../infra/database/queues/defer-job.ts'
import type { Claimable } from '../infra/database/queues/queue.ts'
import { releaseRows } from '../infra/database/queues/release.sql.ts'
import {
  lockTimeoutWithin,
  retryWhileUnavailable,
} from '../infra/database/retry-while-unavailable.ts'
import type { ClaimedMessage } from '../modules/messaging/queue-message.ts'
import type { Slots } from './slots.ts'
import { SAFETY_POLL_MS } from './worker-loop.ts'
import {
  createWorker,
  type Aside,
  type ClaimedRow,
  type QueueWork,
  type WorkDeps,
  type QueueWorker,
} from './worker.ts'

/** A claimed job in progress. */
export type EffectJob<Effect extends { kind: string }, Result> = {
  /**
   * Advances the job with the result of its last effect, null at first, and returns the next effect. It may be called
   * again with the same result when the answer to its commit was lost.
   */
  advance(result: Result | null): Promise<Effect | Idle>
  /** Performs an effect. Returns null when the process stops and the next claim has to repeat the effect. */
  perform(effect: Effect): Promise<Result | null>
  /** Makes the job due later after an error, or fails it. */
  defer(): Promise<Deferred<ClaimedMessage>>
  /** Runs once when this process has ended its work on the job, before messages are dispatched. */
  onEnd(): void
}

/** The result of a job that waits, has ended, or has lost its claim. `dueAt` is the time of its next advance, if known. */
type Idle = { kind: 'idle'; queued: readonly ClaimedMessage[]; dueAt?: Date }

type Kind<Row extends ClaimedRow, Effect extends { kind: string }, Result> = Pick<
  QueueWork<Row>,
  'name' | 'queue' | 'places' | 'everyMs'
> & { begin(row: Row, stopping: AbortSignal): EffectJob<Effect, Result> }

type Deps = WorkDeps & {
  /** Passes queued messages to the send worker. */
  dispatchMessages(messages: readonly ClaimedMessage[]): void
}

/** Creates the worker of a kind of jobs. */
export function createEffectJobsWorker<
  Row extends ClaimedRow,
  Effect extends { kind: string },
  Result,
>(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  { begin, ...work }: Kind<Row, Effect, Result>,
  deps: Deps,
  aside?: Aside,
): QueueWorker<Row> {
  const { queue } = work
  const worker: QueueWorker<Row> = createWorker<Row>(
    context,
    {
      ...work,
      wakesAtEnd: false,
      take(row, { stopping }) {
        const { withoutSlot } = worker.places
        const running = { ...context, ...deps, queue, withoutSlot, stopping }
        return runEffectJob(running, row, begin(row, stopping))
      },
      onError(error, { id }) {
        if (isDatabaseUnavailable(error)) return
        context.log.error(
          { err: error, queue: queue.name, id },
          'job not deferred: its lease ends first',
        )
      },
    },
    deps,
    aside,
  )
  return worker
}

type Running = Pick<Context, 'db' | 'clock' | 'log'> &
  Pick<Deps, 'dispatchMessages' | 'onProgress'> &
  Pick<Slots, 'withoutSlot'> & { queue: Claimable; stopping: AbortSignal }

/** Executes a claimed job until it is idle, deferred or released. */
export async function runEffectJob<Effect extends { kind: string }, Result>(
  deps: Running,
  row: ClaimedRow,
  job: EffectJob<Effect, Result>,
): Promise<void> {
  const { queue, clock, log } = deps
  const { queued, dueAt } = await advanceUntilIdle(deps, row, job)
    .catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) throw error
      log.error({ err: error, queue: queue.name, id: row.id }, 'job failed to advance: deferred')
      return job.defer()
    })
    .finally(() => job.onEnd())
  deps.dispatchMessages(queued)
  // The loop has read the next due time while the job was claimed.
  if (dueAt && dueAt.getTime() - clock.now().getTime() < SAFETY_POLL_MS) deps.onProgress()
}

async function advanceUntilIdle<Effect extends { kind: string }, Result>(
  { db, clock, queue, withoutSlot, stopping }: Running,
  row: ClaimedRow,
  job: EffectJob<Effect, Result>,
): Promise<Omit<Idle, 'kind'>> {
  let result: Result | null = null
  for (;;) {
    const last: Result | null = result
    // A result cannot be obtained a second time, so the advance waits longer for locks of other transactions.
    const isWorthIt = last === null ? () => false : lockTimeoutWithin(queue.leaseMs / 2)
    const next: Effect | Idle = await retryWhileUnavailable(() => job.advance(last), {
      isWorthIt,
      stopping,
    })
    if (isIdle(next)) return next
    const perform = (): Promise<Result | null> => job.perform(next)
    result = await withoutSlot(row.accountId, perform)
    if (result === null) {
      await releaseRows(db.kysely, queue, [row], clock.now())
      return { queued: [] }
    }
  }
}

const isIdle = (next: { kind: string }): next is Idle => next.kind === 'idle'
