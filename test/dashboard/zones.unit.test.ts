/** Time zones in the list from which an Owner chooses. */
import { expect, test } from 'vitest'
import { isZoneFound, listZones, nameZone } from '../../src/dashboard/parts/zones.ts'

const JANUARY = new Date('2027-01-15T12:00:00Z')
const shown = (text: string) => text.replaceAll(/[\u2066\u2069]/g, '')

test.each([
  ['Asia/Riyadh', 'Riyadh (UTC+3)', 'الرياض (UTC+3)'],
  ['Asia/Calcutta', 'Kolkata (UTC+5:30)', 'كولكاتا (UTC+5:30)'],
  ['America/New_York', 'New York (UTC-5)', 'نيويورك (UTC-5)'],
  ['Europe/London', 'London (UTC)', 'لندن (UTC)'],
  ['Africa/Lagos', 'Lagos (UTC+1)', 'توقيت غرب أفريقيا، Lagos (UTC+1)'],
  ['UTC', 'UTC', 'التوقيت العالمي (UTC)'],
])('%s is shown by its city and its offset', (zone, english, arabic) => {
  expect(shown(nameZone(zone, 'en', JANUARY))).toBe(english)
  expect(shown(nameZone(zone, 'ar', JANUARY))).toBe(arabic)
})

test('a zone is found by its city in either language, by its name and by its offset', () => {
  const zones = listZones('ar', JANUARY, 'Asia/Riyadh')
  const found = (typed: string) =>
    zones.filter((zone) => isZoneFound(zone, typed)).map(({ value }) => value)
  for (const typed of ['الرياض', 'riyadh', 'Asia/Ri', 'UTC+3']) {
    expect(found(typed)).toContain('Asia/Riyadh')
  }
  expect(found('القاهره')).toEqual(['Africa/Cairo'])
  expect(found('new york')).toContain('America/New_York')
  expect(zones.filter(({ value }) => value === 'Asia/Riyadh')).toHaveLength(1)
  expect(zones[0]!.label).toMatch(/^\p{Script=Arabic}/u)
})
