/**
 * Derives the terms by which a company's knowledge is searched. A term is a folded word in ASCII letters, without
 * Arabic prefixes or English suffixes.
 *
 * Spec: Assistant › Knowledge.
 */
import { KNOWLEDGE_SEARCH } from '../../core/limits/knowledge.ts'
import { foldText, wordsOf } from './fold-text.ts'
import { searchForm } from './search-form.ts'

/** A shorter stem is a different word. */
const STEM_LETTERS = 3

/** Articles with attached prefixes, and "and", the longest first. */
const JOINED = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل', 'و']
const ARABIC = /\p{Script=Arabic}/u
/** Matches a thousands separator of either language. */
const THOUSANDS = /(?<=\d)[,\u066c](?=\d{3}(?!\d))/g
/** Matches English contractions ("is", "not" and the like) and the possessive mark. */
const APOSTROPHE = /(?<=[a-z])['\u2019](?:s|re|m|d|ll|ve|t)\b/g

/** A word of a folded text with the term by which it is searched. */
export type WordTerm = { word: string; term: string }

/** Returns the distinct terms of a text in the order of their first use. Punctuation alone gives no term. */
export function searchTerms(text: string): string[] {
  return [...new Set(wordTerms(text).map(({ term }) => term))]
}

/** Returns every word of a text with its term, including repeated words. */
export function wordTerms(text: string): WordTerm[] {
  const plain = foldText(text).replace(THOUSANDS, '').replace(APOSTROPHE, '')
  return wordsOf(plain)
    .flatMap(byScript)
    .map((word) => ({ word, term: termOf(word) }))
    .filter(({ term }) => term !== '')
}

function termOf(word: string): string {
  const stem = ARABIC.test(word) ? withoutJoined(word) : singular(word)
  return searchForm(stem).replaceAll(' ', '').slice(0, KNOWLEDGE_SEARCH.termChars)
}

/**
 * Splits a word where its script changes: an Arabic article before a Latin word, a unit after a number. The article
 * alone is dropped.
 */
function byScript(word: string): string[] {
  const parts = word.match(/\p{Script=Arabic}+|\P{Script=Arabic}+/gu) ?? []
  return parts.length === 1 ? parts : parts.filter((part) => part !== 'ال')
}

function withoutJoined(word: string): string {
  let stem = word
  for (;;) {
    const joined = JOINED.find(
      (front) => stem.startsWith(front) && stem.length - front.length >= STEM_LETTERS,
    )
    if (joined === undefined) return stem
    stem = stem.slice(joined.length)
  }
}

function singular(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2)
  if (/[^siu]s$/.test(word)) return word.slice(0, -1)
  return word
}
