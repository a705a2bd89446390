/** Finds English claims of completed acts, by the forms of words: subject, tense, verb and owner. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import {
  CONDITIONS,
  DENIALS,
  MANY_THINGS,
  MODALS,
  NO_DEEDS,
  TELLING,
  USUAL,
} from '../../../core/vocabulary/statements/english.ts'
import { OTHERS } from '../../../core/vocabulary/statements/english-promises.ts'
import { behindAdverbs, isDeed, isPast, isThing, kindsOf } from './english-verbs.ts'
import { isOwnDeed } from './english-deeds.ts'
import { isClaimedOf, subjectOf, type Tense } from './english-subjects.ts'
import { isTheirs as isArabicThing } from './arabic-words.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

/** Returns whether a word before an index cancels a claim: a denial, a "can", a condition. */
export function isHedged(words: Words, end: number): boolean {
  if (lastRead.words !== words) {
    const at = words.findIndex((_, place) => holds(words, place))
    lastRead = { words, held: at === -1 ? words.length : at }
  }
  return lastRead.held < end
}

/** The cached result for the last clause, since each of its words reads it. */
let lastRead: { words: Words; held: number } = { words: [], held: 0 }

function holds(words: Words, at: number): boolean {
  const word = words[at]!
  if (word === 'no' && NO_TROUBLE.has(words[at + 1] ?? '')) return false
  if (word === 'soon' && words[at - 1] === 'as') return true
  if (DENIALS.has(word) || MODALS.has(word) || CONDITIONS.has(word)) return true
  return word === 'after' || word === 'before' || word === 'yet' || word === 'fully'
}

const NO_TROUBLE = wordSet('problem problems worries worry need trouble doubt more time')

/**
 * Returns the claims of an English clause that an act was done. `isOwnBefore` means that "I" or "we" acted in the
 * clause before it.
 */
export function readEnglishClaims(words: Words, isOwnBefore: boolean): Found[] {
  const found: Found[] = []
  for (let at = 0; at < words.length; at++) {
    const claim = claimAt(words, at)
    if (claim && !isHedged(words, at)) found.push(claim)
  }
  if (found.length > 0) return found
  const alone = doneAlone(words, isOwnBefore) ?? doneOnBehalf(words)
  return alone ? [alone] : []
}

function claimAt(words: Words, at: number): Found | null {
  const word = words[at]!
  if (word === 'i' || word === 'we') return ownAt(words, at)
  if (BE.has(word) || word === 'has' || word === 'have' || word === 'had' || word === "'s") {
    return passiveAt(words, at)
  }
  if (ENDED.has(word)) return endedAt(words, at)
  return DOERS.has(word) ? doneByOthers(words, at) : null
}

const BE = new Set(['is', 'are', 'was', 'were', 'got'])

/** "I cancelled it", "we have booked your table", "I am cancelling it". */
function ownAt(words: Words, at: number): Found | null {
  const isWe = words[at] === 'we'
  let place = behindAdverbs(words, at + 1)
  const first = words[place]
  if (first === 'am' || first === 'are')
    return ongoing(words, behindAdverbs(words, place + 1), isWe)
  const isPerfect = first === 'have' || first === 'had' || first === "'s"
  if (isPerfect) place = behindAdverbs(words, place + 1)
  if (words[place] === 'been' && words[place + 1] !== 'able') {
    return ongoing(words, behindAdverbs(words, place + 1), isWe)
  }
  if (words[place - 1] === 'of' && words[place]?.endsWith('ing') && isDeed(words[place]!)) {
    return { form: 'own', kinds: kindsOf(words[place]!, words), word: words[place]! }
  }
  const able = words.slice(place, place + 3).join(' ')
  if (able.startsWith('managed to')) return managed(words, place + 2)
  if (able === 'was able to' || able === 'been able to') return managed(words, place + 3)
  const isAhead = words.slice(at + 1, place).includes('ahead')
  const got = (isPerfect ? gotDone(words, place - 1) : null) ?? gotDone(words, place)
  if (got && !(isWe && !words.some((word) => word === 'you' || word === 'your'))) return got
  return doneFrom(words, place, isWe && !isAhead)
}

/** Returns the first act in a series of verbs joined by "and"; null when there is none. */
function doneFrom(words: Words, from: number, isWe: boolean): Found | null {
  for (let place = from; isPast(words[place]);) {
    const verb = words[place]!
    if (isOwnDeed(words, place, isWe)) {
      return { form: 'own', kinds: kindsOf(verb, words.slice(place)), word: verb }
    }
    const and = words.indexOf('and', place)
    if (and === -1) return null
    place = behindAdverbs(words, and + 1)
  }
  return null
}

