/**
 * The one loop that all duties share: work until nothing is due, then sleep until woken, until the
 * next due time, or until the safety poll. A loop never ends by a fault: it backs off from 0.1 s to
 * 30 s with jitter, and says so once per stretch of faults.
 */
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'

export type Worker = {
  name: string
  /** Turns begin no closer together than this. */
  everyMs?: number
  /** Does what is due now. Returns true when there may be more at once. */
  work(): Promise<boolean>
  /** When something will be due next; null when nothing waits. */
  nextDue(): Promise<Date | null>
  /** Takes on nothing more, and gives back what was taken on and not begun. */
  halt?(): void
}

/** A duty that works on several things at once. */
export type ConcurrentWorker = Worker & {
  inFlight(): number
  /** Resolves when nothing is under way. */
  drain(): Promise<void>
}

/** A duty that has nothing under way between its turns. */
export const turnByTurn = (
  duty: Omit<ConcurrentWorker, 'inFlight' | 'drain'>,
): ConcurrentWorker => ({
  ...duty,
  inFlight: () => 0,
  drain: () => Promise.resolve(),
})

export type Loop = {
  wake(): void
  /** Ends the loop once the work under way is done. */
  stop(): Promise<void>
}

/** What nobody told of is found by asking when something is due: an idle duty does no more. */
const SAFETY_POLL_MS = 10_000
/** Polls after which a duty works all the same. */
const POLLS_UNTIL_WORK = 6
/** Wakes that come this close together are one turn: under load a claim takes a batch. */
const GATHER_MS = 3
/** Due but not for us to take: another node has it under way. */
const BUSY_ELSEWHERE_MS = 20
const BACKOFF_MIN_MS = 100
const BACKOFF_MAX_MS = 30_000

export function startLoop(duty: Worker, { clock, log }: { clock: Clock; log: Logger }): Loop {
  const stopping = new AbortController()
  let isWoken = true
  let rouse: (() => void) | null = null
  let faults = 0

  function sleep(ms: number): Promise<void> {
    if (isWoken || stopping.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms)
      rouse = done
      function done() {
        clearTimeout(timer)
        rouse = null
        resolve()
      }
    })
  }

  async function turn(): Promise<void> {
    const begunAtMs = performance.now()
    isWoken = false
    const hasMore = await duty.work()
    if (faults > 0) log.info({ duty: duty.name, faults }, 'duty works again')
    faults = 0
    if (hasMore || isWoken) await pause(GATHER_MS)
    else await rest()
    const tooSoonMs = begunAtMs + (duty.everyMs ?? 0) - performance.now()
    if (tooSoonMs > 0 && !stopping.signal.aborted) await pause(tooSoonMs)
  }

  /** Sleeps until it is woken or something is due. */
  async function rest(): Promise<void> {
    for (let polls = 1; polls <= POLLS_UNTIL_WORK; polls += 1) {
      const due = await duty.nextDue()
      const untilDueMs = due ? due.getTime() - clock.now().getTime() : Infinity
      await sleep(Math.min(Math.max(untilDueMs, BUSY_ELSEWHERE_MS), SAFETY_POLL_MS))
      if (isWoken || stopping.signal.aborted || untilDueMs <= SAFETY_POLL_MS) return
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await turn()
      } catch (error) {
        faults += 1
        if (faults === 1) log.error({ duty: duty.name, err: error }, 'duty failed, will try again')
        const ceiling = Math.min(BACKOFF_MIN_MS * 2 ** Math.min(faults - 1, 10), BACKOFF_MAX_MS)
        isWoken = false
        await sleep(ceiling * (0.5 + Math.random() / 2))
      }
    }
  }

  const ended = run()
  return {
    wake() {
      isWoken = true
      rouse?.()
    },
    async stop() {
      stopping.abort()
      duty.halt?.()
      rouse?.()
      await ended
    },
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
