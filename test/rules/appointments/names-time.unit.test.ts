import { describe, expect, test } from 'vitest'
import { namesDay, namesTimeOfDay } from '../../../src/rules/appointments/names-time.ts'

/** Wednesday 25 November 2026, 17:00 in Riyadh. */
const FIVE = { startsAt: new Date('2026-11-25T14:00:00Z'), zone: 'Asia/Riyadh' }
const HALF_PAST = { startsAt: new Date('2026-11-25T14:30:00Z'), zone: 'Asia/Riyadh' }

describe('The time of day in a message', () => {
  test.each(
    [
      'We have 17:00.|Free: 16:30, 17:00, 17:30|from 17:00-17:30|at 5:00 in the afternoon',
      'الساعة الخامسة|نراك بالساعة الخامسة مساءً|5:00 متاح|from 4-5 pm',
      'Would 5 pm suit you?|5 p.m.|الساعة 5 مساءً|عندنا ١٧:٠٠ و ١٨:٠٠|٥ مساء',
    ].flatMap((line) => line.split('|')),
  )('is named by: %s', (text) => expect(namesTimeOfDay(text, FIVE)).toBe(true))

  test.each(
    [
      'It costs 17 riyals.|Five things, 5 of them new|25.11.2026 or 17.00 SAR|call 920017000',
      '17:30|117:00|5 مقاعد|الخامسة مساءً',
      'خلال ساعة واحدة|الساعة الخامسة صباحًا|5:00 am',
      '5 am|at 5 a.m.|5:00 AM|5:00 صباحًا|الساعة ٥ ص|٥ الصبح',
    ].flatMap((line) => line.split('|')),
  )('is not named by: %s', (text) => expect(namesTimeOfDay(text, FIVE)).toBe(false))

  test.each([
    ['12 am', 'is', '2026-11-24T21:00:00Z'],
    ['12:00 م', 'is not', '2026-11-24T21:00:00Z'],
    ['0:00', 'is', '2026-11-24T21:00:00Z'],
    ['12:00 م', 'is', '2026-11-25T09:00:00Z'],
    ['12 ص', 'is not', '2026-11-25T09:00:00Z'],
    ['1 الظهر', 'is', '2026-11-25T10:00:00Z'],
    ['1 بالليل', 'is', '2026-11-24T22:00:00Z'],
  ])('is read with its half of the day: %s %s the time of %s', (text, is, startsAt) =>
    expect(namesTimeOfDay(text, { ...FIVE, startsAt: new Date(startsAt) })).toBe(is === 'is'),
  )

  test('is compared to the minute', () => {
    expect(namesTimeOfDay('17:30 or 18:00', HALF_PAST)).toBe(true)
    expect(namesTimeOfDay('17:00, 5 pm', HALF_PAST)).toBe(false)
  })
})

describe('The day in a message', () => {
  const now = new Date('2026-11-24T09:00:00Z')
  test.each(
    [
      '2026-11-25|on Wednesday|Wed 17:00|25 November|25/11|tomorrow|بكرة|يوم الأربعاء',
      '٢٥ نوفمبر',
    ].flatMap((line) => line.split('|')),
  )('is named by: %s', (text) => expect(namesDay(text, FIVE, now)).toBe(true))

  const OTHER_DAYS = ['today', 'Thursday', '26 November', '25 riyals', 'اليوم', 'الخميس']
  test.each(OTHER_DAYS)('is not named by: %s', (text) =>
    expect(namesDay(text, FIVE, now)).toBe(false),
  )
})
