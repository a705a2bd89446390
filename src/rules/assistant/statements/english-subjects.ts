/** Reads the owner of the subject of an English clause, and decides whether the clause is a claim. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import {
  DONE_WITH_YOU,
  MANY_THINGS,
  STATES,
  TAKEN_BY_OTHERS,
  USUAL,
} from '../../../core/vocabulary/statements/english.ts'
import { isDeed, isThing } from './english-verbs.ts'

type Words = readonly string[]

/** The tense of a passive clause: "is", "was" or "has been". */
export type Tense = 'present' | 'past' | 'perfect'

/** The subject of a clause by its owner: `else` has none, and `thing` is an object of trade. */
type Subject = { whose: 'your' | 'you' | 'it' | 'all' | 'thing' | 'else'; noun: string }

/** Returns the subject before the verb; null for a possession of the business, or for several in general. */
export function subjectOf(words: Words, be: number): Subject | null {
  const last = words[be - 1] ?? ''
  if (last === 'you') return { whose: 'you', noun: '' }
  const before = words.slice(Math.max(0, be - 8), be)
  const our = before.lastIndexOf('our')
  const your = Math.max(before.lastIndexOf('your'), before.lastIndexOf('yours'))
  if (our > your) return null
  if (your !== -1) return { whose: 'your', noun: last }
  if (last === 'everything' || last === 'all') return { whose: 'all', noun: '' }
  if (last === 'it' || last === 'this' || last === 'that' || last === 'they' || last === 'both') {
    const isRelative = last === 'that' && be > 1 && !JOINS.has(words[be - 2]!)
    return isRelative ? null : { whose: 'it', noun: '' }
  }
  if (last === 'that' || last === 'which' || last === 'who') return null
  const head = headOf(before)
  const things = isThing(head) || MANY_THINGS.has(head) ? [head] : []
  if (things.length === 0) return { whose: 'else', noun: last }
  const isMany = things.every((word) => MANY_THINGS.has(word))
  const isNamed = before.some((word) => DETERMINERS.has(word))
  return isMany && !isNamed ? null : { whose: 'thing', noun: things.at(-1)! }
}

/** Returns the head word of a subject: "the order for Sara", "order 1042", "the booking you made". */
function headOf(before: Words): string {
  const cut = before.findIndex((word, at) => at > 0 && BEHIND_NOUN.has(word))
  const nouns = (cut === -1 ? before : before.slice(0, cut)).filter(
    (word) => !/\d/.test(word) && word !== 'number' && word !== 'no',
  )
  return nouns.at(-1) ?? (before.includes('number') ? 'number' : '')
}

const BEHIND_NOUN = wordSet('for of on under with from to at in you i we that which by about')

const JOINS = new Set(['and', 'so', 'yes', 'ok', 'okay', 'sure', 'great', 'well', 'then', 'now'])
const DETERMINERS = new Set(['the', 'all', 'both', 'these', 'those', 'this', 'that'])
const NOW =
  wordSet(`now already you and as successfully today just ✅ ✔ ☑ too instead anymore to too through in
  at under on then sir till until`)

/** Returns whether a clause about a subject is a claim, by the subject's owner and the tense. */
export function isClaimedOf(
  { whose, noun }: Subject,
  words: Words,
  place: number,
  tense: Tense,
): boolean {
  const verb = words[place]!
  if (isUsual(words, place, tense)) return false
  // "The order was sent already": it is on its way to the customer, which is no claim.
  if (verb === 'sent' && words.slice(0, place).some((word) => GOODS.has(word))) return false
  if (whose === 'your') {
    if (verb === 'placed' && tense === 'past' && !words.includes('successfully')) return false
    if (verb === 'closed' && CLOSED.has(noun)) return true
    if (verb === 'guaranteed' && TAKEN_BY_OTHERS.has(noun)) return true
    if (verb === 'linked')
      return tense !== 'present' || words.includes('new') || isEnd(words, place)
    return verb === 'received' ? isMoney(words) : !STATES.has(verb)
  }
  if (whose === 'you') return tense === 'present' ? DONE_WITH_YOU.has(verb) : !STATES.has(verb)
  return isDeed(verb) && isClosed({ whose, noun }, words, place, tense)
}

/**
 * Returns whether a clause describes the general practice: "… is refunded within a week", "… is sent by our courier".
 */
function isUsual(words: Words, place: number, tense: Tense): boolean {
  const next = words[place + 1] ?? ''
  const isBy = next === 'by' && ['our', 'the', 'hand'].includes(words[place + 2] ?? '')
  if (tense === 'present') return isBy || USUAL.has(next)
  return ['once', 'when', 'whenever', 'if', 'unless'].includes(next)
}

/** Returns whether only a time or a recipient follows the verb of a subject without an owner. */
function isClosed({ whose, noun }: Subject, words: Words, place: number, tense: Tense): boolean {
  if (whose === 'else') {
    const next = words[place + 1] ?? ''
    const isUntil = next === 'till' || next === 'until' || isForYou(words, place)
    if ((HELD.has(words[place]!) || next === 'aside') && (isUntil || isForYou(words, place)))
      return true
    return tense !== 'present' && isForYou(words, place)
  }
  if (whose === 'it') {
    const isTheirs = tense === 'past' && isForYou(words, place)
    return tense === 'perfect' || isTheirs || isEnd(words, place)
  }
  if (TAKEN_BY_OTHERS.has(noun) && TAKEN.has(words[place]!)) return isForYou(words, place)
  const isForAll = whose === 'all' && words[place + 1] === 'for'
  return tense !== 'present' || isForAll || isEnd(words, place)
}

const GOODS = new Set(['order', 'parcel', 'package', 'shipment', 'item', 'delivery'])
const TAKEN = new Set(['booked', 'reserved', 'taken', 'held', 'set'])
/** Things that a business closes for a customer. */
const CLOSED = wordSet('account ticket case complaint request card profile')
const HELD = new Set(['reserved', 'booked', 'held', 'saved'])
const isMoney = (words: Words) =>
  words.some((word) =>
    ['payment', 'deposit', 'money', 'transfer', 'return', 'refund', 'application', 'fee'].includes(
      word,
    ),
  )
const isForYou = (words: Words, place: number) =>
  words.slice(place + 1, place + 6).some((word) => word === 'you' || word === 'your')

function isEnd(words: Words, place: number): boolean {
  // "The return is set up."
  const next = words[place + (PARTICLES.has(words[place + 1] ?? '') ? 2 : 1)]
  if (next === undefined) return true
  if (next === 'at' || next === 'in' || next === 'on' || next === 'to' || next === 'under')
    return isForYou(words, place)
  if (next === 'for')
    return !words.slice(place + 2, place + 4).some(isForMany) || /\d/u.test(words[place + 2] ?? '')
  return NOW.has(next)
}

const PARTICLES = new Set(['up', 'off', 'out', 'with'])

/** "It is waived for orders above 200" is a rule, "it is waived for you" and "… for Sara" are claims. */
const isForMany = (word: string) =>
  FOR_MANY.has(word) || (word.length > 4 && word.endsWith('s') && !word.endsWith('ss'))
const FOR_MANY =
  wordSet(`all any every everyone everybody anyone each people children kids women men those whoever up
  new large small`)
