/** Finds English claims of a result: "the money is back on your card", "you are all set". */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { DENIALS } from '../../../core/vocabulary/statements/english.ts'
import { OTHERS } from '../../../core/vocabulary/statements/english-promises.ts'
import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'
import { isHedged } from './english.ts'
import { behindAdverbs, isThing, kindsOf } from './english-verbs.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

const MONEY = wordSet(
  'money refund amount payment deposit cash sar aed egp usd riyals dirhams pounds dollars riyal refunds credit sum funds balance',
)
const SENT_THINGS = wordSet(
  'code invoice receipt email sms message link voucher replacement confirmation copy reminder exchange notification',
)
/** Whole sentences, but for what opens them. */
const ALL_DONE = wordSet(
  'done|all done|it is done|that is done|all set|you are all set|we are all set|consider it done|all sorted|good to go|you are good to go|all taken care of|that is taken care of|it is taken care of|job done|mission accomplished|all good to go|that is it done|everything is set|everything is done|everything is ready|it is all set|it is all done|it is all sorted|that is all set|you are set|you are sorted|that is all done|that is all sorted|that did it|it is sorted|that is sorted|all arranged|all booked|all confirmed|all fixed|all updated|all cancelled'
    .replaceAll(' ', '_')
    .replaceAll('|', ' '),
)
const OPENERS = wordSet(
  "ok okay great perfect sure yes alright and good thanks thank you well so now it's",
)
const CLOSERS = wordSet('now ✅ ✔ ☑ for you then already sir madam dear too')

/** Returns the claims of an English clause about a result, such as "your order is cancelled". */
export function readEnglishResults(all: Words, end: string): Found[] {
  if (isAllDone(all, end)) return [{ form: 'own', kinds: ['other'], word: 'done' }]
  for (const [at, word] of all.entries()) {
    const ofWord = Object.hasOwn(RESULT_OF, word) ? RESULT_OF[word]!(all, at) : null
    const kinds = (isBe(word) ? resultAt(all, at) : null) ?? ofWord
    if (kinds && !isHedged(all, at)) return [{ form: 'theirs', kinds, word }]
  }
  return wentWell(all)
}

type ResultOf = (all: Words, at: number) => readonly ClaimKind[] | null

const went: ResultOf = (all, at) =>
  ['through', 'out', 'back'].includes(all[at + 1] ?? '') ||
  (all[at] === 'went' &&
    (all[at + 1] === 'in' || all.slice(at + 1, at + 3).join(' ') === 'up to') &&
    all.slice(0, at).includes('your'))
    ? wentOf(all.slice(0, at))
    : null

/** "Your refund has landed on your card." */
const landed: ResultOf = (all, at) =>
  all.slice(0, at).includes('your') &&
  all.slice(Math.max(0, at - 3), at).some((one) => MONEY.has(one))
    ? ['refunds']
    : null

/** "Your plan has ended as you wished." */
const asAsked: ResultOf = (all, at) => {
  const isAsked =
    all[at + 1] === 'requested' || (all[at + 1] === 'you' && ASKED.has(all[at + 2] ?? ''))
  const before = all.slice(0, at)
  const done = before.findLast(isDonePast)
  return isAsked && done !== undefined && before.includes('your') ? kindsOf(done, all) : null
}
const ASKED = wordSet('asked wished wanted requested instructed')

/** Readers of results, by the word that expresses them. */
const RESULT_OF: Readonly<Record<string, ResultOf>> = {
  went,
  gone: went,
  came: went,
  landed,
  arrived: landed,
  cleared: landed,
  as: asAsked,
  now: (all, at) => {
    const before = all.slice(0, at)
    const isTheirs = before.some((one) => one === 'your' || isThing(one))
    return SHOWS.has(all[at + 1] ?? '') && isTheirs && !before.includes('our')
      ? ['changes', 'other']
      : null
  },
  no: (all, at) =>
    all[at + 1] === 'longer' && isYoursNoMore(all, at) ? ['cancels', 'changes'] : null,
  // "Breakfast is included in your booking from now on."
  from: (all, at) => {
    const isSince = SINCE.has(all.slice(at + 1, at + 3).join(' '))
    return isSince && all.includes('your') && !all.includes('our') ? kindsOf('', all) : null
  },
  // "The courier knows to ring the upper bell."
  knows: (all, at) =>
    isOfOthers(all, at) && ['to', 'that', 'about', 'you', 'your'].includes(all[at + 1] ?? '')
      ? ['sends']
      : null,
  // "The courier has your new address now."
  has: (all, at) =>
    (OTHERS.has(all[at - 1] ?? '') &&
      all[at + 1] === 'your' &&
      (all[at + 2] === 'new' || all.at(-1) === 'now')) ||
    (isThing(all[at - 1] ?? '') && all[at + 1] === 'your' && all.at(-1) === 'now')
      ? ['sends', 'changes']
      : null,
  // "We have your new number on file."
  have: (all, at) =>
    all[at - 1] === 'we' && all[at + 1] === 'your' && ['new', 'updated'].includes(all[at + 2] ?? '')
      ? ['changes']
      : null,
  // "Expect your money on Monday."
  expect: (all, at) =>
    at === 0 && all[1] === 'your' && all.slice(2, 4).some((one) => MONEY.has(one))
      ? ['refunds']
      : null,
  consider: (all, at) => {
    const done = all.slice(at + 1, at + 7).find(isDonePast)
    return done === undefined || all.includes('would') ? null : kindsOf(done, all)
  },
}

