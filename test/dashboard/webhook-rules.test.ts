/** What the webhooks' screens work out by themselves. Spec: Deliveries › Retries. */
import { expect, test } from 'vitest'
import { readEndpointSearch } from '../../src/dashboard/webhooks/endpoint-search.ts'
import { readLogSearch } from '../../src/dashboard/webhooks/log-search-params.ts'
import { plannedAttempts } from '../../src/dashboard/webhooks/planned-attempts.ts'

const PENDING = {
  state: 'pending',
  kind: 'event',
  attempts: 3,
  dueAt: '2026-11-22T14:46:31.000Z',
} as const

test('the attempts to come stand with their times: after 2 h, 6 h, 12 h and 24 h of the one before', () => {
  expect(plannedAttempts(PENDING).map(({ number, at }) => [number, at])).toEqual([
    [4, '2026-11-22T14:46:31.000Z'],
    [5, '2026-11-22T16:46:31.000Z'],
    [6, '2026-11-22T22:46:31.000Z'],
    [7, '2026-11-23T10:46:31.000Z'],
    [8, '2026-11-24T10:46:31.000Z'],
  ])
})

test('nothing is planned for a test, for what has ended or is held, and while the first is under way', () => {
  expect(plannedAttempts({ ...PENDING, kind: 'test' })).toEqual([])
  expect(plannedAttempts({ ...PENDING, state: 'held', dueAt: null })).toEqual([])
  expect(plannedAttempts({ ...PENDING, attempts: 0 })).toEqual([])
})

test('of an address only what can be a filter is read', () => {
  const read = readLogSearch({
    view: 'gave_up',
    type: 'message.received',
    status: 502,
    from: '2026-11-22T14:00:00.000Z',
    to: 'soon',
    state: 'lost',
    statusClass: 9,
    q: '',
    other: 'x',
  })
  expect(read).toEqual({
    view: 'gave_up',
    type: 'message.received',
    status: 502,
    from: '2026-11-22T14:00:00.000Z',
  })
  expect(readEndpointSearch({ tab: 'secret', hours: 48, test: true, failedSince: 'x' })).toEqual({
    tab: 'secret',
    hours: '48',
    test: true,
  })
})
