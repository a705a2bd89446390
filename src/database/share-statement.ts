import type { Database } from './connect.ts'
import { isDatabaseAway } from './database-away.ts'

type Db = Pick<Database, 'kysely' | 'pool'>

/** Statements of one kind under way at once: one that waits for a lock does not hold up all. */
const AT_ONCE = 2

/**
 * Lets items that come at about the same time go to the database in one statement: an idle one takes
 * an item at once, a busy one gathers, so that a round trip and its commit are shared just when it
 * matters and nobody waits for a timer. Each caller waits for the statement that holds its item.
 *
 * A statement that fails is made again item by item, so that one item's fault is its own; not when
 * the database is away, which is everybody's. `run` must do nothing twice that counts twice.
 */
export function shareStatement<Item, Answer>(options: {
  /** Items in one statement at most. */
  most: number
  /** One statement for all items; answers them in their order. */
  run(db: Db, items: readonly Item[]): Promise<readonly Answer[]>
}): (db: Db, item: Item) => Promise<Answer> {
  const desks = new WeakMap<Db, (item: Item) => Promise<Answer>>()
  return (db, item) => {
    let desk = desks.get(db)
    if (!desk) {
      desk = createDesk(options.most, (items) => options.run(db, items))
      desks.set(db, desk)
    }
    return desk(item)
  }
}

function createDesk<Item, Answer>(
  most: number,
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  type Waiting = { item: Item; resolve(answer: Answer): void; reject(error: unknown): void }
  const waiting: Waiting[] = []
  let underWay = 0
  let isScheduled = false

  function schedule() {
    if (isScheduled || waiting.length === 0 || underWay >= AT_ONCE) return
    isScheduled = true
    // What comes in the same turn of the event loop goes together.
    setImmediate(() => {
      isScheduled = false
      void take()
      schedule()
    })
  }

  async function take() {
    underWay += 1
    await answer(waiting.splice(0, most))
    underWay -= 1
    schedule()
  }

  async function answer(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(answers[index]!))
    } catch (error) {
      if (batch.length > 1 && !isDatabaseAway(error)) {
        await Promise.all(batch.map((one) => answer([one])))
      } else for (const { reject } of batch) reject(error)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      schedule()
    })
}
