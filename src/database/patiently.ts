import { isDatabaseAway } from './database-away.ts'

/** 14.4 s in all: well within the lease of whatever is in hand. */
const PATIENCE_MS = [100, 300, 1_000, 3_000, 5_000, 5_000]

/**
 * Does again what a database that is away did not take: what has happened outside is worth waiting for it, as it
 * could not be learnt a second time. Other errors are thrown at once, unless they are worth it too.
 */
export async function patiently<Value>(
  work: () => Promise<Value>,
  isWorthIt: (error: unknown) => boolean = () => false,
): Promise<Value> {
  for (const delayMs of PATIENCE_MS) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error) && !isWorthIt(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  return work()
}
