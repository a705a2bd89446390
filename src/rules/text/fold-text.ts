/**
 * Texts as they are compared where a person wrote both: keywords and the labels of buttons. One folding
 * for all of them.
 *
 * Spec: readings F24, F25.
 */
import { withLatinDigits } from './latin-digits.ts'

const VOWEL_MARKS =
  /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g
/** What changes how text is shown and is no letter: joiners, directions, variation selectors. */
const INVISIBLE =
  /\p{Cf}|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u3164\uffa0]|[\ufe00-\ufe0f]/gu
const LETTERS: readonly (readonly [RegExp, string])[] = [
  // With hamza, madda or wasla, and the forms that other keyboards write.
  [/[\u0622\u0623\u0625\u0671-\u0673\u0675]/g, 'ا'],
  [/[\u0649\u06cc]/g, 'ي'],
  [/\u0629/g, 'ه'],
]

/**
 * Letter case, vowel marks and the tatweel fall away, the forms of alef are one, ى is ي and ة is ه, digits
 * are 0 to 9, what is invisible is gone, and white space is one space, with none around.
 */
export function foldText(text: string): string {
  // Compatibility forms first: full-width letters, and Arabic as old systems shape it.
  let folded = text.normalize('NFKC').toLowerCase()
  folded = withoutInvisible(folded).replace(VOWEL_MARKS, '')
  for (const [forms, letter] of LETTERS) folded = folded.replace(forms, letter)
  folded = withLatinDigits(folded)
  return folded.replace(/\s+/gu, ' ').trim()
}

/** A text without what changes only how it is shown. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** The words of a folded text: letters and digits that stand together. */
export function wordsOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** Whether a folded text has a folded phrase in it that no letter or digit touches. */
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
