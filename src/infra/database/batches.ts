/**
 * When batches begin. Nothing waits for a time to pass: an item that comes alone is begun at once, and what comes while
 * a batch is under way is the next one. A batch begins
 *
 * - once the event loop has come round without bringing another item: whatever the process has to do first is done,
 *   and under load there are more of them by then;
 * - once the batch before has ended. One that takes long waits for a lock or for the network, so that the database is
 *   free: another begins beside it. So does one that is full.
 */

/** A batch that has been under way for so long does not hold up the next. */
const BESIDE_AFTER_MS = 20
/** Rounds of the event loop that a batch waits for at most while each brings more. */
const MOST_ROUNDS = 8

export type BatchesOptions = {
  /** Items of a batch at most: so many wait for nothing. */
  most: number
  /** Batches under way at once. */
  atOnce: number
  /** A batch begins beside another one only where that is full or takes long. */
  isOneByOne: boolean
  /** Items that wait to begin. */
  waiting(): number
  /** Takes what waits, up to `most`, and resolves when it is done; it never rejects. Null where none may begin now. */
  begin(): Promise<void> | null
}

/** Returns a function to be called whenever something has come that waits, or that waits no more for something else. */
export function createBatches({
  most,
  atOnce,
  isOneByOne,
  waiting,
  begin,
}: BatchesOptions): () => void {
  let underWay = 0
  let begunAtMs = -Infinity
  let isLooking = false
  /** What waited when the event loop last came round. */
  let seen = 0
  let rounds = 0
  let timer: NodeJS.Timeout | undefined

  function lookSoon() {
    if (isLooking || waiting() === 0 || underWay >= atOnce) return
    if (!mayBegin()) return
    clearTimeout(timer)
    isLooking = true
    seen = 0
    rounds = 0
    setImmediate(look)
  }

  /** Whether what is under way lets another begin; where only its length is in the way, it is looked at again in time. */
  function mayBegin(): boolean {
    if (!isOneByOne || underWay === 0 || waiting() >= most) return true
    const leftMs = begunAtMs + BESIDE_AFTER_MS - performance.now()
    if (leftMs <= 0) return true
    clearTimeout(timer)
    timer = setTimeout(lookSoon, Math.ceil(leftMs))
    return false
  }

  function look() {
    const count = waiting()
    if (count > seen && count < most && rounds < MOST_ROUNDS) {
      seen = count
      rounds += 1
      setImmediate(look)
      return
    }
    isLooking = false
    const done = begin()
    // The end of what is under way lets it begin.
    if (!done) return
    underWay += 1
    begunAtMs = performance.now()
    void done.then(() => {
      underWay -= 1
      if (underWay === 0) clearTimeout(timer)
      lookSoon()
    })
    lookSoon()
  }

  return lookSoon
}
