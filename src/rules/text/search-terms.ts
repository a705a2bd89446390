/**
 * What a text is searched by in a company's knowledge: its different words, folded, without what Arabic
 * joins to the front of a word and English to its end, in ASCII letters.
 *
 * Spec: Assistant › Knowledge.
 */
import { KNOWLEDGE_SEARCH } from '../../core/limits/knowledge.ts'
import { foldText, wordsOf } from './fold-text.ts'
import { searchForm } from './search-form.ts'

/** A stem of fewer letters is another word. */
const STEM_LETTERS = 3

/** Articles with what is joined before them, and "and". Longest first. */
const JOINED = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل', 'و']
const ARABIC = /\p{Script=Arabic}/u
/** A mark of thousands, in both languages. */
const THOUSANDS = /(?<=\d)[,\u066c](?=\d{3}(?!\d))/g
/** What is short for "is", "not" and the like, and the mark of what belongs to somebody. */
const APOSTROPHE = /(?<=[a-z])['\u2019](?:s|re|m|d|ll|ve|t)\b/g

/** A word as it stands in a folded text, and the term that it is searched by. */
export type WordTerm = { word: string; term: string }

/** The different terms of a text, in the order in which they first stand there. None of punctuation alone. */
export function searchTerms(text: string): string[] {
  return [...new Set(wordTerms(text).map(({ term }) => term))]
}

/** Every word of a text with its term, repeated ones too. */
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

/** An Arabic article before a Latin word, or a unit after a number, is a word of its own; the article alone none. */
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
