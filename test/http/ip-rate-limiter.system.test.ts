/** The processor's time that a flood of addresses takes. */
import { expect, test } from 'vitest'
import { startCpuWatch } from '../support/stopwatch.ts'
import { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'

test('a flood of 300,000 addresses is counted within seconds', () => {
  const begin = Date.parse('2026-11-21T09:00:00Z')
  const limit = createAddressLimit()
  const tookMs = startCpuWatch()
  for (let i = 0; i < 300_000; i += 1) {
    limit.admit(`2001:db8:${i.toString(16)}::/64`, new Date(begin + i / 1_000))
  }
  expect(tookMs()).toBeLessThan(10_000)
})
