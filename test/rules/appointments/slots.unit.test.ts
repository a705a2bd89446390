import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/limits/units.ts'
import { createRandom } from '../../support/random.ts'
import { WEEKDAYS } from '../../../src/rules/flows/opening-hours.ts'
import type { HoursChange } from '../../../src/rules/appointments/hours-of-day.ts'
import {
  isWithinHours,
  pickSlotResources,
  type SlotInputs,
} from '../../../src/rules/appointments/slots.ts'
import { IS_FULL_SIZE } from '../../support/full-size.ts'
import { offerSlots } from '../../support/offer-slots.ts'
import { systemTest } from '../../support/system-tests.ts'

const SERVICE = { minutes: 30, beforeMin: 0, afterMin: 0, stepMin: 30 }
const every = (fromMin: number, toMin: number) =>
  WEEKDAYS.map((weekday) => ({ weekday, fromMin, toMin }))
const person = (id: string, zone: string, more: object = {}) => ({
  id,
  zone,
  kind: 'person' as const,
  role: '',
  openings: every(0, 1440),
  busy: [],
  ...more,
})
const facts = (more: Partial<SlotInputs> & { zone?: string } = {}): SlotInputs => ({
  service: SERVICE,
  resources: [person('a', more.zone ?? 'Asia/Riyadh')],
  changes: [],
  page: { zone: more.zone ?? 'Asia/Riyadh', minNoticeMin: 0, maxDays: 2_000 },
  now: new Date('2025-12-30T00:00:00Z'),
  ...more,
})

/** Returns a function that formats an instant on the wall clock of a zone, by the runtime. */
function clockOf(zone: string): (at: number) => string {
  const styles = { dateStyle: 'short', timeStyle: 'short' } as const
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, hourCycle: 'h23', ...styles })
  return (at) => format.format(at).replace(', ', 'T')
}

describe('Slots in all zones and on all days of 2026 to 2028', () => {
  const all = Intl.supportedValuesOf('timeZone')
  const must = ['Africa/Cairo', 'Africa/Casablanca', 'Australia/Lord_Howe', 'America/New_York']
  // `npm test` tries these zones and a few more, which follow from the seed of the run.
  const turn = Math.floor(createRandom('time zones of slots')() * 32)
  const zones = IS_FULL_SIZE ? all : [...must, ...all.filter((_, place) => place % 32 === turn)]
  const groups = Map.groupBy(zones, (zone) => zone.split('/')[0]!)

  test.each([...groups])('%s: one after the other, missing only what the clock skips', (_, of) => {
    for (const zone of of) expectWholeDays(zone)
    expect(of.length).toBeGreaterThan(0)
  })

  const [begin, end] = [Date.UTC(2026, 0), Date.UTC(2029, 0)]
  /** The offers of zones around their changes, by clock: most zones share theirs. */
  const offered = new Map<string, Map<number, string>>()

  /** Expects a slot each hour of all days, once for each clock that zones share. */
  function expectWholeDays(zone: string): void {
    const clock = clockOf(zone)
    const hour = { minutes: 60, beforeMin: 0, afterMin: 0, stepMin: 60 }
    const asked = facts({ zone, service: hour })
    const changes = changesOf(clock)
    const same = offered.get(changes.join())
    const around = new Map<number, string>()
    let before = 0
    for (let from = begin; from < end; from += 28 * DAY_MS) {
      const to = Math.min(from + 28 * DAY_MS, end)
      const isNear = changes.some(([at]) => from - DAY_MS <= at && at <= to + DAY_MS)
      if (same && !isNear) continue
      const starts = offerSlots(asked, { from: new Date(from), to: new Date(to) }).map(Number)
      if (isNear) around.set(from, starts.join())
      if (same) continue
      for (const at of starts) {
        if (before > 0 && at - before !== HOUR_MS) expectChange(zone, clock, before, at)
        before = at
      }
      const first = clock(starts[0]!)
      if (!first.endsWith(':00')) throw new Error(`${zone}: ${first} is offered`)
    }
    if (same) expect({ zone, around }).toEqual({ zone, around: same })
    else offered.set(changes.join(), around)
  }

  /** Returns the offset of the clock from UTC, and each change of it to the minute, by the runtime alone. */
  function changesOf(clock: (at: number) => string): [at: number, offset: number][] {
    const offsetAt = (at: number) => Date.parse(`${clock(at)}Z`) - at
    const changes: [number, number][] = [[begin, offsetAt(begin)]]
    for (let day = begin; day < end; day += DAY_MS) {
      const after = offsetAt(day + DAY_MS)
      if (after === changes.at(-1)![1]) continue
      let [low, high] = [day, day + DAY_MS]
      while (high - low > MINUTE_MS) {
        const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS
        if (offsetAt(middle) === after) high = middle
        else low = middle
      }
      changes.push([high, after])
    }
    return changes
  }

  /** Two starts that are not an hour apart do not meet, and no full hour was shown first between them. */
  function expectChange(zone: string, clock: (at: number) => string, a: number, b: number): void {
    if (b - a < HOUR_MS) throw new Error(`${zone}: ${clock(a)} meets ${clock(b)}`)
    const shown = new Set<string>()
    for (let at = a - 3 * HOUR_MS; at <= a; at += MINUTE_MS) shown.add(clock(at))
    for (let at = a + MINUTE_MS; at <= b; at += MINUTE_MS) {
      const isStart = clock(at).endsWith(':00') && !shown.has(clock(at))
      if (isStart !== (at === b)) throw new Error(`${zone}: ${clock(at)}, ${isStart}`)
    }
  }
})

