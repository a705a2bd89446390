import { expect, test } from 'vitest'
import { namesOtherTime } from '../../src/rules/assistant/booked-time.ts'

const ENGLISH = '✓ Haircut\nMonday 7 December, 17:00\nReference: K7Q2'
const ARABIC = '✓ قص شعر\nالاثنين 7 ديسمبر، 17:00\nرقم الحجز: K7Q2'
const offered = 'Monday 7 December: 10:00, 16:00, 17:00\nTuesday 8 December: 11:00'
const known = 'We open from 9:00 to 22:00, on Fridays from 14:00.'

test.each([
  ['See you on Monday at 5 pm!', ENGLISH],
  ['See you at 17:00.', ENGLISH],
  ['See you at 5:00, 7 December.', ENGLISH],
  ['Please come 10 minutes early, and bring 50 SAR.', ENGLISH],
  ['16:00 was already taken.', ENGLISH],
  ['We are open until 22:00.', ENGLISH],
  ['The studio is at 12 Olaya Street, room 4.', ENGLISH],
  ['نراك الاثنين الساعة ٥ مساءً', ARABIC],
  ['نراك الساعة الخامسة.', ARABIC],
  ['نراك الساعة الخامسة مساءً.', ARABIC],
  ['يستغرق ساعة واحدة، ونعمل 24 ساعة 7 أيام.', ARABIC],
  ['الساعة 5:00 مناسبة لك.', ARABIC],
  ['للأسف الساعة 16:00 محجوزة.', ARABIC],
  ['لو احتجت أي شيء، أي أحد من الفريق يساعدك.', ARABIC],
])('a text with no other time may go with a booking: %s', (text, booked) => {
  expect(namesOtherTime(text, { booked, offered, known })).toBe(false)
})

test.each([
  ['See you on Tuesday!', ENGLISH],
  ['See you at 6 pm.', ENGLISH],
  ['You are booked for 16:00.', ENGLISH],
  ['See you at 5 am.', ENGLISH],
  ['See you on the 8th of December.', ENGLISH],
  ['See you on Monday at 5:30.', ENGLISH],
  ['نراك الثلاثاء!', ARABIC],
  ['نراك الساعة ٦', ARABIC],
  ['موعدك الساعة السادسة مساءً', ARABIC],
  ['موعدك الساعة الخامسة صباحًا', ARABIC],
  ['موعدك الساعة الثانية عشرة', ARABIC],
  ['See you from 4-6 pm.', ENGLISH],
  ['نراك ٨ ديسمبر', ARABIC],
])('a text with another day or time than the booking may not: %s', (text, booked) => {
  expect(namesOtherTime(text, { booked, offered, known })).toBe(true)
})
