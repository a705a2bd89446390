/** Finds English promises that a person of the business will act, or claims that one was asked to. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import {
  AT_WORK,
  COME_BACK,
  PASS_ON_BEGINNINGS,
  STAFF,
  WAITS,
} from '../../../core/vocabulary/statements/english-promises.ts'
import { CONDITIONS, DENIALS, TELLING } from '../../../core/vocabulary/statements/english.ts'
import { isStaff as isArabicStaff } from './arabic-words.ts'
import { behindAdverbs, isPast } from './english-verbs.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

const PROMISED: Found = { form: 'staff', kinds: ['other'], word: 'staff' }

/** Returns the promise of an English clause that a person of the business will act; empty when it has none. */
export function readEnglishPromises(words: Words): Found[] {
  const text = ` ${words.join(' ')} `
  if (
    words.some(
      (word) =>
        CONDITIONS.has(word) &&
        word !== 'once' &&
        word !== 'until' &&
        word !== 'till' &&
        word !== 'when',
    )
  )
    return []
  const waits = WAITS.some((wording) => text.includes(` ${wording} `))
  const isOpen = words.some((word) => word === 'can' || word === 'could')
  if (
    waits &&
    !words.some((word) => DENIALS.has(word)) &&
    (!isOpen || text.includes(' you can expect '))
  )
    return [PROMISED]
  if (SHOP_CALLS.test(text) && !words.some((word) => DENIALS.has(word))) return [PROMISED]
  const staff = words.findIndex((word, at) => isStaff(words, at))
  if (staff !== -1 && staffActs(words, staff)) return [PROMISED]
  for (let at = 0; at < words.length; at++) {
    if ((words[at] === 'i' || words[at] === 'we') && promisedBy(words, at, text)) return [PROMISED]
    if (words[at] === 'let' && words[at + 1] === 'me' && letMe(words, at)) return [PROMISED]
    if (isPassedOn(words, at, staff !== -1)) return [PROMISED]
  }
  // "Transferring you now", "Escalated to the manager."
  const first = words[behindAdverbs(words, 0)] ?? ''
  if (isPassOn(first) && /(?:ed|ing|sent)$/u.test(first) && isGivenAway(words, 0, staff !== -1))
    return [PROMISED]
  return []
}

/** "The branch will call you tomorrow." */
const SHOP_CALLS =
  / (?:shop|store|branch|salon|clinic|restaurant|hotel) (?:will|is going to) (?:[a-z]{1,12}ly )?(?:call|contact|phone|ring|message|email|text|write to|get back to|get in touch with|reach out to|reply to|answer) you /u

/** "Sales" and "people" count as staff only after "our", or when they act as one person. */
const WEAK =
  wordSet(`support kitchen sales people person crew finance billing logistics human buyers leadership
  reception anyone director workshop office desk counter studio lab designer designers founder
  girls guys lads boys ladies folks`)

const BEFORE_WEAK = wordSet(`our the a my customer with from human real technical right`)

function isStaff(words: Words, at: number): boolean {
  const word = words[at]!
  if (words[at - 1] === 'customer' && (word === 'service' || word === 'care')) return true
  // "Our موظف will call you."
  if (!STAFF.has(word)) return isOneOfUs(words, at) || isArabicStaff(word)
  if (words[at - 1] === 'no' || words[at - 1] === 'your') return false
  if (!WEAK.has(word)) return true
  // "Support will pick this up."
  if (at === 0 && words[1] === 'will') return true
  return BEFORE_WEAK.has(words[at - 1] ?? '')
}

/** "One of us", "one of our girls". */
const isOneOfUs = (words: Words, at: number) =>
  words[at] === 'one' &&
  words[at + 1] === 'of' &&
  (words[at + 2] === 'us' || (words[at + 2] === 'our' && !PLACES.has(words[at + 3] ?? '')))
const PLACES =
  wordSet(`shops stores branches salons clinics restaurants cafes rooms cars models products offers
  dresses sofas`)

/**
 * Returns whether staff is said to act: "A colleague will call you", "our team is looking into it", `the manager has
 * been told`.
 */
function staffActs(words: Words, staff: number): boolean {
  for (let at = staff + 1; at < words.length; at++) {
    const word = words[at]!
    const place = behindAdverbs(words, at + 1)
    // "The owner who called": what follows is of a clause about them.
    if (ENDS_SUBJECT.has(word) || DENIALS.has(word) || DENIALS.has(words[place] ?? '')) return false
    const acts = Object.hasOwn(ACTS, word) ? ACTS[word]!(words, place) : undefined
    if (acts !== undefined) return acts
    // "The manager's office": what follows is said of the office.
    if (word === "'s") return false
  }
  return false
}

const ENDS_SUBJECT = new Set(['can', 'could', 'may', 'who', 'that', 'which'])

type Acts = (words: Words, place: number) => boolean | undefined

