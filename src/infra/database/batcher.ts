import { createBatches, type BatchesOptions } from './batches.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'

/** The options of a batcher: its limits, and how it processes a batch. */
export type BatcherOptions<Item, Answer> = Partial<
  Pick<BatchesOptions, 'maxConcurrent' | 'isSequential'>
> & {
  /** Maximum number of items of a batch. */
  maxSize: number
  /** True to bisect a failing batch until only the faulty item fails. */
  bisectOnError?: boolean
  /** Processes all items together. Returns one result per item, in their order. */
  run(items: readonly Item[]): Promise<readonly Answer[]>
}

/** Collects items and processes them in batches. */
export type Batcher<Item, Answer> = {
  /** Resolves with the item's result; rejects with the error of its batch. */
  add(item: Item): Promise<Answer>
  /** Returns the number of items whose batch has not begun. */
  waiting(): number
  /** Resolves every item whose batch has not begun with this result. */
  resolveWaiting(answer: Answer): void
}

type Waiting<Item, Answer> = {
  item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * Creates a batcher: items added within one event-loop turn, or while a batch is in progress, run as one batch. They
 * share a round trip and a commit (`createBatches`). By default two batches run concurrently, and a second one only
 * if needed.
 *
 * With `bisectOnError`, `run` must be idempotent. An unavailable database fails the whole batch without bisecting it.
 */
export function createBatcher<Item, Answer>({
  maxSize,
  maxConcurrent = 2,
  isSequential = true,
  bisectOnError = false,
  run,
}: BatcherOptions<Item, Answer>): Batcher<Item, Answer> {
  let waiting: Waiting<Item, Answer>[] = []
  const beginBatches = createBatches({
    maxSize,
    maxConcurrent,
    isSequential,
    waiting: () => waiting.length,
    begin: () => (waiting.length === 0 ? null : answer(waiting.splice(0, maxSize))),
  })

  async function answer(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(answers[index]!))
    } catch (error) {
      if (!bisectOnError || batch.length === 1 || isDatabaseUnavailable(error)) {
        for (const { reject } of batch) reject(error)
        return
      }
      const middle = batch.length >> 1
      await Promise.all([answer(batch.slice(0, middle)), answer(batch.slice(middle))])
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        beginBatches()
      }),
    waiting: () => waiting.length,
    resolveWaiting(given) {
      const resolved = waiting
      waiting = []
      for (const { resolve } of resolved) resolve(given)
    },
  }
}

/** Creates a batcher for a statement that runs on several databases: one batcher per database. */
export function createBatcherPerDatabase<Db extends object, Item, Answer>({
  run,
  ...options
}: Omit<BatcherOptions<Item, Answer>, 'run'> & {
  run(db: Db, items: readonly Item[]): Promise<readonly Answer[]>
}): (db: Db, item: Item) => Promise<Answer> {
  const batchers = new WeakMap<Db, Batcher<Item, Answer>>()
  return (db, item) => {
    let batcher = batchers.get(db)
    if (!batcher) {
      batcher = createBatcher({ ...options, run: (items) => run(db, items) })
      batchers.set(db, batcher)
    }
    return batcher.add(item)
  }
}
