/** Texts of the public pages. Spec: Public pages › Languages. */
import { expect, test } from 'vitest'
import {
  dayInWords,
  monthOf,
  dayOfMonth,
  timeOf,
  weekdayOf,
  zoneInWords,
} from '../../src/http/public-pages/page-dates.ts'
import { appointmentWords } from '../../src/i18n/pages/appointment-words.ts'
import { bookingWords } from '../../src/i18n/pages/booking-words.ts'
import { optOutWords } from '../../src/i18n/pages/opt-out-words.ts'
import { refusalWords } from '../../src/i18n/pages/refusal-words.ts'
import { spanOf } from '../../src/i18n/span-of.ts'
import { sayIn, writeText } from '../../src/i18n/write-text.ts'

const day = Date.UTC(2026, 10, 24)
const at = new Date('2026-11-24T14:00:00Z')

test('days and times are written in each language, by the clock of the shop, in Latin digits', () => {
  const datesIn = (language: 'en' | 'ar') => [
    dayInWords(language, day),
    monthOf(language, day),
    weekdayOf(language, day, 'short'),
  ]
  expect(datesIn('en')).toEqual(['Tuesday 24 November', 'November 2026', 'Tue'])
  expect(datesIn('ar')).toEqual(['الثلاثاء 24 نوفمبر', 'نوفمبر 2026', 'الثلاثاء'])
  expect(dayOfMonth(day)).toBe('24')
  expect(timeOf('Asia/Riyadh', at)).toBe('17:00')
  expect(timeOf('Asia/Riyadh', new Date('2026-11-24T21:05:00Z'))).toBe('00:05')
})

test.each([
  ['Asia/Riyadh', 'Riyadh time', 'توقيت المملكة العربية السعودية'],
  ['Africa/Cairo', 'Cairo time', 'توقيت مصر'],
  ['America/New_York', 'New York time', 'توقيت نيويورك'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires time', 'توقيت بوينوس أيرس'],
  ['UTC', 'UTC', 'غرينتش+0'],
])('the zone %s is named as people call it', (zone, english, arabic) => {
  expect(zoneInWords('en', zone, at)).toBe(english)
  expect(zoneInWords('ar', zone, at)).toBe(arabic)
})

test.each([
  [0, 'You can cancel until the appointment starts.', 'يمكنك الإلغاء حتى بداية الموعد.'],
  [
    45,
    'You can cancel up to 45 minutes before.',
    'يمكنك الإلغاء إن بقي على الموعد أكثر من 45 دقيقة.',
  ],
  [60, 'You can cancel up to 1 hour before.', 'يمكنك الإلغاء إن بقي على الموعد أكثر من ساعة واحدة.'],
  [120, 'You can cancel up to 2 hours before.', 'يمكنك الإلغاء إن بقي على الموعد أكثر من ساعتين.'],
  [180, 'You can cancel up to 3 hours before.', 'يمكنك الإلغاء إن بقي على الموعد أكثر من 3 ساعات.'],
  [1_440, 'You can cancel up to 1 day before.', 'يمكنك الإلغاء إن بقي على الموعد أكثر من يوم واحد.'],
  [2_880, 'You can cancel up to 2 days before.', 'يمكنك الإلغاء إن بقي على الموعد أكثر من يومين.'],
])(
  '%i minutes are written in the largest unit that holds them whole',
  (minutes, english, arabic) => {
    expect(sayIn(bookingWords, 'en')('cancelUntil', spanOf(minutes))).toBe(english)
    expect(sayIn(bookingWords, 'ar')('cancelUntil', spanOf(minutes))).toBe(arabic)
  },
)

test('no page has an exclamation mark or a word of the other language', () => {
  const textsIn = (language: 'en' | 'ar') =>
    [refusalWords, optOutWords, bookingWords, appointmentWords].flatMap((words) =>
      Object.values(words[language]).map((entry) =>
        writeText(entry, language, { n: 3, unit: 'day' }),
      ),
    )
  for (const text of textsIn('en')) expect(text).not.toMatch(/[!\u0600-\u06FF]/)
  // START is the word that the customer is to send.
  for (const text of textsIn('ar')) expect(text.replace('START', '')).not.toMatch(/[!a-z?,]/i)
})
