/** Times of any year that can be written. Appointments › Times. */
import { expect, test } from 'vitest'
import { createFormatCache, MAX_CACHED_FORMATS } from '../../../src/rules/time/format-cache.ts'
import { instantAt, isTimeZone, wallTextAt } from '../../../src/rules/time/zone.ts'

const YEARS = ['0000', '0001', '0099', '1899', '1900', '9999']

test.each(YEARS)('a zone that was used for a time in %s knows today’s offset as before', (year) => {
  // Each year has a separate zone, so that the strange year is the first that is converted.
  const zone = `Etc/GMT-${YEARS.indexOf(year) + 1}`
  const hours = YEARS.indexOf(year) + 1
  const strange = Date.parse(`${year}-06-01T12:00:00Z`)
  expect(wallTextAt(zone, new Date(strange))).toBe(
    new Date(strange + hours * 3_600_000).toISOString().slice(0, 16),
  )
  expect(instantAt(zone, strange)).toEqual({ at: strange - hours * 3_600_000, isShown: true })
  const today = new Date('2026-12-07T05:00:00Z')
  expect(wallTextAt(zone, today)).toBe(`2026-12-07T${String(5 + hours).padStart(2, '0')}:00`)
})

test.each(['+03:00', '-0530', '+23', 'Riyadh', ''])('%j names no zone', (zone) =>
  expect(isTimeZone(zone)).toBe(false),
)

test('every zone that the runtime lists is one, in any case', () => {
  const names = Intl.supportedValuesOf('timeZone')
  expect(names.filter((name) => !isTimeZone(name) || !isTimeZone(name.toLowerCase()))).toEqual([])
})

test('a cache of formats returns one format per key, and is emptied when it is full', () => {
  const cache = createFormatCache()
  const make = () => new Intl.DateTimeFormat('en')
  const first = cache.get('0', make)
  expect(cache.get('0', make)).toBe(first)
  for (let key = 1; key < MAX_CACHED_FORMATS; key += 1) cache.get(`${key}`, () => first)
  expect([cache.size(), cache.get('0', make)]).toEqual([MAX_CACHED_FORMATS, first])
  cache.get('one more', make)
  expect(cache.size()).toBe(1)
})
