import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { METRICS_LIMITS } from '../../src/core/limits/deliveries.ts'
import { createReadiness } from '../../src/http/readiness.ts'
import type { Database } from '../../src/infra/database/connect.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a database that does not answer is not ready after a second, and is asked once until it answers', async () => {
  const { promise, resolve } = Promise.withResolvers<{ rows: { canWrite: boolean }[] }>()
  const query = vi.fn(() => promise)
  const db = { pool: { query } } as unknown as Database
  const readiness = createReadiness({ db, clock: { now: () => new Date() } })

  const first = readiness.isReady()
  await vi.advanceTimersByTimeAsync(METRICS_LIMITS.withinMs)
  expect(await first).toBe(false)
  expect(await readiness.isReady()).toBe(false)
  expect(query).toHaveBeenCalledTimes(1)

  resolve({ rows: [{ canWrite: true }] })
  await vi.advanceTimersByTimeAsync(0)
  expect(await readiness.isReady()).toBe(true)
})
