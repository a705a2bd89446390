/** What the webhooks' screens work out by themselves. Spec: Deliveries › Retries. */
import { expect, test } from 'vitest'
import type { DeliveryView } from '../../src/contract/dashboard/delivery.ts'
import { readEndpointSearch } from '../../src/dashboard/webhooks/endpoint-search.ts'
import { isPhone } from '../../src/dashboard/webhooks/is-phone.ts'
import { heardSince, type Heard } from '../../src/dashboard/webhooks/log-changes.ts'
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

test.each([
  '+966 50 123 4567',
  '00966-50-123-4567',
  '(966) 501234567',
  '٠٥٠ ١٢٣ ٤٥٦٧',
  '۰۵۰۱۲۳۴۵۶۷',
  '501234567',
])('a phone is found as people type it: %s', (typed) => {
  expect(isPhone(typed, '+966501234567')).toBe(true)
})

test.each(['+966501234568', '+501234567', '00501234567', '4567', '050.123.4567', ''])(
  'another phone is not: %s',
  (typed) => {
    expect(isPhone(typed, '+966501234567')).toBe(false)
  },
)

test('beside a log that was read only what was heard since then stands', () => {
  const heard = (id: string, heardAt: number): Heard => ({
    delivery: { id } as DeliveryView,
    heardAt,
  })
  const { added, changed, newer } = heardSince(
    {
      added: [heard('new', 20), heard('read', 9)],
      changed: new Map([
        ['changed', heard('changed', 10)],
        ['stale', heard('stale', 9)],
      ]),
      newer: new Map([
        ['counted', 20],
        ['read', 9],
      ]),
    },
    10,
  )
  expect(added.map(({ delivery }) => delivery.id)).toEqual(['new'])
  expect([...changed.keys()]).toEqual(['changed'])
  expect([...newer.keys()]).toEqual(['counted'])
})
