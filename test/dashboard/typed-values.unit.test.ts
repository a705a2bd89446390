/** Days and times in the calendar's addresses and fields. */
import { expect, test } from 'vitest'
import { dayText, readClock, readDay } from '../../src/dashboard/appointments/typed-values.ts'

test.each(['2027-02-28', '2028-02-29', '2027-12-31'])('the day %s is read', (text) => {
  expect(dayText(readDay(text)!)).toBe(text)
})

test.each(['2027-02-31', '2027-02-29', '2027-13-01', '2027-00-10', '27-02-01', ''])(
  'the text %j is no day, and never one of the next month',
  (text) => expect(readDay(text)).toBeNull(),
)

test('a time of the next night is read, as opening hours may end after midnight', () => {
  expect([readClock('17:30'), readClock('26:00'), readClock('7:30')]).toEqual([1_050, 1_560, null])
})
