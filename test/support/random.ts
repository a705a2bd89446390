/** Randomness of tests that can be had again: a run prints its seed, and `SEED=…` makes the same choices. */
import { createHash } from 'node:crypto'

/** Returns a function that yields numbers from 0 to below 1; they follow from the run's seed and the name alone. */
export function createRandom(name: string): () => number {
  const digest = createHash('sha256').update(`${process.env.SEED} ${name}`).digest()
  let state = digest.readUInt32LE()
  // The generator known as mulberry32.
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
