/** Typed days and times are read in any language of the browser. */
import { expect, test } from 'vitest'
import { readTyped, writeTyped, type TimeForm } from '../../src/dashboard/parts/typed-time.ts'

test.each<[form: TimeForm, typed: string, held: string | null]>([
  ['day', '29/11/2026', '2026-11-29'],
  ['day', ' 1.2.2026 ', '2026-02-01'],
  ['day', '2026-11-29', '2026-11-29'],
  ['day', '٢٩/١١/٢٠٢٦', '2026-11-29'],
  ['day', '29/02/2028', '2028-02-29'],
  ['day', '29/02/2026', null],
  ['day', '11/29/2026', null],
  ['day', '29/11', null],
  ['day', '', ''],
  ['clock', '9:05', '09:05'],
  ['clock', '21.30', '21:30'],
  ['clock', '24:00', null],
  ['clock', '9:30 PM', null],
  ['moment', '29/11/2026 9:05', '2026-11-29T09:05'],
  ['moment', '2026-11-29T14:30', '2026-11-29T14:30'],
  ['moment', '29/11/2026', null],
])('%s %s is %s', (form, typed, held) => {
  expect(readTyped(form, typed)).toBe(held)
  if (held) expect(readTyped(form, writeTyped(form, held))).toBe(held)
})

test('days and times are shown with the day first and a 24-hour clock', () => {
  expect(writeTyped('moment', '2026-11-29T21:30')).toBe('29/11/2026 21:30')
  expect(writeTyped('day', '')).toBe('')
})
