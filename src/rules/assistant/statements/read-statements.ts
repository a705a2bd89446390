/**
 * Reads the statements of a text: acts that are done or in progress for the customer, and promises that a person will
 * act. It works on the forms of words in English, Arabic and Arabic of Latin letters. Questions, offers, conditions,
 * denials and generalities are no statements. Time is linear in the length of the text.
 *
 * Spec: Assistant › Texts that are never sent.
 */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import {
  ASKS_FIRST,
  CONDITIONS,
  FRAMES,
  TELLING,
} from '../../../core/vocabulary/statements/english.ts'
import { CONDITIONS as CONDITIONS_AR } from '../../../core/vocabulary/statements/arabic.ts'
import { memoize } from '../../text/memoize.ts'
import { readArabicClaims } from './arabic.ts'
import { readArabicProgress } from './arabic-progress.ts'
import { readArabicPromises } from './arabic-promises.ts'
import type { Clause, Sentence } from './clauses.ts'
import { readEnglishClaims } from './english.ts'
import { readEnglishProgress } from './english-progress.ts'
import { readEnglishPromises } from './english-promises.ts'
import { readEnglishResults } from './english-results.ts'
import { readLatinArabic } from './latin-arabic.ts'
import type { Found, Statement } from './statement.ts'

/** Yields the statements in sentences: that something was done or is in progress, or that a person will act. */
export function* statementsIn(sentences: readonly Sentence[]): Generator<Statement> {
  for (const sentence of sentences) {
    let isFramed = false
    let isOwnBefore = false
    let isAsked = false
    for (const clause of checkedClauses(sentence)) {
      isFramed ||= isFrame(clause.words)
      const found = statementsOf(clause, isOwnBefore, isAsked)
      isAsked ||= asksFirst(clause.words)
      isOwnBefore = clause.words[0] === 'i' || clause.words[0] === 'we'
      if (found.length === 0) continue
      const numbers = numbersOf(clause.words)
      const text = clause.words.join(' ')
      for (const one of found) yield { ...one, isFramed, clause: text, numbers }
    }
  }
}

/**
 * Returns the clauses of a sentence up to its first condition, which may state something. The last clause of a question
 * does not; when the question begins with a word that asks, no clause does.
 */
export function checkedClauses({ clauses, isQuestion }: Sentence): Clause[] {
  const first = clauses[0]!.words[0]!
  if (isQuestion && (ASKS_FIRST.has(first) || ASKS_ARABIC.has(first))) return []
  const checked = isQuestion ? clauses.slice(0, -1) : clauses
  const conditional = checked.findIndex(({ words }) => isCondition(words))
  return conditional === -1 ? [...checked] : checked.slice(0, conditional + 1)
}

const ASKS_ARABIC = wordSet('هل متي كيف وين فين كم ليش ليه شو وش ايش تبي تحب بدك عايز')

const isCondition = (words: readonly string[]) =>
  CONDITIONS.has(words[0]!) ||
  (['اذا', 'لو', 'لما', 'بمجرد', 'عندما', 'متي'].includes(words[0]!) &&
    CONDITIONS_AR.has(words[0]!))

const FRAME_WORDS_AR =
  wordSet(`فهمت افهم تقول ذكرت كتبت اعتذر اسف متاسف نعتذر قلت تقصد مفهوم حكيت قلتلي قلتي بتقول بتقولي
  حضرتك`)

function isFrame(words: readonly string[]): boolean {
  const text = `${words.slice(0, 6).join(' ')} `
  if (FRAMES.some((frame) => text.startsWith(`${frame} `))) return true
  return FRAME_WORDS_AR.has(words[0]!)
}

const scriptOf = memoize((word) => (/^\p{Script=Arabic}/u.test(word) ? 'arabic' : 'latin'))

/** "Send me the number and I will cancel it right away." */
const asksFirst = (words: readonly string[]) =>
  words.slice(0, 2).some((word) => ASKS_FOR.has(word)) && !PAUSES.has(words.at(-1)!)
const ASKS_FOR =
  wordSet(`say send tell give reply confirm type share write pick choose show enter answer ارسل ارسلي
  ابعت ابعتي ابعتلي عطني عطيني اعطني اكد اكدي اكدلي قل قولي قلي خبرني خبريني زودني زودنا اختر
  اختاري`)
const PAUSES = wordSet('moment minute second sec لحظه ثانيه دقيقه')

function statementsOf(
  { words, passive, end }: Clause,
  isOwnBefore: boolean,
  isAsked: boolean,
): Found[] {
  const scripts = words.map(scriptOf)
  const promises: Found[] = []
  const claims: Found[] = []
  if (scripts.includes('arabic')) {
    promises.push(...readArabicPromises(words))
    claims.push(...readArabicClaims(words, passive))
    if (claims.length === 0 && !isAsked) claims.push(...readArabicProgress(words))
  }
  if (scripts.includes('latin')) {
    promises.push(...readEnglishPromises(words))
    claims.push(...readEnglishClaims(words, isOwnBefore))
    if (claims.length === 0 && !isAsked) claims.push(...readEnglishResults(words, end))
    const going = claims.length === 0 ? readEnglishProgress(words, isAsked) : null
    if (going) claims.push(going)
    if (claims.length + promises.length === 0) {
      for (const found of readLatinArabic(words)) {
        ;(found.form === 'staff' ? promises : claims).push(found)
      }
    }
  }
  if (promises.length === 0) return claims
  // Passing something on to a person is one statement, which a handover confirms.
  return [promises[0]!, ...claims.filter((claim) => !isPassingOn(claim))]
}

const isPassingOn = ({ form, kinds, word }: Found): boolean =>
  kinds.every((kind) => ['other', 'sends', 'opens'].includes(kind)) ||
  form === 'now' ||
  TELLING.has(word) ||
  /^(?:ا?حول|تحويل|رفع|وصل|بعت|ارسل|نقل|ret|rais|pass)/u.test(word)

/** Returns the numbers of orders, appointments and the like, without prices, times and short counts. */
function numbersOf(words: readonly string[]): string[] {
  return words.filter((word, at) => {
    if (!/^[a-z]{0,3}-?\d{3,}$/u.test(word)) return false
    return !CURRENCY.has(words[at + 1] ?? '') && !CURRENCY.has(words[at - 1] ?? '')
  })
}

const CURRENCY =
  wordSet(`sar aed egp usd eur gbp kwd qar omr bhd jod riyal riyals dirham dirhams pound pounds dollars
  ريال ريالا درهم جنيه دينار دولار ليره points نقطه`)
