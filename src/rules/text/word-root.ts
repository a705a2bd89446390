/**
 * Guesses the common root of a word's forms, in ASCII: «توصيل», «نوصل» and «بتوصلو», or "deliveries" and "delivering".
 * The guess also joins unrelated words, so the search ranks it below exact terms.
 *
 * Spec: Assistant › Knowledge.
 */
import { KNOWLEDGE_SEARCH } from '../../core/limits/knowledge.ts'
import { searchForm } from './search-form.ts'

const ARABIC = /\p{Script=Arabic}/u
const MIN_LETTERS = 3

/** Arabic prefixes and suffixes, in the order in which they are removed. */
const ARABIC_JOINED = [
  /^(?:وال|بال|كال|فال|عال|لل|ال)/,
  /(?:كم|كن|هم|هن|نا|ها|ني|لي|لك)$/,
  /(?:ات|ون|ين|ان|وا|تو|تي|يه)$/,
  /[هويتا]$/,
  /^(?:[بلحه](?=[ينتا])|م(?=ن))/,
  /^[ينت]/,
  /^(?:است|مست)/,
  /^[ام]/,
]
const LATIN_ENDS = /(?:ation|tion|ment|ness|ing|ies|ied|ed|er|or|al|ly|es|e|y|s)$/

/**
 * Returns the guessed root of a folded word in its ASCII search form; when nothing can be removed, the search form of
 * the word.
 */
export function wordRoot(word: string): string {
  if (!ARABIC.test(word)) return latinRoot(word)
  let bare = word
  for (const joined of ARABIC_JOINED) {
    const shorter = bare.replace(joined, '')
    if (skeletonOf(shorter).length >= MIN_LETTERS) bare = shorter
  }
  const skeleton = skeletonOf(bare)
  return ascii(skeleton.length >= MIN_LETTERS ? skeleton : bare)
}

/** Returns the first letter and the consonants of a word. */
function skeletonOf(word: string): string {
  return word.slice(0, 1).replace('ي', 'و') + word.slice(1).replace(/[اويىءئؤ]/g, '')
}

/** Returns the guessed root of an Arabic word typed in Latin letters, in its search form; null if it cannot be one. */
export function arabiziRoot(word: string): string | null {
  if (!/^[a-z2-9']+$/.test(word) || /^\d+$/.test(word)) return null
  let consonants = word.replace(/^(?:el|al|il)(?=[a-z2-9]{3})/, '').replace(/(?:k[ou]?m|h)$/, '')
  for (const [sound, letter] of SOUNDS) consonants = consonants.replaceAll(sound, letter)
  consonants = consonants.replace(/[aeiouy]/g, '')
  const letters = [...consonants].map((letter) => LETTER_OF[letter] ?? letter).join('')
  const single = letters.replace(/(.)\1/g, '$1')
  const root = single.length > MIN_LETTERS ? single.replace(/^م/, '') : single
  return root.length < MIN_LETTERS ? null : ascii(root)
}

const SOUNDS: readonly (readonly [string, string])[] = [
  ["3'", 'غ'],
  ["7'", 'خ'],
  ['sh', 'ش'],
  ['ch', 'ش'],
  ['kh', 'خ'],
  ['gh', 'غ'],
  ['th', 'ث'],
  ['dh', 'ذ'],
]
const LETTER_OF: Record<string, string> = Object.fromEntries(
  [...'bptjgdrzsfqklmnhwyv23576894'].map((letter, at) => [
    letter,
    [...'بپتججدرزسفقكلمنهويڤءعخحطقصغ'][at]!,
  ]),
)

function latinRoot(word: string): string {
  if (!/^[a-z]+$/.test(word)) return ascii(word)
  let bare = word.replace(/(?<=[a-z]{2})our(?=s?$)/, 'or')
  for (;;) {
    const shorter = bare.replace(LATIN_ENDS, '')
    if (shorter === bare || shorter.length <= MIN_LETTERS) return bare
    bare = shorter.replace(/([bdgmnprt])\1$/, '$1')
  }
}

const ascii = (text: string): string =>
  searchForm(text).replaceAll(' ', '').slice(0, KNOWLEDGE_SEARCH.termChars)
