/** The rows that a batch of attempts leads to. Spec: Deliveries › Switch-off; readings D9, D10, D11, D12. */
import { expect, test } from 'vitest'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { evaluateAttempts } from '../../src/modules/deliveries/evaluate-attempts.ts'
import type { EndpointNow, LockedDelivery } from '../../src/modules/deliveries/lock-outcomes.sql.ts'
import type { RecordedAttempt } from '../../src/modules/deliveries/recorded-attempt.ts'

const { warnAfterFailuresInRow: WARN_AFTER } = DELIVERY_LIMITS
const at = (minute: number) => new Date(Date.UTC(2026, 11, 1, 9) + minute * MINUTE_MS)
const attempt = (deliveryId: string, minute: number, change: Partial<RecordedAttempt> = {}) =>
  ({
    attemptId: `attempt of ${deliveryId}`,
    deliveryId,
    endpointId: 'e',
    companyId: 'c',
    number: 1,
    isTest: false,
    isBodyGone: false,
    endedAt: at(minute),
    durationMs: 10,
    httpStatus: 503,
    error: 'http_error',
    ...change,
  }) as RecordedAttempt
const delivered = { error: null, httpStatus: 204 } as const
const gone = { error: 'gone', httpStatus: 410 } as const
const locked = (deliveryId: string, change: Partial<LockedDelivery> = {}): LockedDelivery => ({
  deliveryId,
  endpointId: 'e',
  eventId: `event of ${deliveryId}`,
  kind: 'event',
  failuresInRow: 0,
  failingSince: null,
  warnedAt: null,
  slots: 8,
  lastSuccessAt: null,
  lastFailureAt: null,
  ...change,
})
const evaluate = (
  attempts: RecordedAttempt[],
  rows: LockedDelivery[],
  { endpoint = {}, resentIds = [] }: { endpoint?: Partial<EndpointNow>; resentIds?: string[] } = {},
) => {
  const now = { id: 'e', companyId: 'c', accountId: 'a', name: 'E', isOn: true, isDeleted: false }
  return evaluateAttempts(attempts, rows, {
    endpoints: new Map([['e', { ...now, ...endpoint }]]),
    resentIds: new Set(resentIds),
  })
}
const statesIn = ({ moved }: ReturnType<typeof evaluate>) =>
  Object.fromEntries(moved.map((next) => [next.attempt.deliveryId, next.state]))

test('attempts count in the order in which they ended', () => {
  const attempts = [attempt('late', 3), attempt('early', 1), attempt('middle', 2, delivered)]
  const evaluated = evaluate(
    attempts,
    ['late', 'middle', 'early'].map((id) => locked(id)),
  )
  expect(evaluated.health).toMatchObject([
    { failuresInRow: 1, failingSince: at(3), lastSuccessAt: at(2), lastFailureAt: at(3) },
  ])
})

test('an attempt without its lock is stale: it is logged and changes nothing', () => {
  const evaluated = evaluate([attempt('lost', 1, gone)], [])
  expect(evaluated).toMatchObject({
    lateIds: ['attempt of lost'],
    moved: [],
    health: [],
    hours: [],
  })
  expect(evaluated.verdicts).toEqual([])
})

test.each([
  ['a test', { isTest: true }],
  ['an internal failure', { error: 'unreadable' } as const],
])('%s does not count for the endpoint', (_, change) => {
  const evaluated = evaluate([attempt('d', 1, change)], [locked('d')])
  expect(evaluated).toMatchObject({ health: [], hours: [], verdicts: [] })
  expect(evaluated.moved).toHaveLength(1)
})

test('attempts are summed by the hour in which they ended', () => {
  const attempts = [attempt('a', 58), attempt('b', 59, delivered), attempt('c', 60)]
  const { hours } = evaluate(
    attempts,
    ['a', 'b', 'c'].map((id) => locked(id)),
  )
  expect(hours).toEqual([
    { endpointId: 'e', companyId: 'c', hour: at(0), attempts: 2, failures: 1, durationMs: 20 },
    { endpointId: 'e', companyId: 'c', hour: at(60), attempts: 1, failures: 1, durationMs: 10 },
  ])
})

test.each<[string, Partial<EndpointNow>, object[]]>([
  [
    'on',
    {},
    [{ kind: 'endpoint_switched_off', reason: 'gone', lastStatus: 410, lastError: 'gone' }],
  ],
  ['off', { isOn: false }, []],
  ['deleted', { isDeleted: true }, []],
])('a 410 switches an endpoint off once, if it is %s', (_, endpoint, verdicts) => {
  const attempts = [attempt('a', 1, gone), attempt('b', 2, gone)]
  const evaluated = evaluate(attempts, [locked('a'), locked('b')], { endpoint })
  expect(evaluated.verdicts).toMatchObject(verdicts)
  expect(evaluated.verdicts).toHaveLength(verdicts.length)
})

test('the owner is warned of an endpoint that keeps failing', () => {
  const row = locked('d', { failuresInRow: WARN_AFTER - 1, failingSince: at(-60) })
  const { verdicts } = evaluate([attempt('d', 1)], [row])
  expect(verdicts).toMatchObject([{ kind: 'endpoint_failing', reason: null, at: at(1) }])
})

test.each<[string, Parameters<typeof evaluate>[2], string]>([
  ['stays pending while its endpoint is on', {}, 'pending'],
  ['is held while its endpoint is off', { endpoint: { isOn: false } }, 'held'],
  ['is cancelled if its endpoint is deleted', { endpoint: { isDeleted: true } }, 'cancelled'],
  ['is superseded by a delivered resend', { resentIds: ['d'] }, 'superseded'],
])('a failed delivery %s', (_, context, state) => {
  expect(statesIn(evaluate([attempt('d', 1)], [locked('d')], context))).toEqual({ d: state })
})

test('a delivery is held if an attempt of the same batch switches its endpoint off', () => {
  const attempts = [attempt('a', 1), attempt('b', 2, gone)]
  const states = statesIn(evaluate(attempts, [locked('a'), locked('b')]))
  expect(states).toEqual({ a: 'held', b: 'held' })
})

test('a resend that is delivered supersedes the event’s other deliveries to the endpoint', () => {
  const rows = [
    locked('first', { eventId: 'x' }),
    locked('again', { eventId: 'x', kind: 'resend' }),
    locked('failed', { eventId: 'x', kind: 'resend' }),
    locked('other', { eventId: 'y' }),
  ]
  const attempts = [
    attempt('first', 1),
    attempt('again', 2, delivered),
    attempt('failed', 3),
    attempt('other', 4),
  ]
  const evaluated = evaluate(attempts, rows)
  expect(evaluated.resent).toEqual([{ eventId: 'x', endpointId: 'e', at: at(2) }])
  expect(statesIn(evaluated)).toEqual({
    first: 'superseded',
    again: 'delivered',
    failed: 'pending',
    other: 'pending',
  })
})

test('a delivery of an event supersedes nothing, and a failed resend neither', () => {
  const rows = [locked('a', { eventId: 'x' }), locked('b', { eventId: 'x' })]
  const first = evaluate([attempt('a', 1, delivered), attempt('b', 2)], rows)
  expect(first.resent).toEqual([])
  expect(statesIn(first)).toEqual({ a: 'delivered', b: 'pending' })
  const resend = locked('r', { eventId: 'x', kind: 'resend' })
  expect(evaluate([attempt('r', 1)], [resend]).resent).toEqual([])
})
