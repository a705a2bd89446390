/**
 * The rule by which batches begin. No item waits for a timer: a single item begins immediately, and items that arrive
 * during a batch form the next one. A batch begins
 *
 * - once the event loop has completed a turn without a new item, so that more items share the batch under load;
 * - once the batch before it has ended. A batch that takes long waits for a lock or the network, and leaves the database
 *   idle. So another batch begins concurrently, and so does a full one.
 */

/** Age of a batch from which it no longer delays the next one. */
const CONCURRENT_AFTER_MS = 20
/** Maximum number of event-loop turns that a batch waits while each of them adds items. */
const MAX_ROUNDS = 8

/** The limits of batches, and the items that they consist of. */
export type BatchesOptions = {
  /** Maximum size of a batch; a full batch begins immediately. */
  maxSize: number
  /** Maximum of concurrent batches. */
  maxConcurrent: number
  /** True to run batches concurrently only when one is full or takes long. */
  isSequential: boolean
  /** Returns the number of items that wait for a batch. */
  waiting(): number
  /**
   * Takes up to `maxSize` waiting items, and resolves when they are done; it never rejects. Returns null when none may
   * begin now.
   */
  begin(): Promise<void> | null
}

/** Returns a function to call whenever an item begins to wait, or stops waiting for another one. */
export function createBatches({
  maxSize,
  maxConcurrent,
  isSequential,
  waiting,
  begin,
}: BatchesOptions): () => void {
  let inFlight = 0
  let begunAtMs = -Infinity
  let isLooking = false
  /** Number of waiting items when the event loop last completed a turn. */
  let seen = 0
  let rounds = 0
  let timer: NodeJS.Timeout | undefined

  function lookSoon() {
    if (isLooking || waiting() === 0 || inFlight >= maxConcurrent) return
    if (!mayBegin()) return
    clearTimeout(timer)
    isLooking = true
    seen = 0
    rounds = 0
    setImmediate(look)
  }

  /**
   * Returns whether another batch may begin. When only the age of the current one prevents it, a timer checks again.
   */
  function mayBegin(): boolean {
    if (!isSequential || inFlight === 0 || waiting() >= maxSize) return true
    const leftMs = begunAtMs + CONCURRENT_AFTER_MS - performance.now()
    if (leftMs <= 0) return true
    clearTimeout(timer)
    timer = setTimeout(lookSoon, Math.ceil(leftMs))
    return false
  }

  function look() {
    const count = waiting()
    if (count > seen && count < maxSize && rounds < MAX_ROUNDS) {
      seen = count
      rounds += 1
      setImmediate(look)
      return
    }
    isLooking = false
    const done = begin()
    // The end of a batch in progress calls this again.
    if (!done) return
    inFlight += 1
    begunAtMs = performance.now()
    void done.then(() => {
      inFlight -= 1
      if (inFlight === 0) clearTimeout(timer)
      lookSoon()
    })
    lookSoon()
  }

  return lookSoon
}
