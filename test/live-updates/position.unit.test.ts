/** The position from which a watcher continues after a reconnect. */
import { expect, test } from 'vitest'
import { LIVE_LIMITS } from '../../src/core/limits/deliveries.ts'
import { readPosition, writePosition } from '../../src/modules/live-updates/change-stream.ts'

const at = new Date('2026-11-29T12:00:00.000Z')

test.each([[[]], [[1_001]], [[1_001, 1_005, 1_019]]])(
  'It names the changes that were seen, with %j open',
  (open) => {
    const position = { seen: { end: 1_020, open }, at }
    expect(readPosition(writePosition(position))).toEqual(position)
  },
)

test('With too many open transactions, all changes after the oldest of them are reported again', () => {
  const open = Array.from({ length: 40 }, (_, place) => 90_000 + 7 * place)
  const text = writePosition({ seen: { end: 100_000, open }, at })
  expect(text.length).toBeLessThanOrEqual(LIVE_LIMITS.positionChars)
  expect(readPosition(text)).toEqual({ seen: { end: 90_000, open: [] }, at })
})

test('A position of the previous version is read, and an invalid one is not', () => {
  expect(readPosition(`7-${at.getTime()}`)).toEqual({ seen: { end: 7, open: [] }, at })
  expect(['', '7', '-7', '7.-1', '7..8-1', 'a-1'].map(readPosition)).toEqual(Array(6).fill(null))
})
