/**
 * Finds vague claims about matters at stake: "it worked", "the order is gone", «تمام، تم». It applies only while the
 * customer waits for an act that was not done; elsewhere it would block harmless texts.
 */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { CONDITIONS, DENIALS, MODALS } from '../../../core/vocabulary/statements/english.ts'
import {
  DENIALS as DENIALS_AR,
  CONDITIONS as CONDITIONS_AR,
  MONEY,
} from '../../../core/vocabulary/statements/arabic.ts'
import {
  KIND_WORDS,
  type ClaimKind,
  type NamedKind,
} from '../../../core/vocabulary/statements/kinds.ts'
import { isTheirs, isYours, withoutAnd } from './arabic-words.ts'
import type { Clause, Sentence } from './clauses.ts'
import { namesKind } from './deeds.ts'
import { isPast, isThing } from './english-verbs.ts'
import { checkedClauses } from './read-statements.ts'

/**
 * The situation that requires a strict reading. `outcome`: the customer answered a proposal, and only code may report its
 * outcome. `risk`: the customer asked for an act that was not done; general statements are allowed.
 */
export type Stake = 'outcome' | 'risk'

/**
 * Returns the first clause, folded, that claims, even vaguely, that an act of these kinds was done or will be done for the
 * customer. Returns null when no clause does.
 */
export function looseClause(
  sentences: readonly Sentence[],
  kinds: readonly ClaimKind[],
  stake: Stake,
): string | null {
  const isLoose = stake === 'outcome' ? isLooseOutcome : isLooseAtRisk
  for (const sentence of sentences) {
    const found = checkedClauses(sentence).find((clause) => isLoose(clause, kinds))
    if (found) return found.words.join(' ')
  }
  return null
}

const DONE_WORDS =
  wordSet(`done worked sorted handled arranged set through gone off ✅ ✔ ☑ completed complete successful
  successfully processed taken`)
const DONE_ARABIC = wordSet(
  `تم خلاص تمت خلص خلصت انتهي انتهت تمام اتعملت اتعمل صار صارت زبطت ظبطت نجحت مشيت`,
)

function isLooseOutcome({ words }: Clause, kinds: readonly ClaimKind[]): boolean {
  if (words.some((word) => CONDITIONS.has(word))) return false
  const open = beforeHeld(words)
  if (isFuture(words) || isComing(words)) return true
  if (
    open.some((word) => DONE_WORDS.has(word)) &&
    !words.includes('thank') &&
    !open.includes('left') &&
    saysDone(open)
  )
    return true
  if (open.some((word) => DONE_ARABIC.has(withoutAnd(word))) && saysDoneArabic(open)) return true
  return open.some((word) => isOfKinds(word, kinds))
}

/** «هترجعلك الفلوس», «بيرجع لك المبلغ بكره». */
const isComing = (words: readonly string[]): boolean =>
  words.some((word) => MONEY.has(word)) &&
  words.some((word) => /^(?:[سهحب]|رح)[يت](?:رجع|رد|عاد|عود|وصل|صل|نزل|تحول|جي)/u.test(word))

/** The words before a denial, a "can" or a condition. */
function beforeHeld(words: readonly string[]): readonly string[] {
  const held = words.findIndex(
    (word) =>
      DENIALS.has(word) || MODALS.has(word) || DENIALS_AR.has(word) || CONDITIONS_AR.has(word),
  )
  return held === -1 ? words : words.slice(0, held)
}

/** A price may be off and an offer may have ended: these alone say that a deed is done. */
const DONE_AT_RISK = wordSet('done sorted handled arranged worked successfully ✅ ✔ ☑')
const DONE_AT_RISK_ARABIC = wordSet('تم تمت اتعملت اتعمل زبطت ظبطت نجحت')
/** Words for the progress of an order: «تم شحن طلبك». */
const GOES_ITS_WAY = wordSet('شحن توصيل تسليم تجهيز تحضير تغليف استلام')
const OF_MANY = /^(?:orders|appointments|bookings|refunds|returns|exchanges|items|requests|all)$/u

