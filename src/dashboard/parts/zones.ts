/** Time zones by city and offset, in the language of the interface. */
import type { Language } from '../../core/vocabulary/hooks.ts'
import { localeOf } from '../words/locale.ts'

/** The cities that are listed first, in Arabic, and also in English for zones with an outdated name. */
const ARABIC: Readonly<Record<string, string>> = {
  'Asia/Riyadh': 'الرياض',
  'Asia/Dubai': 'دبي',
  'Asia/Kuwait': 'الكويت',
  'Asia/Bahrain': 'البحرين',
  'Asia/Qatar': 'الدوحة',
  'Asia/Muscat': 'مسقط',
  'Asia/Aden': 'عدن',
  'Asia/Baghdad': 'بغداد',
  'Asia/Amman': 'عمّان',
  'Asia/Beirut': 'بيروت',
  'Asia/Damascus': 'دمشق',
  'Asia/Hebron': 'الخليل',
  'Asia/Gaza': 'غزة',
  'Asia/Jerusalem': 'القدس',
  'Africa/Cairo': 'القاهرة',
  'Africa/Khartoum': 'الخرطوم',
  'Africa/Tripoli': 'طرابلس',
  'Africa/Tunis': 'تونس',
  'Africa/Algiers': 'الجزائر',
  'Africa/Casablanca': 'الدار البيضاء',
  'Africa/Nouakchott': 'نواكشوط',
  'Africa/Mogadishu': 'مقديشو',
  'Africa/Djibouti': 'جيبوتي',
  'Indian/Comoro': 'جزر القمر',
  'Europe/Istanbul': 'إسطنبول',
  'Asia/Tehran': 'طهران',
  'Asia/Karachi': 'كراتشي',
  'Asia/Kolkata': 'كولكاتا',
  'Asia/Calcutta': 'كولكاتا',
  'Asia/Dhaka': 'دكا',
  'Asia/Jakarta': 'جاكرتا',
  'Asia/Kuala_Lumpur': 'كوالالمبور',
  'Asia/Singapore': 'سنغافورة',
  'Asia/Shanghai': 'شنغهاي',
  'Asia/Tokyo': 'طوكيو',
  'Europe/London': 'لندن',
  'Europe/Paris': 'باريس',
  'Europe/Berlin': 'برلين',
  'Europe/Madrid': 'مدريد',
  'Europe/Rome': 'روما',
  'Europe/Moscow': 'موسكو',
  'America/New_York': 'نيويورك',
  'America/Chicago': 'شيكاغو',
  'America/Los_Angeles': 'لوس أنجلوس',
  'America/Toronto': 'تورونتو',
  'America/Sao_Paulo': 'ساو باولو',
  'Australia/Sydney': 'سيدني',
  UTC: 'التوقيت العالمي',
}
const ENGLISH: Readonly<Record<string, string>> = {
  'Asia/Qatar': 'Doha',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Katmandu': 'Kathmandu',
  'Asia/Rangoon': 'Yangon',
  'Asia/Saigon': 'Ho Chi Minh City',
  'Europe/Kiev': 'Kyiv',
  'America/Godthab': 'Nuuk',
}

/** Returns the English city of a zone: `Los Angeles` for `America/Los_Angeles`. */
const englishCity = (zone: string): string =>
  ENGLISH[zone] ?? zone.split('/').at(-1)!.replaceAll('_', ' ')

/** Returns a part of the name of a zone's time. */
function timeName(
  zone: string,
  at: Date,
  [locale, timeZoneName]: [string, 'longOffset' | 'longGeneric'],
): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** Returns the offset of a zone from UTC at a time: `UTC+3`, `UTC+5:30`, `UTC`. */
export function offsetOf(zone: string, at: Date): string {
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(
    timeName(zone, at, ['en', 'longOffset']),
  ) ?? ['', '', '', '']
  if (!sign || `${hours}${minutes}` === '0000') return 'UTC'
  return `UTC${sign}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`
}

/**
 * Returns a zone as it is shown: `Riyadh (UTC+3)`. In Arabic a city without an Arabic name follows the name of its
 * time.
 */
export function nameZone(zone: string, language: Language, at: Date): string {
  if (zone === 'UTC') return language === 'en' ? 'UTC' : `${ARABIC[zone]} (\u2066UTC\u2069)`
  const offset = `(\u2066${offsetOf(zone, at)}\u2069)`
  const city = englishCity(zone)
  if (language === 'en') return `${city} ${offset}`
  const arabic = ARABIC[zone]
  if (arabic !== undefined) return `${arabic} ${offset}`
  return `${timeName(zone, at, [localeOf('ar'), 'longGeneric'])}، \u2066${city}\u2069 ${offset}`
}

/** A time zone of a choice: its IANA name and its text. */
export type ZoneOption = { value: string; label: string }

/** Returns the zones to choose from: the most common ones first, then the others, each part sorted by name. */
export function listZones(language: Language, at: Date, also: string): ZoneOption[] {
  const { compare } = new Intl.Collator(localeOf(language))
  const isCommon = (zone: string) => Object.hasOwn(ARABIC, zone)
  return [...new Set([also, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
    .filter(Boolean)
    .map((value) => ({ value, label: nameZone(value, language, at) }))
    .toSorted(
      (one, other) =>
        Number(isCommon(other.value)) - Number(isCommon(one.value)) ||
        compare(one.label, other.label),
    )
}

/** Returns whether a zone matches the typed text: a city in either language, its name, or its offset. */
export function isZoneFound({ value, label }: ZoneOption, typed: string): boolean {
  const words = [label, value, englishCity(value), ARABIC[value] ?? '']
  return fold(words.join(' ')).includes(fold(typed))
}

/** Returns the text without marks of direction, in lower case, with one form of each Arabic letter. */
function fold(text: string): string {
  return text
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .replaceAll(/[أإآ]/g, 'ا')
    .replaceAll('ة', 'ه')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase()
}
