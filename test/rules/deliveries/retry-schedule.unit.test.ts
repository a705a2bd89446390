import { expect, test } from 'vitest'
import { nextAttemptAfter } from '../../../src/rules/deliveries/retry-schedule.ts'

test('retried after 1 min, 5 min, 30 min, 2 h, 6 h, 12 h, 24 h; after the eighth attempt dead-lettered', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 7].map((attempt) => {
    const next = nextAttemptAfter(attempt)
    return next.kind === 'retry' ? next.delayMs / 60_000 : null
  })
  expect(minutes).toEqual([1, 5, 30, 120, 360, 720, 1_440])
  expect(nextAttemptAfter(8)).toEqual({ kind: 'dead_letter' })
})