function isLooseAtRisk({ words }: Clause, kinds: readonly ClaimKind[]): boolean {
  if (words.some((word) => CONDITIONS.has(word))) return false
  const open = beforeHeld(words)
  const isTheirThing = open.some((word) => YOURS.has(word) || isYours(word))
  const isGeneral = !isTheirThing && open.some((word) => OF_MANY.test(word) || word === 'our')
  if (isGeneral) return false
  const isDone = open.some((word) => DONE_AT_RISK.has(word)) && saysDone(open)
  if (isDone && !words.includes('thank') && !open.includes('left')) return true
  const saysTam = open.some(
    (word, at) =>
      DONE_AT_RISK_ARABIC.has(withoutAnd(word)) && !GOES_ITS_WAY.has(open[at + 1] ?? ''),
  )
  if (saysTam && (open.length <= 3 || isTheirThing)) return true
  if (words.length === 1 && words[0] === 'خلاص') return true
  if (open.some((word, at) => open[at - 1] !== 'fully' && isOfKinds(word, kinds))) return true
  return isFuture(words) && words.some((word) => namesAny(word, kinds))
}

const YOURS = wordSet('your yours you it')

const namesAny = (word: string, kinds: readonly ClaimKind[]): boolean =>
  kinds.some((kind) => kind !== 'other' && namesKind(word, kind))

/** "Done", "it worked", "it is off", "all sorted": and no more of another thing. */
function saysDone(words: readonly string[]): boolean {
  const at = words.findIndex((word) => DONE_WORDS.has(word))
  const before = words.slice(0, at)
  return (
    before.length <= 4 &&
    (before.length === 0 ||
      before.some((word) =>
        [
          'it',
          'all',
          'that',
          'everything',
          'this',
          'is',
          'are',
          "'s",
          'now',
          'and',
          'the',
          'your',
          'you',
          'went',
        ].includes(word),
      ))
  )
}

const ALONE_ARABIC = new Set(['تمام', 'خلاص'])
function saysDoneArabic(words: readonly string[]): boolean {
  const said = words.filter((word) => DONE_ARABIC.has(withoutAnd(word)))
  // "OK" and "well" open an answer; with nothing behind them they say that it is done.
  if (said.every((word) => ALONE_ARABIC.has(word))) return words.length === 1 && said[0] === 'خلاص'
  return true
}

/** A past or a participle of what is at stake. */
function isOfKinds(word: string, kinds: readonly ClaimKind[]): boolean {
  const named = kinds.filter((kind): kind is NamedKind => kind !== 'other')
  if (/^\p{Script=Arabic}/u.test(word)) {
    if (
      /^(?:ا?ل?ل)?(?:ي|ن|ا(?!ن|ت)|ب|س|ه|ح)\p{L}{3,}/u.test(word) &&
      !/(?:ت|نا)(?:ه|ها|لك|هولك|هالك)?$/u.test(word)
    )
      return false
    const isDone = /(?:ت|نا)(?:ه|ها|هم)?(?:لك|لكم)?$|^(?:ات|ان|م)/u.test(word)
    return isDone && named.some((kind) => KIND_WORDS[kind].arabic.test(word))
  }
  return isPast(word) && namesAny(word, named)
}

/** "You will have the money", "your order will not be shipped", «رح توصلك المصاري», «في طريقه إليك». */
function isFuture(words: readonly string[]): boolean {
  const will = words.findIndex((word) => word === 'will' || word === 'wont' || word === 'going')
  if (will > 0) {
    const before = words.slice(0, will)
    if (
      before.some((word) => ['your', 'it', 'you', 'they'].includes(word) || isThing(word)) &&
      !['i', 'we'].includes(before.at(-1)!)
    ) {
      const verb =
        words[will + 1] === 'not' || words[will + 1] === 'no' ? words[will + 2] : words[will + 1]
      return (
        before.at(-1) !== 'you' ||
        ['have', 'get', 'receive', 'see', 'be', 'find'].includes(verb ?? '')
      )
    }
  }
  if (
    words.some((word) => /^(?:س|ه|ح)[يت]\p{Script=Arabic}{2,}/u.test(word)) &&
    words.some((word) => isYours(word))
  )
    return true
  const arabic = words.findIndex((word) => ['راح', 'رح', 'سوف', 'لن', 'مارح'].includes(word))
  if (arabic !== -1 && words.some(isTheirs)) return true
  // «ما راح ينخصم منك شي»
  const isToBeDone = words
    .slice(arabic + 1, arabic + 3)
    .some((word) => /^[يت][نت]\p{Script=Arabic}{3,}/u.test(word))
  if (arabic !== -1 && isToBeDone) return true
  return words.some((word) => /^طريق(?:ه|ها)$/u.test(word))
}