/** "… will call you", "… will be in touch": "… will be at the fair" and "… will speak Arabic" promise nothing. */
const willAct: Acts = (words, place) => {
  const verb = words[place] ?? ''
  const behind = words.slice(place + 1, place + 9)
  if (verb === 'be') {
    const next = words[behindAdverbs(words, place + 1)] ?? ''
    if (['with', 'in', 'on', 'there', 'at', 'round', 'outside'].includes(next)) {
      return ['you', 'touch', 'contact', 'it', 'your'].some((one) => behind.includes(one))
    }
    return next.endsWith('ing') && (AT_WORK.has(next) || behind.some((one) => OF_YOU.has(one)))
  }
  // "… will have a look".
  const isLook = (verb === 'have' || verb === 'take') && behind[1] === 'look'
  return isLook || HANDLES.has(verb) || behind.some((one) => OF_YOU.has(one))
}
const OF_YOU = wordSet('you your it this that them one everything')
const HANDLES =
  wordSet(`call contact reply answer respond review check look handle investigate confirm follow get
  reach update process fix sort solve resolve arrange help assist take ring phone message
  email write see pick come drop bring collect send fix install repair visit`)

/** Reads "is …". Undefined means that the next verb decides: "our team is kind and will help". */
const isActing: Acts = (words, place) => {
  const verb = words[place] ?? ''
  const next = words[place + 1] ?? ''
  const isOnIt = verb === 'on' && ['it', 'this', 'the', 'your'].includes(next)
  return AT_WORK.has(verb) || isOnIt || (verb === 'going' && next === 'to') || undefined
}
const wasTold: Acts = (words, place) => TOLD.has(words[place] ?? '') || undefined
const hasBeenTold: Acts = (words, place) => {
  if (words[place] === 'been') return TOLD.has(words[behindAdverbs(words, place + 1)] ?? '')
  return HAS.has(words[place] ?? '') && words.slice(place, place + 3).some((one) => YOURS.has(one))
}
const knows: Acts = (words, place) =>
  words.length === place ||
  words.slice(place, place + 3).some((one) => ['about', 'your', 'that', 'you'].includes(one))

const HAS = new Set(['your', 'this', 'it', 'the', 'taken', 'started', 'received', 'got'])

/** Readers of the act of staff, by the verb that carries the tense. */
const ACTS: Readonly<Record<string, Acts>> = {
  will: willAct,
  shall: willAct,
  is: isActing,
  are: isActing,
  "'s": isActing,
  was: wasTold,
  were: wasTold,
  has: hasBeenTold,
  have: hasBeenTold,
  got: (words, place) => (YOURS.has(words[place] ?? '') ? true : undefined),
  knows,
  know: knows,
}

const YOURS = wordSet('your case message request ticket complaint details number it this over')
const TOLD = new Set([
  ...TELLING,
  'assigned',
  'given',
  'added',
  'looped',
  'involved',
  'updated',
  'briefed',
  'made',
  'booked',
  'scheduled',
  'sent',
])

const FUTURE = new Set(['will', 'shall', 'going', 'gonna', 'am', 'are'])

/** "I will get back to you", "I am asking my supervisor", "I have escalated this". */
function promisedBy(words: Words, at: number, text: string): boolean {
  const place = behindAdverbs(words, at + 1)
  const next = words[place] ?? ''
  const behind = words.slice(place + 1)
  if (behind.slice(0, 3).some((word) => DENIALS.has(word)) || DENIALS.has(next)) return false
  const hasStaff = behind.some((_, other) => isStaff(behind, other))
  if (FUTURE.has(next)) {
    if (asksAnother(words, place + 1)) return true
    const said = ` ${behind.join(' ')} `
    if (
      COME_BACK.some((wording) => said.includes(` ${wording} `) || said.includes(` ${wording}ing `))
    ) {
      return !isMild(said)
    }
    if (
      behind.slice(0, 3).some((word, nth) => isPassOn(word) && isGivenAway(behind, nth, hasStaff))
    )
      return true
    return hasStaff && isAskOrPass(behind)
  }
  const isPerfect = next === 'have' || next === 'had' || next === "'s"
  const verbAt = isPerfect ? behindAdverbs(words, place + 1) : place
  const verb = words[verbAt] ?? ''
  if (verb === 'been')
    return isPassOn(words[verbAt + 1] ?? '') && isGivenAway(words, verbAt + 1, hasStaff)
  if (!isPast(verb) && verb !== 'let') return false
  if (text.includes(' you have ') && !hasStaff) return false
  return verbsFrom(words, verbAt).some(
    (one) => (isPassOn(words[one]!) && isGivenAway(words, one, hasStaff)) || isToldTo(words, one),
  )
}

const ASKS_WITH = wordSet(
  `check checking confirm confirming verify consult consulting speak talk discuss`,
)

/** "I will ask the florist", "I'm going to check with our bank": the object is a person. */
function asksAnother(words: Words, from: number): boolean {
  let at = behindAdverbs(words, from)
  if (words[at] === 'going' && words[at + 1] === 'to') at = behindAdverbs(words, at + 2)
  const verb = words[at] ?? ''
  const next = words[at + 1] ?? ''
  if (verb.startsWith('ask')) {
    return (
      ['the', 'our', 'my', 'him', 'her', 'them'].includes(next) &&
      !words.slice(at + 2, at + 4).includes('question')
    )
  }
  const isWith = ASKS_WITH.has(verb)
  return isWith && (next === 'with' || next === 'to') && words[at + 2] !== 'you'
}

