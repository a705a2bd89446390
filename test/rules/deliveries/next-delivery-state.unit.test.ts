import { expect, test } from 'vitest'
import {
  nextDeliveryState,
  type DeliveryContext,
  type EndedAttempt,
} from '../../../src/rules/deliveries/next-delivery-state.ts'

const endedAt = new Date('2026-11-22T09:00:00.000Z')
const failed = { error: 'timeout', number: 1, isTest: false, isBodyGone: false, endedAt } as const
const asBefore = { isEndpointDeleted: false, isEndpointOff: false, isSuperseded: false }
const OFF = { isEndpointOff: true }
const GONE = { isEndpointDeleted: true }

const cases: [string, Partial<EndedAttempt>, Partial<DeliveryContext>, string][] = [
  ['a success', { error: null }, {}, 'delivered'],
  ['a success of a deleted endpoint', { error: null }, GONE, 'delivered'],
  ['a failure', {}, {}, 'pending'],
  ['the eighth failure', { number: 8 }, {}, 'dead_lettered'],
  ['a failed test', { isTest: true }, {}, 'dead_lettered'],
  ['410, which switches its endpoint off', { error: 'gone' }, OFF, 'held'],
  ['410 to the eighth attempt', { error: 'gone', number: 8 }, OFF, 'dead_lettered'],
  ['410 to a test', { error: 'gone', isTest: true }, {}, 'dead_lettered'],
  ['a body that is gone', { error: 'unreadable', isBodyGone: true }, {}, 'dead_lettered'],
  ['a failure of an endpoint that is off', {}, OFF, 'held'],
  ['the eighth of one that is off', { number: 8 }, OFF, 'dead_lettered'],
  ['a failure whose resend was delivered', {}, { isSuperseded: true }, 'superseded'],
  ['a failure of a deleted endpoint', {}, { ...GONE, ...OFF, isSuperseded: true }, 'cancelled'],
]
test.each(cases)('%s', (_, attempt, now, state) => {
  const next = nextDeliveryState({ ...failed, ...attempt }, { ...asBefore, ...now })
  expect(next.state).toBe(state)
  expect(next.dueAt !== null).toBe(state === 'pending')
})

test('the delay of the schedule begins at the end of the attempt', () => {
  const { dueAt } = nextDeliveryState({ ...failed, number: 2 }, asBefore)
  expect(dueAt).toEqual(new Date('2026-11-22T09:05:00.000Z'))
})