const SINCE = new Set(['now on', 'today on', 'tomorrow on', 'here on', 'this month'])

const isOfOthers = (all: Words, at: number) =>
  all.slice(Math.max(0, at - 3), at).some((one) => OTHERS.has(one))

/** "Payment successful", "your cancellation is complete". */
function wentWell(all: Words): Found[] {
  const at = all.findIndex((word, place) => WELL.has(word) || isReceipt(all, place))
  const subject = all.slice(0, Math.max(0, at))
  if (at > 6 || !subject.slice(-4).some(isThing)) return []
  if (subject.includes('our') || subject.includes('a') || isHedged(all, at)) return []
  if (all.length > at + 2 && !subject.includes('your')) return []
  return [{ form: 'theirs', kinds: kindsOf('', all), word: all[at]! }]
}

/** "Payment received": not "a payment received on Sunday". */
const isReceipt = (all: Words, at: number) =>
  all[at] === 'received' && at === all.length - 1 && PAID.has(all[at - 1] ?? '')
const PAID = wordSet('payment deposit transfer money')

const WELL = wordSet('successful complete underway effective finalised finalized')

/** "The address now reads …", "your parcel now goes to …". */
const SHOWS = wordSet(
  'reads shows says goes includes has ships stands starts runs points comes carries covers',
)
const isBe = (word: string) => ['is', 'are', "'s", 'was', 'were'].includes(word)
const isDonePast = (word: string) => /(?:ed|done|sent|made)$/u.test(word) && word !== 'need'

function isAllDone(all: Words, end: string): boolean {
  let from = 0
  while (from < all.length - 1 && OPENERS.has(all[from]!)) from++
  let to = all.length
  while (to > from + 1 && CLOSERS.has(all[to - 1]!)) to--
  const core = all
    .slice(from, to)
    .map((word) => (word === "'s" ? 'is' : word))
    .join('_')
  if (ALL_DONE.has(core)) return true
  // "Done: cancelled", "✅ cancelled", "Refund: done".
  return core === '✅' && end === '' && all.length > 1
}

/** Returns the kinds that the words after "is" claim; null when they claim none. */
function resultAt(all: Words, at: number): readonly ClaimKind[] | null {
  const before = all.slice(Math.max(0, at - 7), at)
  if (before.includes('our') && !before.includes('your')) return null
  const place = behindAdverbs(all, at + 1)
  const behind = all.slice(place, place + 7)
  if (behind.some((word) => DENIALS.has(word))) return null
  const text = behind.join(' ')
  const fits = RESULTS.find(({ of, said }) => said.test(text) && of(before, all[at + 1] ?? ''))
  return fits?.kinds ?? stateOf(all, before, behind, all[at + 1] === 'now')
}

const isYours = (before: Words) => before.includes('your') || IT.has(before.at(-1) ?? '')
const IT = wordSet('it that everything')
const has = (some: ReadonlySet<string>) => (before: Words) => before.some((word) => some.has(word))

/** Benefits that a customer receives. */
const GIVEN = wordSet('discount coupon voucher points credit bonus upgrade refund gift code')

const ATTRIBUTES = wordSet('address name number phone email seat size colour color date time')
const RECORDS = wordSet('order booking reservation ticket account appointment')

