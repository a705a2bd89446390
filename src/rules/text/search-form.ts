/**
 * Converts texts to the form in which they are searched: folded, in ASCII letters and digits. PostgreSQL makes trigrams
 * of the letters of its locale, and the locale C knows ASCII alone.
 *
 * Spec: Contacts › Search.
 */
import { foldText } from './fold-text.ts'

/** An ASCII letter for each Arabic one; letters of similar sounds share one. */
const LETTERS: Record<string, string> = {
  ...pair('ابتثجحخدذرزسشصضطظعغفقكلمنهويء', 'abtvjhxdzrzsceopoigfqklmnuwya'),
  // Letters with hamza, and letters of other languages.
  ...pair('ؤئپچژڤگکہھەےڨ', 'wybjzfkkuuuyq'),
}

const MARKS = /\p{M}/gu
const NO_LETTER = /[^\p{L}\p{N}]+/gu
const BEYOND_ASCII = /[^a-z0-9 ]/gu

/**
 * Returns a text in the form that search compares: words of `a` to `z` and `0` to `9`, separated by one space. A letter
 * without an ASCII counterpart becomes its code point in hexadecimal, so that a prefix search finds every name.
 */
export function searchForm(text: string): string {
  const plain = foldText(text).normalize('NFKD').replace(MARKS, '').replace(NO_LETTER, ' ').trim()
  return plain.replace(
    BEYOND_ASCII,
    (letter) => LETTERS[letter] ?? letter.codePointAt(0)!.toString(16).padStart(5, '0'),
  )
}

function pair(letters: string, ascii: string): Record<string, string> {
  return Object.fromEntries([...letters].map((letter, at) => [letter, ascii[at]!]))
}
