/**
 * Concurrency slots of one process. A run that waits for a merchant's API releases its slot, so that slow APIs delay
 * no other run, and takes one again before it continues. It continues without a slot after 10 s.
 */
import { RUN_LIMITS } from '../core/limits/flows.ts'

export type Places = {
  /** Returns how many more rows may be claimed. */
  free(): number
  take(): void
  giveBack(): void
  /** Returns accounts that have reached their maximum of concurrent calls. */
  accountsFull(): string[]
  /** Runs a call without a slot; resolves once there is a slot again. */
  withoutSlot<Value>(accountId: string, work: () => Promise<Value>): Promise<Value>
}

/** Maximum of slots; of runs that wait for others meanwhile, in total and of one account with its projects. */
export type Most = { atOnce: number; waitingAtOnce?: number; waitingOfAccount?: number }

export const PLACES_OF_RUNS: Most = {
  atOnce: RUN_LIMITS.atOnce,
  waitingAtOnce: RUN_LIMITS.callsAtOnce,
  waitingOfAccount: RUN_LIMITS.callsAtOncePerAccount,
}

/**
 * Creates the slots of one process.
 * @param onFree runs when a slot is free, or an account may call again.
 * @param waitMs the longest wait for a slot after a call; the work continues without a slot then.
 */
export function createSlots(
  { atOnce, waitingAtOnce = Infinity, waitingOfAccount = Infinity }: Most,
  onFree: () => void,
  waitMs: number = RUN_LIMITS.placeWaitMs,
): Places {
  let working = 0
  let calling = 0
  const callingOf = new Map<string, number>()
  const returning: (() => void)[] = []

  function giveBack() {
    // A run that returns from a call goes before a new one: the slot passes on.
    const next = working <= atOnce ? returning.shift() : undefined
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

  function placeAgain(): Promise<void> {
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
      const places = atOnce - working
      return Math.max(0, Math.min(places, waitingAtOnce - calling))
    },
    take() {
      working += 1
    },
    giveBack,
    accountsFull() {
      return [...callingOf]
        .filter(([, calls]) => calls >= waitingOfAccount)
        .map(([accountId]) => accountId)
    },
    async withoutSlot(accountId, work) {
      count(accountId, 1)
      giveBack()
      try {
        return await work()
      } finally {
        count(accountId, -1)
        if (working < atOnce) working += 1
        else await placeAgain()
      }
    },
  }
}