systemTest('hours past midnight belong to one night, also when the clock changes in it', () => {
  for (const zone of ['Africa/Cairo', 'Africa/Casablanca', 'America/Santiago', 'Europe/London']) {
    const night = facts({ zone, resources: [person('a', zone, { openings: every(1200, 1560) })] })
    const range = { from: new Date('2026-01-01T00:00Z'), to: new Date('2029-01-01T00:00Z') }
    const clock = clockOf(zone)
    const starts = offerSlots(night, range).map((start) => start.getTime())
    const gaps = starts.slice(1).map((start, place) => start - starts[place]!)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30 * MINUTE_MS)
    const hours = new Set(starts.map((start) => clock(start).slice(11, 13)))
    expect([...hours].toSorted()).toEqual(['00', '01', '20', '21', '22', '23'])
  }
})

test('the hours of Ramadan replace those of the weekdays, past midnight too, and end with it', () => {
  const days = { firstDay: '2027-02-08', lastDay: '2027-03-09', fromMin: 1260, toMin: 1500 }
  const ramadan: HoursChange = { ...days, resourceId: null, isClosed: false }
  const zone = 'Africa/Casablanca'
  const asked = facts({ changes: [ramadan], resources: [person('a', zone)], zone })
  const clock = clockOf(zone)
  const of = (from: string, to: string) =>
    offerSlots(asked, { from: new Date(from), to: new Date(to) }).map((at) => clock(at.getTime()))
  const evening = ['21:00', '21:30', '22:00', '22:30', '23:00', '23:30']
  expect(of('2027-02-20T12:00Z', '2027-02-21T12:00Z')).toEqual([
    ...evening.map((time) => `2027-02-20T${time}`),
    ...['00:00', '00:30'].map((time) => `2027-02-21T${time}`),
  ])
  // The last night reaches into the day after, whose own hours begin at midnight.
  expect(of('2027-03-10T00:00Z', '2027-03-10T02:00Z')).toHaveLength(4)
})

