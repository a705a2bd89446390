import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { createTimeSlicer, runInSlices } from '../../src/modules/inbound/time-slicer.ts'

const TURN = PROVIDER_LIMITS.checkedBytesPerSlice

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Requests this number of slices. */
function ask(slicer: ReturnType<typeof createTimeSlicer>, count: number, bytes: number) {
  const asked = { granted: 0 }
  for (let n = 0; n < count; n += 1) void slicer.take(bytes).then(() => (asked.granted += 1))
  return asked
}

test('a piece of work that finds no queue runs immediately', async () => {
  const asked = ask(createTimeSlicer({ pauseMs: 8 }), 1, 2_000)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked.granted).toBe(1)
})

test('a slice ends when its bytes are spent; the next comes after the pause', async () => {
  const asked = ask(createTimeSlicer({ pauseMs: 8 }), 10, TURN)
  const grantedAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return asked.granted
  }
  expect(await grantedAfter(0)).toBe(1)
  expect(await grantedAfter(7)).toBe(1)
  expect(await grantedAfter(1)).toBe(2)
  expect(await grantedAfter(8 * 7)).toBe(9)
})

test('a piece that is larger than a slice is paid for by the slices that follow', async () => {
  const slicer = createTimeSlicer({ pauseMs: 8 })
  ask(slicer, 1, 4 * TURN)
  const next = ask(slicer, 1, 1)
  await vi.advanceTimersByTimeAsync(3 * 8)
  expect(next.granted).toBe(0)
  await vi.advanceTimersByTimeAsync(8)
  expect(next.granted).toBe(1)
})

test('a short queue waits for one piece of each other queue, not for all of their pieces', async () => {
  const slicer = createTimeSlicer({ pauseMs: 8 })
  function* steps(count: number) {
    for (let n = 0; n < count; n += 1) yield TURN
    return count
  }
  const order: number[] = []
  for (const count of [100, 100, 1]) {
    void runInSlices(steps(count), slicer).then((value) => order.push(value))
  }
  await vi.advanceTimersByTimeAsync(8 * 4)
  expect(order).toEqual([1])
})
