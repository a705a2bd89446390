import { isDatabaseAway } from './database-away.ts'
import { createSpacing } from './spacing.ts'

export type GatherOptions<Item, Answer> = {
  /** Items that go together at most. */
  most: number
  /** Batches under way at once: one that waits for a lock does not hold up all. Two unless told. */
  atOnce?: number
  /** How long an item waits for others; without it, those go together that come in one turn of the event loop. */
  withinMs?: number
  /** Whether batches keep room between them while much comes. */
  isSpaced?: boolean
  /** Whether a batch that fails is made again in halves, so that one item's fault is its own. */
  isHalved?: boolean
  /** Does all items together; answers them in their order. */
  run(items: readonly Item[]): Promise<readonly Answer[]>
}

export type Desk<Item, Answer> = {
  /** Resolves with the item's own answer; rejects with the fault of the batch that held it. */
  ask(item: Item): Promise<Answer>
  waiting(): number
  /** Answers all that wait and have not begun. */
  dismiss(answer: Answer): void
}

type Waiting<Item, Answer> = {
  item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * The one desk: items that come at about the same time are done together, so that a round trip and its
 * commit are shared just when it matters. An idle desk takes an item at once or after `withinMs`; while
 * as many batches as allowed are under way it goes on gathering.
 *
 * With `isHalved`, `run` must do nothing twice that counts twice. A database that is away is
 * everybody's fault and halves nothing.
 */
export function gather<Item, Answer>({
  most,
  atOnce = 2,
  withinMs,
  isSpaced = false,
  isHalved = false,
  run,
}: GatherOptions<Item, Answer>): Desk<Item, Answer> {
  let waiting: Waiting<Item, Answer>[] = []
  let underWay = 0
  let isScheduled = false
  /** The time of what waits has come; it waits for a batch to end. */
  let isDue = false
  let timer: NodeJS.Timeout | undefined
  const spacing = isSpaced ? createSpacing() : null

  function schedule() {
    if (waiting.length === 0 || isDue) return
    if (withinMs !== undefined && waiting.length >= most) flush()
    else if (!isScheduled) {
      isScheduled = true
      if (withinMs === undefined) setImmediate(flush)
      else timer = setTimeout(flush, withinMs)
    }
  }

  function flush() {
    clearTimeout(timer)
    const waitMs = spacing?.waitMs() ?? 0
    if (waitMs > 0 && waiting.length < most) {
      isScheduled = true
      isDue = false
      timer = setTimeout(flush, waitMs)
      return
    }
    isScheduled = false
    while (waiting.length > 0 && underWay < atOnce) void take()
    isDue = waiting.length > 0
  }

  async function take() {
    underWay += 1
    spacing?.began()
    await answer(waiting.splice(0, most))
    spacing?.ended()
    underWay -= 1
    if (isDue) flush()
  }

  async function answer(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(answers[index]!))
    } catch (error) {
      if (!isHalved || batch.length === 1 || isDatabaseAway(error)) {
        for (const { reject } of batch) reject(error)
        return
      }
      const middle = batch.length >> 1
      await Promise.all([answer(batch.slice(0, middle)), answer(batch.slice(middle))])
    }
  }

  return {
    ask: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        spacing?.came()
        schedule()
      }),
    waiting: () => waiting.length,
    dismiss(given) {
      const dismissed = waiting
      waiting = []
      isDue = false
      for (const { resolve } of dismissed) resolve(given)
    },
  }
}

/** The same for a statement that is asked of more than one database: each has a desk of its own. */
export function gatherByDatabase<Db extends object, Item, Answer>({
  run,
  ...options
}: Omit<GatherOptions<Item, Answer>, 'run'> & {
  run(db: Db, items: readonly Item[]): Promise<readonly Answer[]>
}): (db: Db, item: Item) => Promise<Answer> {
  const desks = new WeakMap<Db, Desk<Item, Answer>>()
  return (db, item) => {
    let desk = desks.get(db)
    if (!desk) {
      desk = gather({ ...options, run: (items) => run(db, items) })
      desks.set(db, desk)
    }
    return desk.ask(item)
  }
}
