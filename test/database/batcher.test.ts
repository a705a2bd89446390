import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBatcher, createBatcherPerDatabase } from '../../src/infra/database/batcher.ts'

const isKept = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map(({ status }) => status === 'fulfilled')

/** Nothing of it is touched: the statements here are counted, not made. */
const noDatabase = () => ({})

/** A batcher whose statements end when they are told to. */
function bench(
  fails: (items: readonly number[]) => Error | null = () => null,
  options: { isOneByOne?: boolean } = {},
) {
  const statements: number[][] = []
  const ends: (() => void)[] = []
  const ask = createBatcherPerDatabase<object, number, string>({
    most: 3,
    isHalved: true,
    ...options,
    async run(_, items) {
      statements.push([...items])
      await new Promise<void>((resolve) => ends.push(resolve))
      const error = fails(items)
      if (error) throw error
      return items.map((item) => `answer ${item}`)
    },
  })
  return {
    ask,
    statements,
    /** Ends the oldest that is under way. */
    async endOne() {
      ends.shift()!()
      await rounds()
    },
    /** Ends what is under way until nothing is. */
    async end() {
      for (await rounds(); ends.length > 0; await rounds()) ends.shift()!()
    },
  }
}

/** Lets the event loop come round a few times. */
async function rounds() {
  for (let nth = 0; nth < 4; nth += 1) await new Promise(setImmediate)
}

describe('batches one by one', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => vi.useRealTimers())

  test('an idle one takes an item at once; what comes meanwhile is the next batch', async () => {
    const { ask, statements, endOne, end } = bench()
    const db = noDatabase()
    const asked = [ask(db, 1)]
    await rounds()
    asked.push(ask(db, 2))
    await rounds()
    asked.push(ask(db, 3))
    await rounds()
    expect(statements).toEqual([[1]])
    await endOne()
    expect(statements).toEqual([[1], [2, 3]])
    await end()
    expect(await Promise.all(asked)).toEqual([1, 2, 3].map((item) => `answer ${item}`))
    expect(vi.getTimerCount()).toBe(0)
  })

  test('what comes while the event loop is at work on more of it goes along', async () => {
    const { ask, statements, end } = bench()
    const db = noDatabase()
    const asked = [ask(db, 1)]
    await new Promise(setImmediate)
    asked.push(ask(db, 2))
    await end()
    await Promise.all(asked)
    expect(statements).toEqual([[1, 2]])
  })

  test('a full batch begins beside another, and one that is not full once that takes long', async () => {
    const { ask, statements, end } = bench()
    const db = noDatabase()
    const asked = [ask(db, 1)]
    await rounds()
    asked.push(...[2, 3, 4].map((item) => ask(db, item)))
    await rounds()
    expect(statements).toEqual([[1], [2, 3, 4]])
    await end()
    asked.push(ask(db, 5))
    await rounds()
    asked.push(ask(db, 6))
    vi.advanceTimersByTime(19)
    await rounds()
    expect(statements.slice(2)).toEqual([[5]])
    vi.advanceTimersByTime(1)
    await rounds()
    expect(statements.slice(2)).toEqual([[5], [6]])
    await end()
    await Promise.all(asked)
  })

  test('no more are under way than may be, however full', async () => {
    const { ask, statements, endOne, end } = bench()
    const db = noDatabase()
    const asked = Array.from({ length: 10 }, (_, item) => ask(db, item))
    vi.advanceTimersByTime(1_000)
    await rounds()
    expect(statements).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ])
    await endOne()
    expect(statements.slice(2)).toEqual([[6, 7, 8]])
    await end()
    await Promise.all(asked)
    expect(statements.slice(3)).toEqual([[9]])
  })

  test('each caller waits for the batch that holds its item, and for no other', async () => {
    const { ask, endOne } = bench()
    const db = noDatabase()
    const done: string[] = []
    for (const item of [1, 2, 3]) void ask(db, item).then((answer) => done.push(answer))
    await rounds()
    void ask(db, 4).then((answer) => done.push(answer))
    await rounds()
    await endOne()
    expect(done).toEqual([1, 2, 3].map((item) => `answer ${item}`))
    await endOne()
    expect(done).toContain('answer 4')
  })
})

test('batches that are not one by one begin beside each other, as many as may be', async () => {
  const { ask, statements, end } = bench(undefined, { isOneByOne: false })
  const db = noDatabase()
  const asked: Promise<string>[] = []
  for (const item of [1, 2, 3]) {
    asked.push(ask(db, item))
    await rounds()
  }
  expect(statements).toEqual([[1], [2]])
  await end()
  await Promise.all(asked)
  expect(statements).toEqual([[1], [2], [3]])
})

test('two databases share nothing', async () => {
  const { ask, statements, end } = bench()
  const asked = [ask(noDatabase(), 1), ask(noDatabase(), 2)]
  await rounds()
  expect(statements).toEqual([[1], [2]])
  await end()
  await Promise.all(asked)
})

test('a batch that fails is made again in halves: the fault of one item is its own', async () => {
  const { ask, statements, end } = bench((items) =>
    items.includes(2) ? new Error('not this one') : null,
  )
  const db = noDatabase()
  const settled = Promise.allSettled([ask(db, 1), ask(db, 2), ask(db, 3)])
  await end()
  expect(isKept(await settled)).toEqual([true, false, true])
  expect(statements).toEqual([[1, 2, 3], [1], [2, 3], [2], [3]])
})

test('but not when the database is away', async () => {
  const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  const { ask, statements, end } = bench(() => away)
  const db = noDatabase()
  const settled = Promise.allSettled([ask(db, 1), ask(db, 2)])
  await end()
  expect(isKept(await settled)).toEqual([false, false])
  expect(statements).toEqual([[1, 2]])
})

test('what waits and has not begun can be dismissed with an answer', async () => {
  const ends: (() => void)[] = []
  const batcher = createBatcher<number, string>({
    most: 1,
    atOnce: 1,
    async run(items) {
      await new Promise<void>((resolve) => ends.push(resolve))
      return items.map((item) => `answer ${item}`)
    },
  })
  const asked = [1, 2, 3].map((item) => batcher.ask(item))
  await rounds()
  expect(batcher.waiting()).toBe(2)
  batcher.dismiss('dismissed')
  expect(batcher.waiting()).toBe(0)
  asked.push(batcher.ask(4))
  ends[0]!()
  await asked[0]
  await rounds()
  ends[1]!()
  expect(await Promise.all(asked)).toEqual(['answer 1', 'dismissed', 'dismissed', 'answer 4'])
})
