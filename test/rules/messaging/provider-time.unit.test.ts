import { expect, test } from 'vitest'
import { MESSAGING_LIMITS } from '../../../src/core/limits/messaging.ts'
import { readProviderTime } from '../../../src/rules/messaging/provider-time.ts'

const NOW = new Date('2026-12-01T10:00:00Z')
const EARLIEST = MESSAGING_LIMITS.earliestMs

test.each([
  ['none', null, false],
  ['now', NOW.getTime(), true],
  ['in the future', NOW.getTime() + 1, false],
  ['the earliest plausible one', EARLIEST, true],
  ['earlier than that', EARLIEST - 1, false],
])('a provider’s time is believed: %s, %s %s', (_, reported, isBelieved) => {
  const time = reported === null ? null : new Date(reported)
  expect(readProviderTime(time, NOW)).toEqual(isBelieved ? time : NOW)
})