/** The places of a verb, and of those that "and" joins to it. */
function verbsFrom(words: Words, from: number): number[] {
  const and = words.indexOf('and', from)
  return and === -1
    ? [from]
    : [from, behindAdverbs(words, and + 1)].filter((at) => at < words.length)
}

/** "I'll let you know the price": it is said in this talk. */
const isMild = (said: string) => / keep you (?:warm|safe|cool|dry)/u.test(said)

const ASKS =
  wordSet(`ask asking check checking tell telling let inform informing notify notifying get getting
  have having send sending speak speaking talk talking consult consulting contact contacting
  call calling bring bringing loop looping put putting raise report share sharing involve
  involving alert message messaging request requesting forward arrange arranging make find
  remind take submit discuss confirm confirming verify see fetch fetching grab grabbing find
  finding bring`)

function isAskOrPass(behind: Words): boolean {
  return behind.slice(0, 4).some((word) => ASKS.has(word) || isPassOn(word))
}

const isPassOn = (word: string) =>
  PASS_ON_BEGINNINGS.some((beginning) => word.startsWith(beginning))
const GONE_BY_ITSELF = ['transferr', 'transfer', 'escalat', 'forward', 'refer', 'relay']

/** Returns whether the object is passed to a person, by a named recipient or by the verb alone. */
function isGivenAway(words: Words, at: number, hasStaff: boolean): boolean {
  const verb = words[at] ?? ''
  if (hasStaff) return true
  const behind = words.slice(at + 1, at + 6)
  if (verb.startsWith('transfer'))
    return behind[0] === 'you' || behind.slice(0, 2).join(' ') === 'your chat'
  if (verb.startsWith('connect') || verb.startsWith('refer')) return behind[0] === 'you'
  if (verb.startsWith('pass')) return behind.includes('on') || behind.includes('along')
  if (verb.startsWith('hand')) return behind.includes('over')
  if (verb.startsWith('flag') || verb.startsWith('escalat')) return true
  if (verb.startsWith('forward')) return !behind.includes('to')
  return GONE_BY_ITSELF.some((one) => verb.startsWith(one)) && behind.includes('on')
}

const TOLD_BY =
  wordSet(`let sent raised left shared submitted put added opened logged reported made got had brought
  arranged discussed`)

/** Returns whether staff was informed: `I told the manager`, `I let our team know`. */
function isToldTo(words: Words, at: number): boolean {
  const verb = words[at]!
  const tells = TELLING.has(verb) || TOLD_BY.has(verb)
  if (!tells || words[at + 1] === 'you' || words[at + 1] === 'by' || words[at + 1] === 'your')
    return false
  const behind = words.slice(at + 1, at + 9)
  return behind.some((_, other) => isStaff(behind, other))
}

/** "Let me connect you", "let me ask the kitchen". */
function letMe(words: Words, at: number): boolean {
  const behind = words.slice(at + 2)
  const first = behind[behindAdverbs(behind, 0)] ?? ''
  if (first === 'know') return false
  const said = ` ${behind.join(' ')} `
  if (COME_BACK.some((wording) => said.includes(` ${wording} `)))
    return !said.startsWith(' look into')
  return isAskOrPass(behind.slice(0, 2)) && behind.some((_, other) => isStaff(behind, other))
}

/** "Your complaint has been escalated", "your case is with our specialists". */
function isPassedOn(words: Words, at: number, hasStaff: boolean): boolean {
  const word = words[at]!
  if (!['is', 'was', 'are', 'were', 'has', 'have', "'s"].includes(word)) return false
  let place = behindAdverbs(words, at + 1)
  if (words.slice(0, place).some((one) => DENIALS.has(one) || one === 'can')) return false
  const isOngoing = words[place] === 'being'
  if (words[place] === 'been' || isOngoing) place = behindAdverbs(words, place + 1)
  const verb = words[place] ?? ''
  const behind = words.slice(place + 1)
  const toStaff = behind.slice(0, 5).some((_, other) => isStaff(behind, other))
  if (verb === 'with')
    return (
      toStaff && words.slice(0, at).some((one) => one === 'your' || one === 'it' || one === 'this')
    )
  if (!isPast(verb) && verb !== 'sent') return false
  // "Your case is being reviewed by our team."
  if (isOngoing && behind[0] === 'by' && toStaff) return words.slice(0, at).includes('your')
  if (words[at - 1] === 'you') return isPassOn(verb) && !['limited', 'asked'].includes(verb)
  const isAway =
    isPassOn(verb) || ['sent', 'shared', 'submitted', 'reported', 'reached'].includes(verb)
  if (!isAway || words.slice(0, at).includes('our')) return false
  if (behind[0] === 'by') return false
  return toStaff || ((verb.startsWith('escalat') || behind[0] === 'on') && !hasStaff)
}
