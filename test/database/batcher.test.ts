import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBatcher, createBatcherPerDatabase } from '../../src/infra/database/batcher.ts'

const isKept = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map(({ status }) => status === 'fulfilled')

/** A stand-in for a database, since the statements here are counted and not made. */
const noDatabase = () => ({})

/** A batcher whose statements end when the test says so. */
function bench(
  fails: (items: readonly number[]) => Error | null = () => null,
  options: { isSequential?: boolean } = {},
) {
  const statements: number[][] = []
  const ends: (() => void)[] = []
  const ask = createBatcherPerDatabase<object, number, string>({
    maxSize: 3,
    bisectOnError: true,
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
    /** Ends the oldest statement in progress. */
    async endOne() {
      ends.shift()!()
      await rounds()
    },
    /** Ends statements until none is in progress. */
    async end() {
      for (await rounds(); ends.length > 0; await rounds()) ends.shift()!()
    },
  }
}

/** Lets the event loop run a few rounds. */
async function rounds() {
  for (let nth = 0; nth < 4; nth += 1) await new Promise(setImmediate)
}

describe('batches one by one', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => vi.useRealTimers())

  test('an item starts a batch immediately when none is in progress; later items are the next batch', async () => {
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

  test('items that arrive in the next rounds of the event loop join the batch', async () => {
    const { ask, statements, end } = bench()
    const db = noDatabase()
    const asked = [ask(db, 1)]
    await new Promise(setImmediate)
    asked.push(ask(db, 2))
    await end()
    await Promise.all(asked)
    expect(statements).toEqual([[1, 2]])
  })

  test('a full batch begins while another runs, and a partial one once that takes long', async () => {
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

  test('at most the given number of batches run concurrently, however full they are', async () => {
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

  test('each caller waits only for the batch that holds its item', async () => {
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

test('batches that are not one by one run concurrently, up to the given number', async () => {
  const { ask, statements, end } = bench(undefined, { isSequential: false })
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

test('a failed batch is repeated in halves, so that the fault of one item does not affect the others', async () => {
  const { ask, statements, end } = bench((items) =>
    items.includes(2) ? new Error('not this one') : null,
  )
  const db = noDatabase()
  const settled = Promise.allSettled([ask(db, 1), ask(db, 2), ask(db, 3)])
  await end()
  expect(isKept(await settled)).toEqual([true, false, true])
  expect(statements).toEqual([[1, 2, 3], [1], [2, 3], [2], [3]])
})

test('a failed batch is not repeated when the database is unavailable', async () => {
  const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  const { ask, statements, end } = bench(() => away)
  const db = noDatabase()
  const settled = Promise.allSettled([ask(db, 1), ask(db, 2)])
  await end()
  expect(isKept(await settled)).toEqual([false, false])
  expect(statements).toEqual([[1, 2]])
})

test('waiting items that have not begun can be dismissed with an answer', async () => {
  const ends: (() => void)[] = []
  const batcher = createBatcher<number, string>({
    maxSize: 1,
    maxConcurrent: 1,
    async run(items) {
      await new Promise<void>((resolve) => ends.push(resolve))
      return items.map((item) => `answer ${item}`)
    },
  })
  const asked = [1, 2, 3].map((item) => batcher.add(item))
  await rounds()
  expect(batcher.waiting()).toBe(2)
  batcher.resolveWaiting('dismissed')
  expect(batcher.waiting()).toBe(0)
  asked.push(batcher.add(4))
  ends[0]!()
  await asked[0]
  await rounds()
  ends[1]!()
  expect(await Promise.all(asked)).toEqual(['answer 1', 'dismissed', 'dismissed', 'answer 4'])
})
