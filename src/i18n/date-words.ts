/** Dates as people read them, in the language of the text and the time zone of the company. */
import type { Language } from '../core/vocabulary/hooks.ts'
import { isolated } from './isolate.ts'

const LOCALES: Record<Language, string> = { en: 'en-GB-u-nu-latn', ar: 'ar-u-nu-latn-ca-gregory' }
const MINUTE = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const POP_ISOLATE = '\u2069'

/** Returns a moment in the time zone of a company, with its offset: `Tue, 1 Dec 2026, 13:00 (UTC+3)`. */
function momentIn(language: Language, at: Date, timeZone: string): string {
  const day = new Intl.DateTimeFormat(LOCALES[language], { ...MINUTE, timeZone }).format(at)
  const offset = offsetAt(at, timeZone)
  return language === 'en'
    ? `${day} (${offset})`
    : `${day} (${LEFT_TO_RIGHT_ISOLATE}${offset}${POP_ISOLATE})`
}

/** Returns a moment for a sentence, isolated in an Arabic one. */
export function momentInText(language: Language, at: Date, timeZone: string): string {
  const moment = momentIn(language, at, timeZone)
  return language === 'ar' ? isolated(moment) : moment
}

/** Formats a wall time such as `2026-12-01T13:00` for people. Returns any other text unchanged. */
export function wallTimeIn(language: Language, wall: string): string {
  const at = new Date(`${wall.slice(0, 16)}:00Z`)
  if (Number.isNaN(at.getTime())) return wall
  return new Intl.DateTimeFormat(LOCALES[language], { ...MINUTE, timeZone: 'UTC' }).format(at)
}

function offsetAt(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    timeZoneName: 'shortOffset',
  }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name.replace('GMT', 'UTC').replace(/^UTC\+0$/, 'UTC')
}