/** "I got you booked in", "I have your order cancelled". */
function gotDone(words: Words, place: number): Found | null {
  if (!['got', 'have', 'had', 'gotten'].includes(words[place] ?? '')) return null
  const from = words[place + 1] === 'got' ? place + 2 : place + 1
  if (
    !['you', 'it', 'that', 'this', 'your', 'everything', 'the', 'them'].includes(words[from] ?? '')
  ) {
    return null
  }
  for (let at = from + 1; at < Math.min(words.length, from + 6); at++) {
    const word = words[at]!
    if (isPast(word) && isDeed(word) && !NO_DEEDS.has(word)) {
      return { form: 'own', kinds: kindsOf(word, words.slice(at)), word }
    }
    if (word === 'down' || (word === 'in' && at === from + 1)) {
      return { form: 'own', kinds: ['books'], word }
    }
  }
  return null
}

/** "I managed to get you a table." */
function managed(words: Words, place: number): Found | null {
  const verb = words[place] ?? ''
  const isGot = ['get', 'find', 'squeeze', 'fit'].includes(verb) && words[place + 1] === 'you'
  const isDone =
    isDeed(verb) &&
    words.slice(place + 1).some((word) => ['you', 'your', 'it'].includes(word) || isThing(word))
  return isGot || isDone
    ? { form: 'own', kinds: kindsOf(verb, words.slice(place)), word: verb }
    : null
}

/** Objects that the same message can deliver: "I am sending you the link". */
const GIVEN_HERE =
  wordSet(`link list photo photos picture pictures options details map location price prices catalogue
  menu`)

/** "I am cancelling it", "we are processing your refund". */
function ongoing(words: Words, place: number, isWe: boolean): Found | null {
  const verb = words[place]
  const behind = words.slice(place + 1)
  if (verb === 'going' && words[place + 1] === 'ahead') {
    return ongoing(words, behindAdverbs(words, place + 2), isWe)
  }
  const isKept = verb === 'keeping' && KEPT_FOR.some((word) => behind.includes(word))
  if (!verb?.endsWith('ing') || verb === 'being' || !(isDeed(verb) || isKept)) return null
  if (behind.some((word) => GIVEN_HERE.has(word)) || behind.slice(0, 3).includes('that'))
    return null
  if (isWe && !behind.slice(0, 6).some((word) => ['your', 'you', 'it'].includes(word))) return null
  return { form: 'now', kinds: kindsOf(verb, behind), word: verb }
}

const KEPT_FOR = ['until', 'till', 'aside']

/** "… is cancelled", "… has been changed", "… is being refunded". */
function passiveAt(words: Words, at: number): Found | null {
  const word = words[at]!
  let place = behindAdverbs(words, at + 1)
  let tense: Tense = word === 'was' || word === 'were' ? 'past' : 'present'
  if (!BE.has(word) && words[place] === 'been') {
    tense = 'perfect'
    place = behindAdverbs(words, place + 1)
  } else if (word === 'has' || word === 'have' || word === 'had') {
    return null
  } else if (word === 'got') tense = 'past'
  const isOngoing = words[place] === 'being'
  if (isOngoing) place = behindAdverbs(words, place + 1)
  // "That is you booked in", "that's your order cancelled".
  if (word === 'is' || word === "'s") {
    const yours = yoursDone(words, place)
    if (yours) return yours
  }
  const verb = words[place]
  if (!isPast(verb)) return null
  if (words.slice(at, place).some((one) => DENIALS.has(one) || one === 'fully')) return null
  if (place > 0 && words[place - 1] === 'automatically') return null
  if (TELLING.has(verb) && words.slice(Math.max(0, at - 2), at).some((one) => OTHERS.has(one))) {
    return { form: 'own', kinds: ['sends'], word: verb }
  }
  const subject = subjectOf(words, at)
  if (subject === null) return null
  if (!isClaimedOf(subject, words, place, tense)) {
    // "It has been found and put aside for you."
    const second = words[place + 1] === 'and' ? behindAdverbs(words, place + 2) : -1
    const isSecond = isPast(words[second]) && isClaimedOf(subject, words, second, tense)
    return isSecond
      ? { form: 'theirs', kinds: kindsOf(words[second]!, words), word: words[second]! }
      : null
  }
  const kinds = kindsOf(verb, words)
  return { form: isOngoing ? 'now' : 'theirs', kinds, word: verb }
}

function yoursDone(words: Words, place: number): Found | null {
  if (words[place] !== 'you' && words[place] !== 'your') return null
  const verb = words.slice(place + 1, place + 5).find((one) => isPast(one) && isDeed(one))
  return verb === undefined ? null : { form: 'theirs', kinds: kindsOf(verb, words), word: verb }
}

const ENDED = wordSet('ended stopped moved changed renewed cleared resumed')

/** "Your subscription ended." */
function endedAt(words: Words, at: number): Found | null {
  const isYours = words[0] === 'your' && at >= 2 && at <= 4
  if (
    !isYours ||
    words.slice(1, at).some((word) => BE.has(word) || word === 'has' || word === 'you')
  )
    return null
  const verb = words[at]!
  return {
    form: 'theirs',
    kinds: verb === 'ended' ? ['cancels'] : kindsOf(verb, words),
    word: verb,
  }
}

const DOERS = wordSet(
  `system they shop store warehouse team manager bank courier colleague clinic he she`,
)

