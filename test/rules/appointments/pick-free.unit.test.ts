import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../src/core/limits/units.ts'
import { pickFree } from '../../../src/rules/appointments/pick-free.ts'
import { WEEKDAYS } from '../../../src/rules/flows/opening-hours.ts'

const TEN = new Date('2027-02-08T10:00:00Z')
const SERVICE = { minutes: 60, beforeMin: 15, afterMin: 30, stepMin: 60 }
const at = (fromHour: number, toHour: number) => ({
  from: new Date(TEN.getTime() + (fromHour - 10) * HOUR_MS),
  to: new Date(TEN.getTime() + (toHour - 10) * HOUR_MS),
})
const resource = (id: string, more: object = {}) => ({
  id,
  zone: 'UTC',
  kind: 'person' as const,
  role: '',
  openings: WEEKDAYS.map((weekday) => ({ weekday, fromMin: 9 * 60, toMin: 17 * 60 })),
  busy: [],
  ...more,
})
const pick = (...resources: ReturnType<typeof resource>[]) =>
  pickFree(
    {
      service: SERVICE,
      resources,
      changes: [],
      page: { zone: 'UTC', minNoticeMin: 0, maxDays: 9 },
    },
    TEN,
  )
const picked = (resourceIds: string[], isOutsideHours = false) => ({
  ok: true,
  value: { resourceIds, isOutsideHours },
})
const CLOSED = { openings: [] }

test('a resource within its hours comes first, then the one with fewer appointments, then the lower id', () => {
  const busier = resource('a', { busy: [at(13, 14), at(15, 16)] })
  const busy = resource('b', { busy: [at(13, 14)] })
  expect(pick(resource('a', CLOSED), busy)).toEqual(picked(['b']))
  expect(pick(busy, resource('a', CLOSED))).toEqual(picked(['b']))
  expect(pick(busier, busy)).toEqual(picked(['b']))
  expect(pick(busy, busier)).toEqual(picked(['b']))
  expect(pick(resource('b'), resource('a'))).toEqual(picked(['a']))
  expect(pick(resource('a'), resource('b'))).toEqual(picked(['a']))
})

test('appointments of other days do not count', () => {
  const yesterday = { busy: [at(-11, -10), at(-9, -8)] }
  expect(pick(resource('a', yesterday), resource('b', { busy: [at(13, 14)] }))).toEqual(
    picked(['a']),
  )
})

test.each([
  ['ends when the time before begins', at(8, 9.75), true],
  ['ends in the time before', at(8, 9.8), false],
  ['begins when the time after ends', at(11.5, 12), true],
  ['begins in the time after', at(11.4, 12), false],
])('a resource is free for an appointment if another one %s: %s', (_, busy, isFree) => {
  expect(pick(resource('a', { busy: [busy] })).ok).toBe(isFree)
})

test('each role gives one resource, and a role without a free one refuses the time', () => {
  const room = resource('r', { role: 'room', ...CLOSED })
  expect(pick(resource('a'), room)).toEqual(picked(['a', 'r'], true))
  const taken = { ok: false, reason: 'slot_taken' }
  expect(pick(resource('a'), resource('r', { role: 'room', busy: [at(10, 11)] }))).toEqual(taken)
  expect(pick()).toEqual(taken)
})
