/** A lower bound of due times applies only after a statement that took long, and only for some seconds. */
import { beforeEach, describe, expect, test } from 'vitest'
import { createLowerBound, type LowerBound } from '../../src/infra/database/queues/lower-bound.ts'
import type { Since } from '../../src/infra/database/queues/queue.ts'
import { HOUR_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { createMovedClock, type MovedClock } from '../support/moved-clock.ts'

let clock: MovedClock
let bound: LowerBound
let earliest: Date | null
let readings: number
/** The duration of the query of the earliest row. */
let readingMs: number
beforeEach(() => {
  clock = createMovedClock()
  earliest = null
  readings = 0
  readingMs = 0
  bound = createLowerBound(clock, () => {
    readings += 1
    clock.advance(readingMs)
    return Promise.resolve(earliest)
  })
})

const inMs = (ms: number) => new Date(clock.now().getTime() + ms)

/** Runs a statement that takes some time. Returns the lower bound that it used. */
const read = (tookMs = 0): Promise<Since> =>
  bound.read((since) => {
    clock.advance(tookMs)
    return Promise.resolve(since)
  })

test('Every statement reads all rows as long as none takes more than 50 ms', async () => {
  bound.lowerTo(inMs(-HOUR_MS))
  for (let times = 0; times < 3; times += 1) expect(await read(50)).toBeNull()
  expect(readings).toBe(0)
  expect(await read(51)).toBeNull()
  expect(await read()).not.toBeNull()
})

describe('After a statement that took long', () => {
  beforeEach(async () => {
    await read(51)
  })

  test('rows that wait for a short time are read', async () => {
    expect(await read()).toEqual(inMs(-20 * SECOND_MS))
    expect(bound.current()).toEqual(inMs(-20 * SECOND_MS))
  })

  test('rows are read from the earliest one on that waits', async () => {
    earliest = inMs(-3 * HOUR_MS)
    expect(await read()).toEqual(earliest)
  })

  test('the bound ends after half a minute, however long the statement took', async () => {
    bound.end()
    await read(HOUR_MS)
    expect(await read()).not.toBeNull()
    clock.advance(30 * SECOND_MS)
    expect(bound.current()).toBeNull()
    expect(await read()).toBeNull()
  })

  test('no row is left out because of one that is due later', async () => {
    earliest = inMs(HOUR_MS)
    expect(await read()).toEqual(inMs(-20 * SECOND_MS))
  })

  test('rows are read from the due time on of a row that this process has released', async () => {
    await read()
    const released = inMs(-HOUR_MS)
    bound.lowerTo(released)
    bound.lowerTo(clock.now())
    expect(await read()).toEqual(released)
  })

  test('a statement after five seconds reads all rows, and decides again', async () => {
    await read()
    clock.advance(5 * SECOND_MS - 1)
    expect(await read()).not.toBeNull()
    clock.advance(1)
    expect(await read(51)).toBeNull()
    expect(await read()).not.toBeNull()
    clock.advance(5 * SECOND_MS)
    expect(await read()).toBeNull()
    expect(await read()).toBeNull()
  })

  test('a slow statement with the lower bound does not prolong it', async () => {
    expect(await read(SECOND_MS)).not.toBeNull()
    clock.advance(4 * SECOND_MS)
    expect(await read()).toBeNull()
  })

  test.each([
    ['an error', () => bound.read(() => Promise.reject(new Error('away'))).catch(() => {})],
    ['a clock that is set back', () => Promise.resolve(clock.advance(-1))],
    ['rows that became due late', () => Promise.resolve(bound.end())],
  ])('%s ends the lower bound', async (_, end) => {
    expect(await read()).not.toBeNull()
    await end()
    expect(await read()).toBeNull()
    expect(await read()).toBeNull()
  })
})

test('The lower bound applies ten times as long as the statements without it took', async () => {
  readingMs = 400
  await read(600)
  expect(await read()).not.toBeNull()
  clock.advance(10 * SECOND_MS - 1)
  expect(await read()).not.toBeNull()
  clock.advance(1)
  expect(await read()).toBeNull()
})

test('An error of the statement that took long leaves no lower bound', async () => {
  await bound
    .read(() => {
      clock.advance(SECOND_MS)
      return Promise.reject(new Error('away'))
    })
    .catch(() => {})
  expect(await read()).toBeNull()
})