/** "The system has cancelled your order." */
function doneByOthers(words: Words, at: number): Found | null {
  let place = behindAdverbs(words, at + 1)
  if (words[place] === 'has' || words[place] === 'have') place = behindAdverbs(words, place + 1)
  const verb = words[place]
  if (!isPast(verb) || !isDeed(verb) || NO_DEEDS.has(verb)) return null
  const near = words.slice(place + 1, place + 5)
  if (APPROVES.has(verb) && near.some(isThing))
    return { form: 'theirs', kinds: ['other'], word: verb }
  if (near[0] === 'by' || !near.some((word) => ['your', 'you', 'it'].includes(word))) return null
  return { form: 'theirs', kinds: kindsOf(verb, words), word: verb }
}

const APPROVES = wordSet('approved accepted authorised authorized okayed granted agreed allowed')

/** A participle without who did it: "Booked!", "Coupon applied", "Just sent it to you". */
function doneAlone(words: Words, isOwnBefore: boolean): Found | null {
  let from = behindAdverbs(words, 0)
  while (words[from] !== undefined && OPENERS.has(words[from]!))
    from = behindAdverbs(words, from + 1)
  if (words[from] === 'has' || words[from] === 'have') from = behindAdverbs(words, from + 1)
  const verb = words[from]
  if (verb === 'got') return gotDone(words, from)
  if (isPast(verb)) {
    const next = words[from + 1]
    const isBare =
      next === undefined ||
      ALONE_BEHIND.has(next) ||
      (next === 'in' && words[from + 2] === 'full') ||
      (PLACES.has(next) && words.slice(from + 1).some((word) => word === 'your' || word === 'you'))
    const isObject =
      next !== undefined &&
      (['it', 'your', 'that', 'this', 'you', 'both'].includes(next) ||
        (['the', 'a', 'an', 'one', 'two'].includes(next) &&
          words.slice(from + 1, from + 6).some(isThing)))
    // "Put you down for two seats": "put your card in" asks the customer to.
    const isPutDown = verb === 'put' && next === 'you'
    const isOwn = isDeed(verb) && (isPutDown || !NOT_ALONE.has(verb)) && (isBare || isObject)
    if (isOwn && !(NO_DEEDS.has(verb) && !isOwnBefore)) {
      return { form: 'own', kinds: kindsOf(verb, words), word: verb }
    }
    return null
  }
  return thingDone(words)
}

/** "Refund requested on your behalf." */
function doneOnBehalf(words: Words): Found | null {
  const at = words.indexOf('behalf')
  if (at < 2 || words[at - 1] !== 'your' || isHedged(words, at)) return null
  const verb = words.slice(0, at - 2).find(isPast)
  return verb === undefined ? null : { form: 'own', kinds: kindsOf(verb, words), word: verb }
}

const OPENERS = wordSet('ok okay great perfect sure yes alright and done good')
const NOT_ALONE = wordSet('accepted closed made processed put taken set received paid')
const ALONE_BEHIND = wordSet('for as successfully now already ✅ ✔ ☑ to and on too just')
/** Behind these it may be how things are: "sent from our warehouse". */
const PLACES = new Set(['in', 'from', 'at', 'with', 'under', 'into'])

/** "Coupon applied", "Order 1042 cancelled", "Refund sent to your card". */
function thingDone(words: Words): Found | null {
  const at = words.findIndex((word, place) => place > 0 && isPast(word) && isDeed(word))
  if (at === -1 || at > 7) return null
  if (words.slice(0, at).some((word) => DENIALS.has(word) || HAS_VERB.has(word))) return null
  if (words.slice(at + 1).some((word) => HAS_VERB.has(word))) return null
  if (isHedged(words, at)) return null
  const verb = words[at]!
  const isToYou = words.slice(at + 1, at + 6).includes('your')
  const before = words.slice(0, at)
  const ownsIt = before.includes('our')
  const isThingBefore = before
    .slice(-3)
    .some((word) => isThing(word) || /\d/.test(word) || isArabicThing(word))
  // "Changes saved."
  const isAll = words.length === 2 && MANY_THINGS.has(words[0]!)
  const next = words[at + 1]
  const isClosed =
    next === undefined || ALONE_BEHIND.has(next) || PLACES.has(next) || CLOSES_IN_ARABIC.has(next)
  if (ownsIt || USUAL.has(next ?? '') || !(isToYou || isAll || (isThingBefore && isClosed)))
    return null
  return { form: 'theirs', kinds: kindsOf(verb, words), word: verb }
}

/** Words that end a claim in a mixed sentence: «الـ booking confirmed لك», «طلبك cancelled خلاص». */
const CLOSES_IN_ARABIC = wordSet('لك لكم لكي خلاص الان الحين دلوقتي هلق بنجاح تمام علي على')

const HAS_VERB =
  wordSet(`is are was were has have had will would can could do does did takes take get gets comes come
  costs need needs must be arrive arrives ship ships go goes want i you we they he she`)
