/**
 * Eager dispatch of runs: a transaction of this process writes due runs with its own claim, and they are advanced
 * after the commit without a claim query. The number is limited by free slots and per account. Due runs in the table
 * go first.
 */
import type { EagerRun, RunDispatcher } from '../infra/database/after-commit.ts'
import { RUN_LIMITS } from '../core/limits/flows.ts'

type Deps = {
  claimId(): string
  /** Returns the number of free slots. */
  free(): number
  /** Returns whether runs of the account stay in the table. */
  isLeft(accountId: string): boolean
  takeOn(run: EagerRun): void
}

/** Creates the dispatcher of runs that this process inserted with its own claim. */
export function createRunDispatcher(deps: Deps) {
  /** Claims reserved by open transactions. */
  let promised = 0
  /** Reserved claims and active runs by account. */
  const runsOf = new Map<string, number>()
  let isHalted = false

  function count(accountId: string, by: 1 | -1) {
    const left = (runsOf.get(accountId) ?? 0) + by
    if (left > 0) runsOf.set(accountId, left)
    else runsOf.delete(accountId)
  }

  const dispatcher: RunDispatcher = {
    eagerClaimFor(accountId) {
      if (isHalted || deps.free() <= promised || deps.isLeft(accountId)) return null
      if ((runsOf.get(accountId) ?? 0) >= RUN_LIMITS.eagerPerAccount) return null
      promised += 1
      count(accountId, 1)
      return deps.claimId()
    },
    take(claimedFor, runs) {
      promised -= claimedFor.length
      for (const accountId of claimedFor) count(accountId, -1)
      for (const run of runs) deps.takeOn(run)
    },
  }

  return {
    dispatcher,
    promised: () => promised,
    /** Counts an active run of the account, from whichever source, or its end. */
    count,
    halt() {
      isHalted = true
    },
  }
}
