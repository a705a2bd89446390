/**
 * Folds texts for comparison, such as keywords, names and the labels of buttons. The service has no other folding.
 *
 * Spec: readings F24, F25.
 */
import { withLatinDigits } from './latin-digits.ts'

const VOWEL_MARKS =
  /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g
/** Matches characters that only change how text is shown: joiners, direction marks, variation selectors. */
const INVISIBLE =
  /\p{Cf}|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u3164\uffa0]|[\ufe00-\ufe0f]/gu
const LETTERS: readonly (readonly [RegExp, string])[] = [
  // Letters with hamza, madda or wasla, and variants of other keyboards.
  [/[\u0622\u0623\u0625\u0671-\u0673\u0675]/g, 'ا'],
  [/[\u0649\u06cc]/g, 'ي'],
  [/\u0629/g, 'ه'],
]

/**
 * Returns a text folded for comparison: case, diacritics and variants of letters do not matter. Letter case, vowel
 * marks, tatweel and invisible characters are removed. The forms of alef become one, ى becomes ي and ة becomes ه.
 * Digits become 0 to 9, and white space is trimmed and collapsed.
 */
export function foldText(text: string): string {
  // NFKC comes first: it maps full-width letters, and the presentation forms of old systems.
  let folded = text.normalize('NFKC').toLowerCase()
  folded = withoutInvisible(folded).replace(VOWEL_MARKS, '')
  for (const [forms, letter] of LETTERS) folded = folded.replace(forms, letter)
  folded = withLatinDigits(folded)
  return folded.replace(/\s+/gu, ' ').trim()
}

/** Returns a text without characters that only change how it is shown. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** Returns the words of a folded text: runs of letters and digits. */
export function wordsOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** Returns whether a folded text contains a folded phrase as whole words. */
export function hasPhrase(folded: string, phrase: string): boolean {
  if (phrase === '') return false
  for (let at = folded.indexOf(phrase); at !== -1; at = folded.indexOf(phrase, at + 1)) {
    if (!ENDS_IN_WORD.test(folded.slice(Math.max(0, at - 2), at)) || !BEGINS_WORD.test(phrase)) {
      const after = folded.slice(at + phrase.length, at + phrase.length + 2)
      if (!BEGINS_WORD.test(after) || !ENDS_IN_WORD.test(phrase)) return true
    }
  }
  return false
}

const BEGINS_WORD = /^[\p{L}\p{M}\p{N}]/u
const ENDS_IN_WORD = /[\p{L}\p{M}\p{N}]$/u
