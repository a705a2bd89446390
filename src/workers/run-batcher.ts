/**
 * Batches advances of runs. An idle batcher begins immediately; a busy one collects. Accounts, and companies within
 * them, take turns (round-robin), and only one run per conversation is in a batch. A failing batch is bisected until
 * the faulty run is rejected alone.
 */
import { createBatches } from '../infra/database/batches.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import { RUN_LIMITS } from '../core/limits/flows.ts'
import {
  advanceRuns,
  type AdvanceResult,
  type AdvanceDeps,
  type AdvanceOutcome,
  type RunToAdvance,
} from '../modules/flows/runs/advance-runs.ts'
import { createRoundRobin } from './round-robin.ts'

type Waiting = RunToAdvance & {
  sinceMs: number
  resolve(outcome: AdvanceOutcome): void
  reject(error: unknown): void
}

const REST: AdvanceOutcome = { kind: 'idle', queued: [] }

const isOld = ({ sinceMs }: Waiting) => performance.now() - sinceMs > RUN_LIMITS.leaseMs / 2

/** Advances one run to its next effect or wait. */
export type AdvanceRun = (run: RunToAdvance) => Promise<AdvanceOutcome>

/** Creates the batcher that advances many runs in one transaction. */
export function createRunBatcher(deps: AdvanceDeps): AdvanceRun {
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
      for (const [index, one] of batch.entries()) answer(one, outcomes[index]!)
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) {
        for (const { reject } of batch) reject(error)
      } else {
        const half = batch.length >> 1
        await take(batch.slice(0, half))
        await take(batch.slice(half))
      }
    }
  }

  function answer(one: Waiting, outcome: AdvanceResult): void {
    switch (outcome.kind) {
      case 'call':
      case 'idle':
        return one.resolve(outcome)
      case 'failed':
        return one.reject(outcome.error)
      case 'locked':
        // The transaction with the lock ends the run, or its process has died. Then the run is due after its lease.
        if (isOld(one)) return one.resolve(REST)
        setTimeout(add, RUN_LIMITS.lockedRetryMs, one)
    }
  }

  return (run) =>
    new Promise((resolve, reject) => {
      add({ ...run, sinceMs: performance.now(), resolve, reject })
    })
}
