import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClock, startClockSync } from '../src/core/clock.ts'

const START = Date.parse('2026-11-21T09:00:00.000Z')
beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] })
})
afterEach(() => vi.useRealTimers())

describe('the clock', () => {
  test('goes with the machine’s elapsed time, whatever becomes of the machine’s date', () => {
    const clock = createClock()
    expect(clock.now().getTime()).toBe(START)
    vi.advanceTimersByTime(1_500)
    expect(clock.now().getTime()).toBe(START + 1_500)
    vi.setSystemTime(START - 3_600_000)
    expect(clock.now().getTime()).toBe(START + 1_500)
  })

  test('takes the database’s time and goes on from there', () => {
    const clock = createClock()
    clock.set(new Date(START + 600_000))
    expect(clock.now().getTime()).toBe(START + 600_000)
    vi.advanceTimersByTime(10)
    expect(clock.now().getTime()).toBe(START + 600_010)
  })

  test('reports by how much the database’s time has jumped, and ignores time in which the machine slept', () => {
    const clock = createClock()
    expect(clock.set(new Date(START + 300_000))).toBe(300_000)
    vi.advanceTimersByTime(5_000)
    expect(clock.set(new Date(START + 305_000))).toBe(0)
    expect(clock.set(new Date(START + 5_000))).toBe(-300_000)
    vi.setSystemTime(START + 3_600_000)
    expect(clock.set(new Date(START + 3_600_000))).toBe(0)
  })

  test('never runs backwards: after a small correction it stops until time has caught up', () => {
    const clock = createClock()
    vi.advanceTimersByTime(5_000)
    expect(clock.now().getTime()).toBe(START + 5_000)
    clock.set(new Date(START + 2_000))
    expect(clock.now().getTime()).toBe(START + 5_000)
    vi.advanceTimersByTime(2_999)
    expect(clock.now().getTime()).toBe(START + 5_000)
    vi.advanceTimersByTime(2)
    expect(clock.now().getTime()).toBe(START + 5_001)
  })

  test('follows a correction of more than a minute: its time was simply wrong', () => {
    const clock = createClock()
    expect(clock.now().getTime()).toBe(START)
    clock.set(new Date(START - 61_000))
    expect(clock.now().getTime()).toBe(START - 61_000)
  })
})

describe('a clock is set', () => {
  /** Keeps a clock on the database's time. Returns when the database was asked, and lets it fail. */
  function keep() {
    const clock = createClock()
    const asked: number[] = []
    let isAway = false
    const leave = startClockSync(clock, () => {
      asked.push(Math.round(performance.now() - begun))
      if (isAway) return Promise.reject(new Error('the database is away'))
      clock.set(new Date())
      return Promise.resolve()
    })
    const begun = performance.now()
    return { clock, asked, leave, goAway: (is: boolean) => (isAway = is) }
  }

  test('every five minutes', async () => {
    const { asked, leave } = keep()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(asked).toEqual([300_000, 600_000])
    leave()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(asked).toHaveLength(2)
  })

  test('immediately after the machine has slept, so that signatures have the current time', async () => {
    const { clock, asked } = keep()
    await vi.advanceTimersByTimeAsync(60_000)
    vi.setSystemTime(START + 8 * 3_600_000)
    expect(clock.now().getTime()).toBe(START + 60_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked).toEqual([61_000])
    expect(clock.now().getTime()).toBe(START + 8 * 3_600_000 + 1_000)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(1)
  })

  test('once the database answers again', async () => {
    const { asked, goAway } = keep()
    goAway(true)
    vi.setSystemTime(START + 3_600_000)
    await vi.advanceTimersByTimeAsync(3_000)
    goAway(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual([1_000, 2_000, 3_000, 4_000])
  })
})
