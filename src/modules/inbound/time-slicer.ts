import { PROVIDER_LIMITS } from '../../core/limits/messaging.ts'

/**
 * Creates a time slicer for work on untrusted bodies. Per event-loop turn at most a fixed number of bytes are read,
 * traversed or hashed, of all bodies together, so that other work runs in between. Small work without a queue starts
 * immediately. `pauseMs`: the minimum time between two slices, which limits the share of the CPU.
 */
export function createTimeSlicer({ pauseMs = 0 }: { pauseMs?: number } = {}) {
  const bytesPerSlice = PROVIDER_LIMITS.checkedBytesPerSlice
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
    spent = Math.max(spent - bytesPerSlice, 0)
    while (waiting.length > 0 && spent < bytesPerSlice) {
      const { bytes, go } = waiting.shift()!
      spent += bytes
      go()
    }
    if (spent > 0) schedule()
  }

  return {
    /** Resolves when `bytes` may be processed; immediately when no work waits and the slice has bytes left. */
    take(bytes: number): Promise<void> {
      schedule()
      if (waiting.length === 0 && spent < bytesPerSlice) {
        spent += bytes
        return Promise.resolve()
      }
      return new Promise((go) => waiting.push({ bytes, go }))
    },
  }
}

/** A time slicer shared by all untrusted bodies of one kind. */
export type TimeSlicer = ReturnType<typeof createTimeSlicer>

/** Runs a generator that yields how many bytes it processes next, in time slices. */
export async function runInSlices<Value>(
  steps: Generator<number, Value, void>,
  slicer: TimeSlicer,
): Promise<Value> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await slicer.take(value)
  }
}