describe('Hours that touch', () => {
  const hour = { minutes: 60, beforeMin: 0, afterMin: 0, stepMin: 30 }
  const day = (openings: object[], more: object = {}) =>
    facts({ service: hour, resources: [person('a', 'Asia/Riyadh', { openings, ...more })] })
  const at = (time: string) => new Date(`2026-03-02T${time}:00+03:00`)
  const starts = (asked: SlotInputs, from: string, to: string) =>
    offerSlots(asked, { from: at(from), to: at(to) }).map(Number)

  test.each<[string, object[], string]>([
    ['a shop that is open all day', every(0, 1440), '23:30'],
    [
      'a night that ends where the next day begins',
      [...every(1200, 1440), ...every(0, 600)],
      '23:30',
    ],
    ['two halves of a day', [...every(540, 720), ...every(720, 1080)], '11:30'],
  ])('are joined: %s', (_, openings, time) => {
    const asked = day(openings)
    expect(starts(asked, time, '23:59')).toContain(at(time).getTime())
    expect(pickSlotResources(asked, at(time))).toEqual({ ok: true, value: ['a'] })
    const [resource] = asked.resources
    expect(isWithinHours(resource!, [], { startsAt: at(time), minutes: 60 })).toBe(true)
  })

  test('with a minute between them are not joined, and steps stay those of the hours that one begins in', () => {
    const apart = day([...every(540, 720), ...every(721, 1080)])
    expect(starts(apart, '11:30', '11:31')).toEqual([])
    expect(pickSlotResources(apart, at('11:30'))).toEqual({ ok: false, reason: 'slot_taken' })
    const shifted = day([...every(540, 730), ...every(730, 1080)])
    expect(starts(shifted, '12:00', '13:00').map((one) => new Date(one))).toEqual(
      ['12:00', '12:10', '12:40'].map(at),
    )
    expect(pickSlotResources(shifted, at('12:30')).ok).toBe(false)
  })

  test('are not joined across midnight for a person who is closed on the next day', () => {
    const closed = {
      resourceId: null,
      firstDay: '2026-03-03',
      lastDay: '2026-03-03',
      isClosed: true as const,
    }
    const asked = { ...day(every(0, 1440)), changes: [closed] }
    expect(starts(asked, '23:00', '23:59')).toEqual([at('23:00').getTime()])
  })

  test('all offered times can be taken, and no others, with many people and small steps', () => {
    const people = Array.from({ length: 50 }, (_, n) => {
      const from = at('09:00').getTime() + n * 20 * MINUTE_MS
      const busy = n % 3 === 0 ? [] : [{ from: new Date(from), to: new Date(from + HOUR_MS) }]
      return person(`p${n}`, 'Asia/Riyadh', { openings: every(480 + (n % 4) * 60, 1200), busy })
    })
    const service = { minutes: 45, beforeMin: 5, afterMin: 5, stepMin: 5 }
    const asked = facts({ service, resources: people })
    const range = { from: at('00:00'), to: new Date(at('00:00').getTime() + DAY_MS) }
    const offered = new Set(offerSlots(asked, range).map(Number))
    expect(offered.size).toBeGreaterThan(100)
    for (let time = range.from.getTime(); time < range.to.getTime(); time += 5 * MINUTE_MS) {
      expect([time, pickSlotResources(asked, new Date(time)).ok]).toEqual([time, offered.has(time)])
    }
  })
})

