/** Reads Arabic verbs in the future: their prefix, their person, their root and whether they are about the customer. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { memoize } from '../../text/memoize.ts'
import { withoutAnd } from './arabic-words.ts'

type Words = readonly string[]

/** Particles of the future, and words for an act in progress. */
export const WILL =
  wordSet(`راح رح سوف حيقوم سيقوم هيقوم بيقوم ح حا رايح رايحين قاعد قاعدين جاري جار يتم سيتم هيتم عم تم
  حيتم بيتم`)
/** Matches a verb in the future, with its prefix and its person. Levantine writes م for ب before ن. */
const FUTURE = /^[وف]?(س|ه|ح|ب|م|ا|ن|ي|ت)([اينت]?)(\p{L}{2,})$/u
/** Words for "with you" and "to you". */
export const WITH_YOU =
  wordSet(`حضرتك سيادتك معك معكم معاك معاكي معاكم معج وياك عليك عليكم عليكي بك بكم فيك لك لكم اليك
  اليكم وياج عليج الك بيك بيكي فيكي خبر لعندك`)
const futureParts = memoize((word): [first: string, second: string, rest: string] | null => {
  const [, first, second = '', rest = ''] = FUTURE.exec(word) ?? []
  if (first === undefined || (first === 'م' && second !== 'ن')) return null
  return [first, second, rest]
})
const endParts = memoize((word): [root: string, you: string | undefined] => {
  const [, root = '', you] = ENDS.exec(word) ?? []
  return [root, you]
})

/**
 * Reads a verb in the future at an index: its person, its root, and whether it is about the customer. `isWeak` means
 * that the form is also a present. Returns null for any other word.
 */
export function futureOf(
  words: Words,
  at: number,
): { by: string; root: string; toYou: boolean; isWeak: boolean } | null {
  const word = withoutAnd(words[at]!)
  const future = futureParts(word)
  if (future === null) return null
  const [first, second, rest] = future
  const isFuture = 'سهحبم'.includes(first)
  const hasWill = words.slice(Math.max(0, at - 2), at).some((one) => WILL.has(withoutAnd(one)))
  if (!isFuture && !hasWill) return null
  const by = isFuture ? second : first
  const [root, you] = endParts(isFuture ? rest : `${second}${rest}`)
  if (root === '') return null
  const behind = words.slice(at + 1, at + 4)
  return {
    by,
    root,
    toYou: you !== undefined || behind.some((one) => WITH_YOU.has(one)),
    isWeak: first === 'ب' && !hasWill,
  }
}

const ENDS = /^(\p{L}{2,}?)(?:ون|وا|و|ن)?(?:ل?(ك|كم|كي|كو|ج|كن|كون))?$/u

/** Returns whether a word is one of these roots, or begins with one. */
export function hasRoot(word: string, roots: ReadonlySet<string>): boolean {
  if (roots.has(word)) return true
  for (let length = Math.min(5, word.length); length >= 2; length--) {
    if (length >= 3 && roots.has(word.slice(0, length))) return true
  }
  return word.length >= 2 && word.length <= 4 && roots.has(word.replace(/[اويه]$/u, ''))
}
