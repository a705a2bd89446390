import { expect, test } from 'vitest'
import { createFairQueue } from '../../src/workers/fair-queue.ts'
import type { EagerDelivery } from '../../src/infra/database/after-commit.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'

const eager = (companyId: string, id: string, bytes = 10, accountId = companyId) =>
  ({ accountId, companyId, id, body: Buffer.alloc(bytes) }) as EagerDelivery

test('companies take turns, each with its oldest', () => {
  const waiting = createFairQueue()
  waiting.take(0, [eager('busy', '1'), eager('busy', '2'), eager('busy', '3')])
  waiting.take(0, [eager('quiet', '4')])
  expect(waiting.empty().map(({ id }) => id)).toEqual(['1', '4', '2', '3'])
  expect(waiting.isEmpty()).toBe(true)
})

test('projects of one account share its turns, and take turns among them', () => {
  const waiting = createFairQueue()
  const project = (name: string, id: string) => eager(name, id, 10, 'busy')
  waiting.take(0, [project('one', '1'), project('one', '2'), project('two', '3')])
  waiting.take(0, [eager('quiet', '4'), eager('quiet', '5')])
  expect(waiting.empty().map(({ id }) => id)).toEqual(['1', '4', '3', '5', '2'])
})

test('reserved and waiting deliveries are at most 4,000; unused reservations are free again', () => {
  const waiting = createFairQueue()
  const max = DELIVERY_ENGINE.eagerDeliveries
  expect(max).toBe(4_000)
  expect(waiting.reserve(max - 1)).toBe(max - 1)
  expect(waiting.reserve(10)).toBe(1)
  expect(waiting.reserve(10)).toBe(0)
  waiting.take(max - 1, [eager('a', '1')])
  waiting.take(1, [])
  expect(waiting.reserve(max)).toBe(max - 1)
  waiting.next()
  expect(waiting.reserve(max)).toBe(1)
})

test('large bodies use up the memory limit as well, until they are taken', () => {
  const waiting = createFairQueue()
  waiting.take(0, [eager('a', '1', DELIVERY_ENGINE.eagerBytes)])
  expect(waiting.reserve(1)).toBe(0)
  waiting.next()
  expect(waiting.reserve(1)).toBe(1)
})
