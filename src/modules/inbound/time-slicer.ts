import { PROVIDER_LIMITS } from '../../core/limits/messaging.ts'

/**
 * Work on bodies that nobody vouches for yet, shared out over the turns of the event loop: in one turn
 * at most so many bytes are read, walked over or hashed, of all such bodies together, and everybody else
 * comes in between. What is small and finds no queue goes at once. `pauseMs`: at least so long from one
 * turn to the next, so that such work never takes more than a share of the processor.
 */
export function createTimeSlicer({ pauseMs = 0 }: { pauseMs?: number } = {}) {
  const bytesPerTurn = PROVIDER_LIMITS.checkedBytesPerTurn
  const waiting: { bytes: number; go(): void }[] = []
  let spent = 0
  let isScheduled = false

  function schedule() {
    if (isScheduled) return
    isScheduled = true
    if (pauseMs > 0) setTimeout(begin, pauseMs)
    else setImmediate(begin)
  }

  function begin() {
    isScheduled = false
    spent = Math.max(spent - bytesPerTurn, 0)
    while (waiting.length > 0 && spent < bytesPerTurn) {
      const { bytes, go } = waiting.shift()!
      spent += bytes
      go()
    }
    if (spent > 0) schedule()
  }

  return {
    /** Resolves when so many bytes may be worked on, at once and without waiting for anything. */
    take(bytes: number): Promise<void> {
      schedule()
      if (waiting.length === 0 && spent < bytesPerTurn) {
        spent += bytes
        return Promise.resolve()
      }
      return new Promise((go) => waiting.push({ bytes, go }))
    },
  }
}
export type Turns = ReturnType<typeof createTimeSlicer>

/** Goes through a walk that yields how many bytes it looks at next. */
export async function runInSlices<Value>(
  walk: Generator<number, Value, void>,
  turns: Turns,
): Promise<Value> {
  for (;;) {
    const { done, value } = walk.next()
    if (done) return value
    await turns.take(value)
  }
}
