import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClock } from '../src/clock.ts'

const START = Date.parse('2026-11-21T09:00:00.000Z')
beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['Date', 'performance'] })
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

  test('never runs backwards: a small correction lets it stand until time has caught up', () => {
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
