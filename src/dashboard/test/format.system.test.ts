/** The formats of days in the dashboard. Spec: Inbox › Timeline. */
import { afterAll, expect, test, vi } from 'vitest'

import { loadTsx } from '../../../test/support/load-tsx.ts'

loadTsx()
// The modules read the language from the browser's storage.
vi.stubGlobal('localStorage', { getItem: () => 'en' })
const { dayTextOf, formatIn, instantOfTyped } = await import('../words/format.ts')
const { oncePerManner } = await import('../words/language.ts')
vi.unstubAllGlobals()

vi.useFakeTimers({ now: new Date('2027-01-02T09:00:00Z'), toFake: ['Date'] })
afterAll(() => {
  vi.useRealTimers()
})

const english = formatIn({ language: 'en', digits: 'latin', timeShown: 'utc' })
const arabic = formatIn({ language: 'ar', digits: 'latin', timeShown: 'utc' })

test('the day above what was said then has its year where that is another', () => {
  expect(english.dayHeading('2027-01-02T08:00:00Z')).toContain('Saturday 2 January')
  expect(english.dayHeading('2027-01-02T08:00:00Z')).not.toContain('2027')
  expect(english.dayHeading('2027-01-01T08:00:00Z')).toMatch(/^Yesterday/)
  expect(english.dayHeading('2026-12-31T08:00:00Z')).toContain('31 December 2026')
  expect(arabic.dayHeading('2025-12-31T08:00:00Z')).toContain('2025')
})

test('a time has the year where that is another, but for yesterday', () => {
  expect(english.dateTime('2026-12-31T08:00:00Z')).toContain('2026')
  expect(english.dateTime('2027-01-01T08:00:00Z')).toMatch(/^yesterday/)
})

test('a format is created once for all rows, and again for another language', () => {
  const create = vi.fn(formatIn)
  const formatOf = oncePerManner(create)
  const manner = { language: 'en', digits: 'latin', timeShown: 'utc' } as const
  const rows = Array.from({ length: 50 }, () => formatOf(manner))
  expect(new Set(rows).size).toBe(1)
  expect(formatOf({ ...manner, language: 'ar' }).number(0.5)).toBe('0.5')
  expect(create).toHaveBeenCalledTimes(2)
})

test('the names of a list keep their own direction, and the words between them that of the language', () => {
  expect(arabic.list(['Order', 'Status'])).toBe('\u2068Order\u2069 و\u2068Status\u2069')
})

test('a typed time and the present day follow the clock that shows the times', () => {
  vi.stubEnv('TZ', 'Asia/Riyadh')
  try {
    expect(instantOfTyped('2027-01-02T14:30', 'utc').toISOString()).toBe('2027-01-02T14:30:00.000Z')
    expect(instantOfTyped('2027-01-02T14:30', 'local').toISOString()).toBe(
      '2027-01-02T11:30:00.000Z',
    )
    const late = new Date('2027-01-02T22:00:00Z')
    expect([dayTextOf(late, 'utc'), dayTextOf(late, 'local')]).toEqual(['2027-01-02', '2027-01-03'])
  } finally {
    vi.unstubAllEnvs()
  }
})
