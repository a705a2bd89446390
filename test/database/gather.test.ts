import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { gather, gatherByDatabase } from '../../src/database/gather.ts'

function timed(write?: (items: number[]) => Promise<void>) {
  const written: number[][] = []
  const { ask: put } = gather<number, void>({
    most: 3,
    withinMs: 2,
    atOnce: 2,
    async run(items) {
      written.push([...items])
      await write?.([...items])
      return []
    },
  })
  return { put, written }
}

const isKept = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map(({ status }) => status === 'fulfilled')

describe('a desk that gathers for a time', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => vi.useRealTimers())

  test('writes together what comes within its time, from the first item on', async () => {
    const { put, written } = timed()
    const puts = [put(1)]
    await vi.advanceTimersByTimeAsync(1)
    puts.push(put(2))
    expect(written).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(written).toEqual([[1, 2]])
    await Promise.all(puts)
  })

  test('writes at once when it is full, and the rest on its own time', async () => {
    const { put, written } = timed()
    const puts = [1, 2, 3, 4].map(put)
    expect(written).toEqual([[1, 2, 3]])
    await vi.advanceTimersByTimeAsync(2)
    expect(written).toEqual([[1, 2, 3], [4]])
    await Promise.all(puts)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('lets each caller wait for the write that holds its item', async () => {
    const open: (() => void)[] = []
    const { put } = timed(() => new Promise((resolve) => open.push(resolve)))
    const done: number[] = []
    for (const item of [1, 2, 3, 4]) void put(item).then(() => done.push(item))
    await vi.advanceTimersByTimeAsync(2)
    open[1]!()
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual([4])
    open[0]!()
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual([4, 1, 2, 3])
  })

  test('gathers on while as many writes as allowed are under way', async () => {
    const open: (() => void)[] = []
    const { put, written } = timed(() => new Promise((resolve) => open.push(resolve)))
    const puts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(put)
    await vi.advanceTimersByTimeAsync(10)
    expect(written).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ])
    open[1]!()
    await vi.advanceTimersByTimeAsync(0)
    expect(written.slice(2)).toEqual([[7, 8, 9]])
    open[0]!()
    await vi.advanceTimersByTimeAsync(2)
    expect(written.slice(3)).toEqual([[10]])
    for (const end of open) end()
    await Promise.all(puts)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('tells a failed write to every caller of it, and to no other', async () => {
    const { put } = timed((items) =>
      items.includes(1) ? Promise.reject(new Error('no')) : Promise.resolve(),
    )
    const puts = Promise.allSettled([1, 2, 3, 4].map(put))
    await vi.advanceTimersByTimeAsync(2)
    expect(isKept(await puts)).toEqual([false, false, false, true])
  })
})

/** Nothing of it is touched: the statements here are counted, not made. */
const noDatabase = () => ({})

/** A desk whose statements end when they are told to. */
function bench(fails: (items: readonly number[]) => Error | null = () => null) {
  const statements: number[][] = []
  const ends: (() => void)[] = []
  const ask = gatherByDatabase<object, number, string>({
    most: 3,
    isHalved: true,
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
  const desk = gather<number, string>({
    most: 1,
    atOnce: 1,
    async run(items) {
      await new Promise<void>((resolve) => ends.push(resolve))
      return items.map((item) => `answer ${item}`)
    },
  })
  const asked = [1, 2, 3].map((item) => desk.ask(item))
  await new Promise((resolve) => setImmediate(resolve))
  expect(desk.waiting()).toBe(2)
  desk.dismiss('dismissed')
  expect(desk.waiting()).toBe(0)
  asked.push(desk.ask(4))
  ends[0]!()
  await asked[0]
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  ends[1]!()
  expect(await Promise.all(asked)).toEqual(['answer 1', 'dismissed', 'dismissed', 'answer 4'])
})
