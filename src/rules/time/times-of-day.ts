/** Reads the times of day that people write: `17:00`, `5 pm`, `at 5`, `الساعة ٥`, `الساعة الخامسة مساءً`. */
import { HOUR_NAMES, HOUR_WORDS } from '../../core/vocabulary/days.ts'
import { foldText } from '../text/fold-text.ts'

/** A time of day as written. Without a half of the day, hours from 1 to 12 may be in either. */
export type TimeOfDay = {
  hour: number
  minute: number
  half: 'morning' | 'afternoon' | null
  /** False for a bare number after a word that other numbers follow too: "at 12 Olaya Street". */
  isCertain: boolean
}

const oneOf = (words: readonly string[]) => `(?:${words.join('|')})`
const HALF = `\\s{0,2}(?:(?<am>${oneOf(HOUR_WORDS.morning)})|(?<pm>${oneOf(HOUR_WORDS.afternoon)})|(?<any>${oneOf(HOUR_WORDS.eitherHalf)}))(?!\\p{L})`
const END_OF_TIME = '(?<end>(?=\\s{0,2}(?:$|[.,!)]|on |in the |tomorrow|today)))'
const BEFORE = `(?<!\\p{L})(?:(?<sure>${oneOf(HOUR_WORDS.before)})|${oneOf(HOUR_WORDS.maybeBefore)})\\s{1,2}`
/** A bare number counts as an hour only next to a word for it, because it may be a day, a price or a floor. */
const WRITTEN = [
  `(?<![\\d:.])(?<h>\\d{1,2}):(?<m>\\d{2})(?![:.]?\\d)(?:${HALF})?`,
  `(?<![\\d:.,/])(?<h>\\d{1,2})${HALF}`,
  `${BEFORE}(?<h>\\d{1,2})(?![\\d:.]*\\d)(?:${HALF}|${END_OF_TIME})?`,
  `(?<sure>الساعه)\\s{1,2}(?:ال)?(?<name>${oneOf(HOUR_NAMES.toReversed())})(?!\\p{L})(?:${HALF})?`,
].map((pattern) => new RegExp(pattern, 'gu'))
const HOUR_OF_NAME = new Map<string, number>(HOUR_NAMES.map((name, at) => [name, at + 1]))

/** Returns the times of day that a text names, in any digits. Time is linear in the length of the text. */
export function timesOfDay(text: string): TimeOfDay[] {
  const folded = foldText(text)
  return WRITTEN.flatMap((pattern) => [...folded.matchAll(pattern)].map(timeOf)).filter(
    ({ hour, minute }) => hour <= 24 && minute < 60,
  )
}

function timeOf({ groups = {} }: RegExpExecArray): TimeOfDay {
  const { h, m, name, am, pm, any, sure, end } = groups
  return {
    hour: name === undefined ? Number(h) : HOUR_OF_NAME.get(name)!,
    minute: Number(m ?? 0),
    half: am === undefined ? (pm === undefined ? null : 'afternoon') : 'morning',
    isCertain: [m, am, pm, any, sure, end].some((part) => part !== undefined),
  }
}
