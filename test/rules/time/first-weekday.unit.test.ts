import { expect, test } from 'vitest'
import { isTimeZone } from '../../../src/rules/time/zone.ts'
import { MONDAY_ZONES, SATURDAY_ZONES } from '../../../src/core/vocabulary/first-weekdays.ts'
import { firstWeekdayOf } from '../../../src/rules/time/first-weekday.ts'

test.each([
  ['Asia/Riyadh', 0],
  ['America/New_York', 0],
  ['Africa/Cairo', 6],
  ['Asia/Kuwait', 6],
  ['Asia/Dubai', 1],
  ['Europe/London', 1],
])('weeks of %s begin with day %i', (zone, day) => expect(firstWeekdayOf(zone)).toBe(day))

test('every zone that is named is one', () => {
  expect([...SATURDAY_ZONES, ...MONDAY_ZONES].filter((zone) => !isTimeZone(zone))).toEqual([])
})

test('countries begin their weeks as the Unicode CLDR says', () => {
  const dayIn = (region: string) => new Intl.Locale(`und-${region}`).getWeekInfo().firstDay % 7
  const of = { SA: 'Asia/Riyadh', EG: 'Africa/Cairo', AE: 'Asia/Dubai', KW: 'Asia/Kuwait' }
  for (const [region, zone] of Object.entries(of)) expect(firstWeekdayOf(zone)).toBe(dayIn(region))
})
