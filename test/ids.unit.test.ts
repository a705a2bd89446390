import { describe, expect, test } from 'vitest'
import { createIds, systemRandom } from '../src/core/ids.ts'
import { createMovedClock } from './support/moved-clock.ts'

const START = '2026-11-21T09:00:00.000Z'

describe('a UUIDv7', () => {
  test('has version 7, variant 2 and the time in its first 48 bits', () => {
    const uuid = createIds(createMovedClock(START), systemRandom).uuid()
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(START))
  })

  test('sorts in the order it was made and is never the same, also 20,000 in one millisecond', () => {
    const ids = createIds(createMovedClock(START), systemRandom)
    const made = Array.from({ length: 20_000 }, () => ids.uuid())
    expect(new Set(made).size).toBe(made.length)
    expect(made.toSorted()).toEqual(made)
  })

  test('sorts on when the clock moves, or has been set back', () => {
    const clock = createMovedClock(START)
    const ids = createIds(clock, systemRandom)
    const made = [ids.uuid()]
    for (const byMs of [1, 0, -5_000, 3, 60_000, -1]) {
      clock.advance(byMs)
      made.push(ids.uuid())
    }
    expect(made.toSorted()).toEqual(made)
  })

  test('restarts its sequence in each millisecond, with room for as many again', () => {
    const clock = createMovedClock(START)
    const ids = createIds(clock, (bytes) => bytes.fill(0xff))
    const sequence = () => Number.parseInt(ids.uuid().slice(15, 18), 16)
    expect([sequence(), sequence()]).toEqual([0x7ff, 0x800])
    clock.advance(1)
    expect(sequence()).toBe(0x7ff)
  })
})

describe('a token', () => {
  test('has 43 URL-safe characters for 32 bytes', () => {
    const ids = createIds(createMovedClock(START), systemRandom)
    expect(ids.token(32)).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  test('begins with the code of the cell where it names an account, 00 by default, and is as long', () => {
    const clock = createMovedClock(START)
    expect(createIds(clock, systemRandom).cellToken(32)).toMatch(/^00[A-Za-z0-9_-]{41}$/)
    expect(createIds(clock, systemRandom, 'q7').cellToken(32)).toMatch(/^q7[A-Za-z0-9_-]{41}$/)
  })

  test('shares no random byte with another token or id', () => {
    let next = 0
    const counting = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at += 2) {
        bytes[at] = next >> 8
        bytes[at + 1] = next++ & 0xff
      }
    }
    const ids = createIds(createMovedClock(START), counting)
    const pairs = Array.from({ length: 600 }, () => ids.token(32)).flatMap((token) => {
      const bytes = Buffer.from(token, 'base64url')
      return Array.from({ length: 16 }, (_, at) => bytes.readUInt16BE(at * 2))
    })
    expect(new Set(pairs).size).toBe(pairs.length)
  })
})
