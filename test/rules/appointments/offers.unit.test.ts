/** The times that a conversation offers of a day, and the customer's choice. Flows › Booking. */
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/limits/units.ts'
import { WEEKDAYS } from '../../../src/rules/flows/opening-hours.ts'
import { buttonPayload } from '../../../src/rules/flows/button-payload.ts'
import { offerDay } from '../../../src/rules/appointments/offer-day.ts'
import {
  readSlotChoice,
  type SlotChoice,
} from '../../../src/rules/appointments/read-slot-choice.ts'
import type { SlotInputs } from '../../../src/rules/appointments/slots.ts'
import { offerSlots } from '../../support/offer-slots.ts'
import { systemTest } from '../../support/system-tests.ts'

const NOW = new Date('2026-12-07T05:00:00Z')
const ZONE = 'Asia/Riyadh'
const at = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS)
const facts = (more: Partial<SlotInputs['resources'][number]> = {}): SlotInputs => {
  const openings = WEEKDAYS.map((weekday) => ({ weekday, fromMin: 540, toMin: 720 }))
  const sara = { id: 'a', kind: 'person' as const, role: '', zone: ZONE, openings, busy: [] }
  return {
    service: { minutes: 60, beforeMin: 0, afterMin: 0, stepMin: 60 },
    resources: [{ ...sara, ...more }],
    changes: [],
    page: { zone: ZONE, minNoticeMin: 0, maxDays: 60 },
    now: NOW,
  }
}

describe('An offer', () => {
  test('covers one day, and says where the rest of it and the next day begin', () => {
    expect(offerDay(facts(), NOW, { max: 2, lookDays: 60 })).toEqual({
      starts: [at(1), at(2)],
      moreFrom: at(3),
      otherDayFrom: at(25),
    })
    expect(offerDay(facts(), at(3), { max: 2, lookDays: 60 })).toEqual({
      starts: [at(3)],
      moreFrom: null,
      otherDayFrom: at(25),
    })
  })

  test('leaves out days without a free time, and does not exist when no day has one', () => {
    const busy = [{ from: NOW, to: new Date(NOW.getTime() + 9 * DAY_MS) }]
    const tenth = offerDay(facts({ busy }), NOW, { max: 8, lookDays: 60 })
    expect(tenth?.starts[0]).toEqual(at(9 * 24 + 1))
    expect(offerDay(facts({ busy }), NOW, { max: 8, lookDays: 9 })).toBeNull()
  })

  systemTest('reads the times of people who are full for 60 days about twice', () => {
    const rows = 60 * 96
    let reads = 0
    const busy = Array.from({ length: rows }, (_, row) => {
      const from = NOW.getTime() + row * 15 * MINUTE_MS
      return {
        get from() {
          reads += 1
          return new Date(from)
        },
        to: new Date(from + 10 * MINUTE_MS),
      }
    })
    const [sara] = facts({ busy }).resources
    const resources = Array.from({ length: 20 }, (_, place) => ({ ...sara!, id: `${place}` }))
    const full = { ...facts(), resources }
    const to = new Date(NOW.getTime() + 60 * DAY_MS)
    expect(offerSlots(full, { from: NOW, to })).toEqual([])
    const readsOfOneLook = reads
    expect(readsOfOneLook).toBeGreaterThan(rows)
    expect(offerDay(full, NOW, { max: 8, lookDays: 60 })).toBeNull()
    expect(reads - readsOfOneLook).toBeLessThan(2 * readsOfOneLook)
  })

  test('begins no sooner than now, whatever day is requested', () => {
    const from = new Date(NOW.getTime() - 30 * DAY_MS)
    expect(offerDay(facts(), from, { max: 1, lookDays: 2 })?.starts).toEqual([at(1)])
  })
})

describe('A customer chooses from an offer', () => {
  const asked = {
    runId: '01a1fd55-7a80-7278-823e-2ce24018e90d',
    stepId: 'book',
    country: null,
    now: NOW,
    zone: ZONE,
  }
  const labels = ['09:00', '10:30', 'More times', 'Another day']
  const tap = (option: number, stepId = 'book') => ({
    buttonPayload: buttonPayload({ runId: asked.runId, stepId, option }),
  })
  test.each<[string, string, object, SlotChoice]>([
    ['a time by its label', '10:30', {}, { place: 1 }],
    ['a time as people write it', '٩:٠٠', {}, { place: 0 }],
    ['a number', '2', {}, { place: 1 }],
    ['the option that leads on', 'another day', {}, { place: 3 }],
    ['a button of this offer', '10:30', tap(13), { place: 1 }],
    ['no button of an older one', '10:30', tap(3), null],
    ['no button of another step', '10:30', tap(13, 'ask'), null],
    ['a day', 'غدا', {}, { day: '2026-12-08' }],
    ['no time that is not there', '11:00', {}, null],
    ['no number that is not there', '5', {}, null],
    ['no picture', '09:00', { type: 'image' }, null],
  ])('%s', (_, text, more, choice) => {
    const message = { id: 'm', type: 'text', text, buttonPayload: null, ...more }
    expect(readSlotChoice(message, asked, { labels, firstOption: 12 })).toEqual(choice)
  })
})