describe('Several roles', () => {
  const MONDAY = new Date('2026-12-07T00:00:00Z')
  const day = { from: MONDAY, to: new Date(MONDAY.getTime() + DAY_MS) }
  const ofKind = (kind: 'person' | 'room') => {
    return (id: string, openings: ReturnType<typeof every>, busy: object[] = []) =>
      person(id, 'UTC', { kind, role: kind, openings, busy })
  }
  const doctor = ofKind('person')
  const room = ofKind('room')

  test('steps count from the hours of the people: a room must only be open', () => {
    const asked = facts({
      zone: 'UTC',
      service: { minutes: 45, beforeMin: 0, afterMin: 0, stepMin: 45 },
      resources: [doctor('d', every(540, 720)), room('r', every(490, 1200))],
    })
    const starts = (of: SlotInputs) =>
      offerSlots(of, day).map((at) => at.toISOString().slice(11, 16))
    expect(starts(asked)).toEqual(['09:00', '09:45', '10:30', '11:15'])
    const alone = { ...asked, resources: [room('r', every(490, 600))] }
    expect(starts(alone)).toEqual(['08:10', '08:55'])
    const between = pickSlotResources(asked, new Date('2026-12-07T09:10:00Z'))
    expect(between).toEqual({ ok: false, reason: 'slot_taken' })
  })

  test('one of each role takes part, the one with the fewest appointments of the day', () => {
    const at = (hour: number) => new Date(MONDAY.getTime() + hour * HOUR_MS)
    const asked = facts({
      zone: 'UTC',
      resources: [
        doctor('d1', every(540, 720), [{ from: at(11), to: at(11.5) }]),
        doctor('d2', every(540, 720)),
        room('r2', every(0, 1440)),
        room('r1', every(0, 1440)),
      ],
    })
    expect(pickSlotResources(asked, at(9))).toEqual({ ok: true, value: ['d2', 'r1'] })
    expect(pickSlotResources({ ...asked, now: at(9.1) }, at(9))).toEqual({
      ok: false,
      reason: 'slot_taken',
    })
  })

  test('the check of opening hours ignores all other conditions', () => {
    const resource = doctor('d', every(540, 720))
    const at = (hour: number) => ({ startsAt: new Date(MONDAY.getTime() + hour * HOUR_MS) })
    const within = (hour: number) => isWithinHours(resource, [], { ...at(hour), minutes: 30 })
    expect([8.9, 9, 11.5, 11.6].map(within)).toEqual([false, true, true, false])
  })

  test('the time before and after a service may touch another appointment, not overlap it', () => {
    const at = (time: string) => new Date(`2026-12-07T${time}:00Z`)
    const busy = [{ from: at('10:00'), to: at('10:30') }]
    const asked = facts({
      zone: 'UTC',
      service: { minutes: 30, beforeMin: 10, afterMin: 20, stepMin: 5 },
      resources: [doctor('d', every(540, 720), busy)],
    })
    const isFree = (time: string) => pickSlotResources(asked, at(time)).ok
    expect(['09:10', '09:15', '10:35', '10:40'].map(isFree)).toEqual([true, false, false, true])
  })

  test('a start is offered from the notice until the end of the last day', () => {
    const page = { zone: 'UTC', minNoticeMin: 60, maxDays: 1 }
    const asked = facts({ zone: 'UTC', page, now: new Date('2026-12-07T09:00:00Z') })
    const isFree = (time: string) => pickSlotResources(asked, new Date(`${time}:00Z`)).ok
    expect(['2026-12-07T09:30', '2026-12-07T10:00'].map(isFree)).toEqual([false, true])
    expect(['2026-12-08T23:30', '2026-12-09T00:00'].map(isFree)).toEqual([true, false])
  })

  test('hours around the clock include a service of 24 hours on a day of 23', () => {
    const open = person('a', 'Europe/Berlin')
    const startsAt = new Date('2027-03-28T00:00:00+01:00')
    expect(isWithinHours(open, [], { startsAt, minutes: 1440 })).toBe(true)
  })

  test('a range that begins with a step offers it, also on a day whose clock changes', () => {
    // The clocks of Berlin skip an hour of this night.
    const asked = facts({ zone: 'Europe/Berlin' })
    const range = { from: new Date('2027-03-28T08:00:00Z'), to: new Date('2027-03-28T09:00:00Z') }
    expect(offerSlots(asked, range)).toEqual([range.from, new Date('2027-03-28T08:30:00Z')])
  })

  test('overlapping hours give no step of hours that have ended', () => {
    const asked = facts({
      zone: 'UTC',
      resources: [doctor('d', [...every(540, 600), ...every(585, 720)])],
    })
    const isFree = (time: string) => pickSlotResources(asked, new Date(`2026-12-07T${time}:00Z`)).ok
    expect(['09:30', '09:45', '10:00', '10:15'].map(isFree)).toEqual([true, true, false, true])
    expect(offerSlots(asked, day).map((start) => start.toISOString().slice(11, 16))).not.toContain(
      '10:00',
    )
  })
})
