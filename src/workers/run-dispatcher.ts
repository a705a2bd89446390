/**
 * Runs that a transaction of this process makes due are written claimed, and taken on after its commit: no
 * claim looks for them. Only as many as there are places for, of one account so many, and none while
 * something that is due waits in the table: that goes first.
 */
import type { EagerRun, RunDispatcher } from '../infra/database/after-commit.ts'
import { RUN_LIMITS } from '../core/limits/flows.ts'

type Deps = {
  claimId(): string
  /** Places that are free. */
  free(): number
  /** Whether runs of the account are to be left in the table. */
  isLeft(accountId: string): boolean
  takeOn(run: EagerRun): void
}

export function createRunDispatcher(deps: Deps) {
  /** Claims that transactions under way may write runs with. */
  let promised = 0
  /** By account, those and the runs at work. */
  const inHandOf = new Map<string, number>()
  let isHalted = false

  function count(accountId: string, by: 1 | -1) {
    const left = (inHandOf.get(accountId) ?? 0) + by
    if (left > 0) inHandOf.set(accountId, left)
    else inHandOf.delete(accountId)
  }

  const handOver: RunDispatcher = {
    eagerClaimFor(accountId) {
      if (isHalted || deps.free() <= promised || deps.isLeft(accountId)) return null
      if ((inHandOf.get(accountId) ?? 0) >= RUN_LIMITS.handedOverPerAccount) return null
      promised += 1
      count(accountId, 1)
      return deps.claimId()
    },
    take(claimedFor, born) {
      promised -= claimedFor.length
      for (const accountId of claimedFor) count(accountId, -1)
      for (const run of born) deps.takeOn(run)
    },
  }

  return {
    handOver,
    promised: () => promised,
    /** A run of the account is at work, however it came; or it is no more. */
    count,
    halt() {
      isHalted = true
    },
  }
}