/** Patterns of the words after "is", each with a condition on the words before it. */
const RESULTS: readonly {
  of: (before: Words, next: string) => boolean
  said: RegExp
  kinds: readonly ClaimKind[]
}[] = [
  {
    of: has(wordSet('payment balance')),
    said: /^(?:with us|in the account|through|out)/u,
    kinds: ['charges', 'refunds'],
  },
  {
    of: has(MONEY),
    said: /^(?:back|on (?:its|the|their) way|with you|in your|on your|in the account|through|out)/u,
    kinds: ['refunds'],
  },
  {
    of: (before) =>
      before.includes('your') && has(wordSet('reservation booking request application'))(before),
    said: /^in$/u,
    kinds: ['books', 'opens'],
  },
  {
    of: has(wordSet('ticket case complaint claim')),
    said: /^open for you(?: |$)/u,
    kinds: ['opens'],
  },
  {
    of: (before, next) => next === 'now' && before.some(isThing) && !before.includes('our'),
    said: /(?:^| )instead$/u,
    kinds: ['changes', 'books'],
  },
  {
    // "The name on the order is now Sara."
    of: (before, next) =>
      next === 'now' &&
      has(ATTRIBUTES)(before) &&
      (before.includes('your') || has(RECORDS)(before)),
    said: /^(?!in |available|closed|open|on (?:its|the) way|sold|free|full|with |at |not )\S/u,
    kinds: ['changes', 'books'],
  },
  {
    of: (before) => before.at(-1) === 'you',
    said: /^(?:first|next) (?:on|in) (?:the|our) (?:waiting )?list/u,
    kinds: ['books', 'changes'],
  },
  {
    of: (_, next) => next === 'now',
    said: /^(?:included in|part of) your (?!question|message)/u,
    kinds: ['changes', 'other'],
  },
  {
    of: (before, next) => next === 'now' && before.at(-1) === 'you',
    said: /^an? (?:\S{1,20} ){0,2}(?:member|subscriber|vip)(?: |$)/u,
    kinds: ['changes', 'opens'],
  },
  {
    of: (before) => before.at(-1) === 'you',
    said: /^(?:on the|off the|off our|down for|in for|on our|on for)/u,
    kinds: ['books', 'changes', 'cancels'],
  },
  {
    of: has(SENT_THINGS),
    said: /^(?:in your|on (?:its|the|their) way)/u,
    kinds: ['sends', 'changes'],
  },
  {
    of: () => true,
    said: /^(?:(?:back )?(?:in|on) your (?:inbox|email|mail|account|cart|basket|wallet)|back on your|(?:on|off) (?:the|our) (?:\S{1,20} )?list)/u,
    kinds: ['sends', 'changes', 'refunds', 'books', 'cancels'],
  },
  {
    of: () => true,
    said: /^(?:off|gone from|out of|no longer (?:in|on)) (?:your|the) (?:account|order|bill|basket|cart|invoice|booking|reservation|list|card|profile|plan|file)/u,
    kinds: ['changes', 'cancels'],
  },
  {
    of: has(GIVEN),
    said: /^(?:on|in|off|added to|credited to) (?:your|the) (?:account|order|bill|basket|cart|invoice|booking|card|profile|wallet)/u,
    kinds: ['changes', 'sends', 'other'],
  },
  {
    of: (before) => before.includes('new') && before.includes('your'),
    said: /^(?:on (?:file|record)|in (?:the|our|your) (?:system|records|books|file|profile|account))/u,
    kinds: ['changes'],
  },
  {
    of: (before) => !before.includes('choice') && !before.includes('decision'),
    said: /^yours/u,
    kinds: ['books', 'changes', 'other'],
  },
  { of: () => true, said: /^(?:\S{1,20} ){0,4}under your name/u, kinds: ['books'] },
  {
    of: (before) =>
      before.includes('both') && before.some((one) => isThing(one) || one.endsWith('s')),
    said: /^gone(?: |$)/u,
    kinds: ['cancels'],
  },
  {
    of: (before) => before.includes('name') || before.includes('names'),
    said: /^(?:down|on (?:it|the|our))(?: |$)/u,
    kinds: ['books', 'other'],
  },
  { of: (before) => before.length > 0, said: /^taken care of(?! by)/u, kinds: ['other'] },
  {
    of: isYours,
    said: /^(?:all set(?: up)?|good to go|taken care of|in place|no more)/u,
    kinds: ['other'],
  },
  {
    of: (before, next) => next === 'now' && before.includes('your'),
    said: /^(?!in (?:transit|stock|our)|with (?:the|our)|at (?:the|our)|on (?:its|the|their) way)(?:(?:on|at|for|from|in|with|under|set|size|free|premium|gold|one|two|three|four|five|six|seven|eight|nine|ten)(?: |$)|\d|\p{Script=Arabic})/u,
    kinds: ['changes', 'books'],
  },
]

const SINCE_NOW = wordSet('now from again as until till')
const STATES = wordSet('gone live off saved paused sorted settled waived active confirmed')

/** "Your plan is paused", "it is off". */
function stateOf(
  all: Words,
  before: Words,
  [first = '', second]: Words,
  isNow: boolean,
): readonly ClaimKind[] | null {
  const isIt = ['it', 'that'].includes(before.at(-1) ?? '') && before.length <= 3
  if (!STATES.has(first) || !(before.includes('your') || isIt)) return null
  if (first === 'active' && !isNow && !SINCE_NOW.has(second ?? '') && !has(GIVEN)(before))
    return null
  if ((first === 'gone' && second !== undefined && isIt) || second === 'the') return null
  return first === 'off' || first === 'gone' ? ['cancels'] : kindsOf(first, all)
}

function wentOf(before: Words): readonly ClaimKind[] | null {
  if (
    before.includes('our') ||
    !before.some((word) => isThing(word) || MONEY.has(word) || SENT_THINGS.has(word))
  ) {
    return null
  }
  if (before.some((word) => ['order', 'parcel', 'package', 'shipment'].includes(word))) return null
  const kinds = kindsOf('', before)
  return kinds[0] === 'other' && before.some((word) => MONEY.has(word)) ? ['refunds'] : kinds
}

/** "You no longer have an appointment", "your plan is no longer active". */
function isYoursNoMore(all: Words, at: number): boolean {
  const before = all.slice(0, at)
  if (before.at(-1) === 'you') return ['have', 'owe', 'get', 'receive'].includes(all[at + 2] ?? '')
  return before.includes('your') && !before.includes('will')
}
