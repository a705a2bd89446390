import { createBatches, type BatchesOptions } from './batches.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'

export type BatcherOptions<Item, Answer> = Partial<
  Pick<BatchesOptions, 'maxConcurrent' | 'isSequential'>
> & {
  /** Items that go together at most. */
  maxSize: number
  /** True to bisect a failing batch until only the faulty item fails. */
  bisectOnError?: boolean
  /** Does all items together; answers them in their order. */
  run(items: readonly Item[]): Promise<readonly Answer[]>
}

export type Batcher<Item, Answer> = {
  /** Resolves with the item's own answer; rejects with the fault of the batch that held it. */
  add(item: Item): Promise<Answer>
  waiting(): number
  /** Answers all that wait and have not begun. */
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
