import { PROVIDER_LIMITS } from '../limits.ts'

/**
 * Work on bodies that nobody vouches for yet, shared out over the turns of the event loop: in one turn
 * at most so many bytes are read, walked over or hashed, of all such bodies together, and everybody else
 * comes in between. What is small and finds no queue goes at once.
 */
export function createTurns(bytesPerTurn: number = PROVIDER_LIMITS.checkedBytesPerTurn) {
  const waiting: { bytes: number; go(): void }[] = []
  let spent = 0
  let isScheduled = false

  function schedule() {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      spent = 0
      while (waiting.length > 0 && spent < bytesPerTurn) {
        const { bytes, go } = waiting.shift()!
        spent += bytes
        go()
      }
      if (spent > 0) schedule()
    })
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
export type Turns = ReturnType<typeof createTurns>
