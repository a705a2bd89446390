import { expect, test } from 'vitest'
import { createWaitingInMemory } from '../../src/workers/fair-queue.ts'
import type { EagerDelivery } from '../../src/infra/database/after-commit.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'

const born = (companyId: string, id: string, bytes = 10, accountId = companyId) =>
  ({ accountId, companyId, id, body: Buffer.alloc(bytes) }) as EagerDelivery

test('companies take turns, each with its oldest', () => {
  const waiting = createWaitingInMemory()
  waiting.take(0, [born('busy', '1'), born('busy', '2'), born('busy', '3')])
  waiting.take(0, [born('quiet', '4')])
  expect(waiting.empty().map(({ id }) => id)).toEqual(['1', '4', '2', '3'])
  expect(waiting.isEmpty()).toBe(true)
})

test('projects of one account share its turns, and take turns among them', () => {
  const waiting = createWaitingInMemory()
  const project = (name: string, id: string) => born(name, id, 10, 'busy')
  waiting.take(0, [project('one', '1'), project('one', '2'), project('two', '3')])
  waiting.take(0, [born('quiet', '4'), born('quiet', '5')])
  expect(waiting.empty().map(({ id }) => id)).toEqual(['1', '4', '3', '5', '2'])
})

test('reserved and waiting deliveries are at most 4,000; unused reservations are free again', () => {
  const waiting = createWaitingInMemory()
  const most = DELIVERY_ENGINE.handedOver
  expect(most).toBe(4_000)
  expect(waiting.reserve(most - 1)).toBe(most - 1)
  expect(waiting.reserve(10)).toBe(1)
  expect(waiting.reserve(10)).toBe(0)
  waiting.take(most - 1, [born('a', '1')])
  waiting.take(1, [])
  expect(waiting.reserve(most)).toBe(most - 1)
  waiting.next()
  expect(waiting.reserve(most)).toBe(1)
})

test('large bodies use up the memory limit as well, until they are taken', () => {
  const waiting = createWaitingInMemory()
  waiting.take(0, [born('a', '1', DELIVERY_ENGINE.handedOverBytes)])
  expect(waiting.reserve(1)).toBe(0)
  waiting.next()
  expect(waiting.reserve(1)).toBe(1)
})
