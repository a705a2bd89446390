/**
 * Batches advances of runs. An idle batcher begins immediately; a busy one collects. Accounts, and companies within
 * them, take turns (round-robin), and only one run per conversation is in a batch. A failing batch is bisected until
 * the faulty run fails alone.
 */
import type { Logger } from 'pino'
import { createBatches } from '../infra/database/batches.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import { isLockTimeout } from '../infra/database/transaction.ts'
import { RUN_LIMITS } from '../core/limits/flows.ts'
import {
  advanceRuns,
  type AdvanceResult,
  type AdvanceDeps,
  type RunToAdvance,
} from '../modules/flows/runs/advance-runs.ts'
import type { AdvanceOutcome } from '../modules/flows/runs/run-flow.ts'
import { deferRunAfterError } from '../modules/flows/runs/defer-run.ts'
import { createRoundRobin } from './round-robin.ts'

type Waiting = RunToAdvance & {
  sinceMs: number
  resolve(outcome: AdvanceOutcome): void
  reject(error: unknown): void
}

const REST: AdvanceOutcome = { kind: 'idle', queued: [] }

const isOld = ({ sinceMs }: Waiting) => performance.now() - sinceMs > RUN_LIMITS.leaseMs / 2

/**
 * Returns whether an advance with a call's result is repeated after a lock timeout. Deferring the run would lose the
 * result.
 */
function isWorthAnotherTry([one, ...others]: readonly Waiting[], error: unknown): boolean {
  return others.length === 0 && one!.called !== null && isLockTimeout(error) && !isOld(one!)
}

export type AdvanceRun = (run: RunToAdvance) => Promise<AdvanceOutcome>

/** Creates the batcher that advances many runs in one transaction. */
export function createRunBatcher(deps: AdvanceDeps & { log: Logger }): AdvanceRun {
  const waiting = createRoundRobin<Waiting[]>((ofCompany) => ofCompany.length === 0)
  const activeConversations = new Set<string>()
  let count = 0
  const beginBatches = createBatches({
    maxSize: RUN_LIMITS.inBatch,
    maxConcurrent: RUN_LIMITS.maxConcurrentBatches,
    isSequential: true,
    waiting: () => count,
    begin() {
      const batch = draw()
      if (batch.length === 0) return null
      return take(batch).finally(() => {
        for (const { run } of batch) activeConversations.delete(run.conversationId)
      })
    },
  })

  function add(one: Waiting) {
    waiting.of(one.run.accountId, one.run.companyId, () => []).push(one)
    count += 1
    beginBatches()
  }

  /** Draws one run per account, round by round, until the batch is full. */
  function draw(): Waiting[] {
    const batch: Waiting[] = []
    while (batch.length < RUN_LIMITS.inBatch) {
      const one = waiting.next((ofCompany) => {
        const place = ofCompany.findIndex(({ run }) => !activeConversations.has(run.conversationId))
        return place === -1 ? null : ofCompany.splice(place, 1)[0]!
      })
      if (!one) break
      activeConversations.add(one.run.conversationId)
      batch.push(one)
    }
    count -= batch.length
    return batch
  }

  async function take(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await advanceRuns(deps, batch)
      await Promise.all(batch.map((one, index) => answer(one, outcomes[index]!)))
    } catch (error) {
      if (isDatabaseUnavailable(error)) for (const { reject } of batch) reject(error)
      else if (isWorthAnotherTry(batch, error)) setTimeout(add, RUN_LIMITS.lateMs, batch[0]!)
      else if (batch.length === 1) await setAside(batch[0]!, error)
      else {
        const half = batch.length >> 1
        await take(batch.slice(0, half))
        await take(batch.slice(half))
      }
    }
  }

  async function answer(one: Waiting, outcome: AdvanceResult): Promise<void> {
    switch (outcome.kind) {
      case 'call':
      case 'idle':
        return one.resolve(outcome)
      case 'failed':
        return setAside(one, outcome.error)
      case 'locked':
        // The lock's holder has died or will end the run: the lease brings it back.
        if (isOld(one)) return one.resolve(REST)
        setTimeout(() => add(one), RUN_LIMITS.lateMs)
    }
  }

  async function setAside(one: Waiting, error: unknown): Promise<void> {
    try {
      const again = await deferRunAfterError(deps, one.run)
      deps.log.error({ err: error, runId: one.run.id, again }, 'run failed to advance: deferred')
      one.resolve(REST)
    } catch (fault) {
      one.reject(fault)
    }
  }

  return (run) =>
    new Promise((resolve, reject) => {
      add({ ...run, sinceMs: performance.now(), resolve, reject })
    })
}
