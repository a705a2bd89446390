import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { shareStatement } from '../../src/database/share-statement.ts'

/** Nothing of it is touched: the statements here are counted, not made. */
const noDatabase = () => ({}) as Database

/** Shares statements that end when they are told to. */
function bench(fails: (items: readonly number[]) => Error | null = () => null) {
  const statements: number[][] = []
  const ends: (() => void)[] = []
  const ask = shareStatement<number, string>({
    most: 3,
    async run(_, items) {
      statements.push([...items])
      await new Promise<void>((resolve) => ends.push(resolve))
      const error = fails(items)
      if (error) throw error
      return items.map((item) => `answer ${item}`)
    },
  })
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  return {
    ask,
    statements,
    turn,
    /** Ends what is under way until nothing is. */
    async end() {
      for (await turn(); ends.length > 0; await turn()) ends.shift()!()
    },
  }
}

test('an idle one takes an item at once; what comes meanwhile goes together, in parts', async () => {
  const { ask, statements, turn, end } = bench()
  const db = noDatabase()
  const asked = [ask(db, 1)]
  await turn()
  asked.push(ask(db, 2))
  await turn()
  // Two are under way: from here on they gather.
  asked.push(ask(db, 3), ask(db, 4))
  await turn()
  asked.push(ask(db, 5), ask(db, 6))
  await turn()
  expect(statements).toEqual([[1], [2]])
  await end()
  expect(statements).toEqual([[1], [2], [3, 4, 5], [6]])
  expect(await Promise.all(asked)).toEqual([1, 2, 3, 4, 5, 6].map((item) => `answer ${item}`))
})

test('two databases share nothing', async () => {
  const { ask, statements, turn, end } = bench()
  const asked = [ask(noDatabase(), 1), ask(noDatabase(), 2)]
  await turn()
  expect(statements).toEqual([[1], [2]])
  await end()
  await Promise.all(asked)
})

test('a statement that fails is made again item by item', async () => {
  const { ask, statements, end } = bench((items) =>
    items.includes(2) ? new Error('not this one') : null,
  )
  const db = noDatabase()
  const settled = Promise.allSettled([ask(db, 1), ask(db, 2), ask(db, 3)])
  await end()
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(statements).toEqual([[1, 2, 3], [1], [2], [3]])
})

test('but not when the database is away', async () => {
  const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  const { ask, statements, end } = bench(() => away)
  const db = noDatabase()
  const settled = Promise.allSettled([ask(db, 1), ask(db, 2)])
  await end()
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(statements).toEqual([[1, 2]])
})
