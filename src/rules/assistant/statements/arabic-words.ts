/** Splits Arabic words from their prefixes and suffixes, and reads whose possession a word names. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import {
  NOT_YOURS,
  STAFF,
  THINGS,
  type BECAME,
  type STEMS,
} from '../../../core/vocabulary/statements/arabic.ts'
import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'
import { memoize } from '../../text/memoize.ts'

/** People of the business as a mixed sentence names them. */
const LATIN_STAFF =
  wordSet(`chef doctor nurse boss owner technician engineer team support agent manager supervisor staff
  admin reception`)

type Rows = typeof STEMS | typeof BECAME

/** Returns the kinds of acts that each stem of these lists stands for. */
export function kindsByStem(rows: Rows): ReadonlyMap<string, readonly ClaimKind[]> {
  const kinds = new Map<string, ClaimKind[]>()
  for (const [list, of] of rows) {
    for (const stem of list.split(' ')) kinds.set(stem, [...(kinds.get(stem) ?? []), ...of])
  }
  return kinds
}

/** Returns a word without a joined "and" or "so". */
export const withoutAnd = memoize((word) => (/^[وف]\p{L}{2}/u.test(word) ? word.slice(1) : word))

/** Returns a word without its article and the prefixes before it. */
export const bare = memoize((word) =>
  word.replace(/^(?:[وف])?(?:وال|بال|كال|عال|هال|لل|ال|ب(?=\p{L}{4})|ل(?=\p{L}{4}))/u, ''),
)

const YOURS = /^(\p{L}{2,})(?:ك|كم|كي|كو|كن|ج)$/u

/** Returns whether a word has the suffix "your", so that it names a possession of the customer. */
export const isYours = memoize((word): boolean => {
  if (OF_YOU.has(word)) return true
  if (NOT_YOURS.has(word) || NOT_YOURS.has(withoutAnd(word))) return false
  const [, noun] = YOURS.exec(word) ?? []
  if (noun === undefined) return false
  if (word.endsWith('ج') || word.endsWith('كن') || word.endsWith('كي')) return isThingWord(noun)
  return !VERBAL.test(word) || isThingWord(noun) || noun === 'بيانات'
})

/** «طلب الاسترداد الخاص بك». */
const OF_YOU = new Set(['الخاص', 'الخاصه', 'بتاعك', 'بتاعتك', 'بتاعكم', 'بتاعتكم', 'تبعك', 'تبعتك'])

/** Verbs that have the customer as their object end alike: "يكلمك", "احولك". */
const VERBAL = /^[وف]?(?:س|ه|ح|ب)?[يتن]\p{L}{3,}ك(?:م)?$/u

/** Returns whether a word names an object of trade, with or without its article. */
export const isThing = memoize((word) => isThingWord(bare(word)) || isThingWord(word))

function isThingWord(word: string): boolean {
  if (THINGS.has(word)) return true
  // "دفعتك" holds "دفعه", whose last letter was another.
  return word.endsWith('ت') && THINGS.has(`${word.slice(0, -1)}ه`)
}

/** Returns whether a word names a possession of the customer, or an object of trade. */
export const isTheirs = (word: string): boolean => isYours(word) || isThing(word)

/** Returns whether a word has the suffix "our": "فرعنا", "أسعارنا". */
export const isOurs = memoize((word) => /\p{L}{2}نا$/u.test(word) && !isThing(word))

/** Returns whether a word names a person or department of the business. */
export const isStaff = memoize((word): boolean => {
  const plain = bare(withoutAnd(word))
  // Sunday is written like "the one".
  if (plain === 'احد' && plain !== withoutAnd(word).replace(/^[لب]/u, '')) return false
  return (
    LATIN_STAFF.has(word) ||
    STAFF.has(word) ||
    STAFF.has(plain) ||
    STAFF.has(bare(word)) ||
    STAFF.has(word.replace(/^[لب]/u, ''))
  )
})
