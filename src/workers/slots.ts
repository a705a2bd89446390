/**
 * Concurrency slots of one process. A run that waits for a merchant's API releases its slot, so that slow APIs delay
 * no other run, and takes one again before it continues. It continues without a slot after 10 s.
 */
import { RUN_LIMITS } from '../core/limits/flows.ts'

/** The slots of a worker in this process. */
export type Slots = {
  /** Returns how many more rows may be claimed. */
  free(): number
  take(): void
  release(): void
  /** Returns accounts that have reached their maximum of concurrent calls. */
  accountsFull(): string[]
  /** Releases a slot, runs `work`, and takes a slot again. Resolves with the result of `work`. */
  withoutSlot<Value>(accountId: string, work: () => Promise<Value>): Promise<Value>
}

/** The limits of a worker's slots. */
export type SlotLimits = {
  /** Number of slots. */
  maxConcurrent: number
  /** Maximum number of rows in `withoutSlot`; unlimited by default. */
  maxWaiting?: number
  /** Maximum number of rows in `withoutSlot` of one account with its projects; unlimited by default. */
  maxWaitingPerAccount?: number
}

/** The limits for runs. */
export const RUN_SLOTS: SlotLimits = {
  maxConcurrent: RUN_LIMITS.maxConcurrent,
  maxWaiting: RUN_LIMITS.maxConcurrentCalls,
  maxWaitingPerAccount: RUN_LIMITS.maxConcurrentCallsPerAccount,
}

/**
 * Creates the concurrency slots of a worker in this process.
 * @param onFree runs when a slot becomes free
 * @param waitMs the longest wait for a slot after `withoutSlot`; the row continues without a slot then
 */
export function createSlots(
  { maxConcurrent, maxWaiting = Infinity, maxWaitingPerAccount = Infinity }: SlotLimits,
  onFree: () => void,
  waitMs: number = RUN_LIMITS.slotWaitMs,
): Slots {
  let working = 0
  let calling = 0
  const callingOf = new Map<string, number>()
  const returning: (() => void)[] = []

  function release() {
    // A row that returns from `withoutSlot` takes precedence over a new one.
    const next = working <= maxConcurrent ? returning.shift() : undefined
    if (next) next()
    else working -= 1
    onFree()
  }

  function count(accountId: string, by: 1 | -1) {
    calling += by
    const left = (callingOf.get(accountId) ?? 0) + by
    if (left === 0) callingOf.delete(accountId)
    else callingOf.set(accountId, left)
  }

  function takeSlotAgain(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        returning.splice(returning.indexOf(goOn), 1)
        working += 1
        resolve()
      }, waitMs)
      function goOn() {
        clearTimeout(timer)
        resolve()
      }
      returning.push(goOn)
    })
  }

  return {
    free() {
      const free = maxConcurrent - working
      return Math.max(0, Math.min(free, maxWaiting - calling))
    },
    take() {
      working += 1
    },
    release,
    accountsFull() {
      return [...callingOf]
        .filter(([, calls]) => calls >= maxWaitingPerAccount)
        .map(([accountId]) => accountId)
    },
    async withoutSlot(accountId, work) {
      count(accountId, 1)
      release()
      try {
        return await work()
      } finally {
        count(accountId, -1)
        if (working < maxConcurrent) working += 1
        else await takeSlotAgain()
      }
    },
  }
}
