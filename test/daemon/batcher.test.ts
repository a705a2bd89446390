import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBatcher } from '../../src/daemon/batcher.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

function batcher(write?: (items: number[]) => Promise<void>) {
  const written: number[][] = []
  const put = createBatcher<number>({
    most: 3,
    withinMs: 2,
    atOnce: 2,
    write: (items) => {
      written.push(items)
      return write?.(items) ?? Promise.resolve()
    },
  })
  return { put, written }
}

describe('a batcher', () => {
  test('writes together what comes within its time, from the first item on', async () => {
    const { put, written } = batcher()
    const puts = [put(1)]
    await vi.advanceTimersByTimeAsync(1)
    puts.push(put(2))
    expect(written).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(written).toEqual([[1, 2]])
    await Promise.all(puts)
  })

  test('writes at once when it is full, and the rest on its own time', async () => {
    const { put, written } = batcher()
    const puts = [1, 2, 3, 4].map(put)
    expect(written).toEqual([[1, 2, 3]])
    await vi.advanceTimersByTimeAsync(2)
    expect(written).toEqual([[1, 2, 3], [4]])
    await Promise.all(puts)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('lets each caller wait for the write that holds its item', async () => {
    const open: (() => void)[] = []
    const { put } = batcher(() => new Promise((resolve) => open.push(resolve)))
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
    const { put, written } = batcher(() => new Promise((resolve) => open.push(resolve)))
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
    const { put } = batcher((items) =>
      items.includes(1) ? Promise.reject(new Error('no')) : Promise.resolve(),
    )
    const puts = Promise.allSettled([1, 2, 3, 4].map(put))
    await vi.advanceTimersByTimeAsync(2)
    expect((await puts).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ])
  })
})
