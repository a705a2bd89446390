/** A text as sentences and clauses of folded words, as statements are read in it. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { foldText } from '../../text/fold-text.ts'
import { memoize } from '../../text/memoize.ts'

/** A part of a sentence between commas and conjunctions. */
export type Clause = {
  /** Folded, in order. A word of Latin letters has no apostrophe any more: "i've" is two words. */
  words: readonly string[]
  /** The indexes of words that a vowel mark makes passive, as in «أُلغي». */
  passive: ReadonlySet<number>
  /** The mark that ends the clause, as in "Refund: done". */
  end: string
}

/** A sentence with its clauses; it has at least one. */
export type Sentence = {
  clauses: readonly Clause[]
  isQuestion: boolean
}

/** Latin letters for those of other scripts that look alike. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [...'аеорсухіјѕһԁɡոкмтвнɑοερτικνυаω'].map((letter, at) => [
    letter,
    'aeopcyxijshdgnkmtbhaoeptiknuaw'[at]!,
  ]),
)
const NOT_PLAIN = /[а-яіјѕһԁɡոɑα-ω]/gu

const MARKUP = /[*_~`#>"“”„«»'’‘]{1,3}(?![\p{L}])|(?<![\p{L}\p{N}])[*_~`#>"“”„«»'’‘]{1,3}/gu
const DRAWN_OUT = /(\p{L})\1{2,}/gu
/** A dot or a colon between digits is of a number or a time. */
const END = /[!?؟؛;…\n]|\.(?![\p{L}\p{N}])|\.(?=\p{Lu})/gu
const CUT = /[,،()[\]{}|—–→•·]|:(?!\d)|\s-\s/gu
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’‘`.][\p{L}\p{N}]+)*|[✅✔☑]/gu

/** Splits a text at what ends a sentence, and each sentence into clauses; linear in the length of the text. */
export function readSentences(text: string): Sentence[] {
  const sentences: Sentence[] = []
  const plain = text.normalize('NFKC').replace(MARKUP, ' ')
  for (const { piece, mark } of piecesOf(plain, END)) {
    const clauses: Clause[] = []
    for (const part of piecesOf(piece, CUT)) clauses.push(...clausesOf(part.piece, part.mark))
    const isQuestion = mark === '?' || mark === '؟'
    if (clauses.length > 0) sentences.push({ clauses, isQuestion })
    // "Really?!" and "Done?" in several marks end one sentence.
    else if (isQuestion && sentences.length > 0) sentences.at(-1)!.isQuestion = true
  }
  return sentences
}

function piecesOf(text: string, marks: RegExp): { piece: string; mark: string }[] {
  const pieces: { piece: string; mark: string }[] = []
  let from = 0
  for (const { 0: mark, index } of text.matchAll(marks)) {
    pieces.push({ piece: text.slice(from, index), mark })
    from = index + mark.length
  }
  pieces.push({ piece: text.slice(from), mark: '' })
  return pieces
}

/** Words after which another clause begins. */
const BEGINNERS = wordSet('but then because though however while لكن ولكن بس')
/** Words that begin another clause after "and", because they are another subject: "…, and your order is cancelled". */
const SUBJECTS = wordSet(
  `i we it your the that this everything you he she they a an all our someone somebody`,
)

/**
 * Longer clauses are read in overlapping pieces and longer words by their beginning, to limit the time for abnormal
 * texts.
 */
const CLAUSE_WORDS = 40
const OVERLAP_WORDS = 12
const WORD_LETTERS = 40

function clausesOf(text: string, end: string): Clause[] {
  const clauses: Clause[] = []
  let words: string[] = []
  let passive = new Set<number>()
  const close = (mark: string) => {
    if (words.length > 0) clauses.push({ words, passive, end: mark })
    words = []
    passive = new Set()
  }
  const found = [...text.matchAll(WORD)].map(([word]) => word)
  for (const [at, whole] of found.entries()) {
    if (words.length >= CLAUSE_WORDS) {
      const last = words.slice(-OVERLAP_WORDS)
      close('')
      words.push(...last)
    }
    const raw = whole.slice(0, WORD_LETTERS)
    const { folded, parts, isPassive } = readWord(raw)
    if (BEGINNERS.has(folded)) {
      // "While I connect you" asks to wait.
      close('')
      if (folded === 'while' || folded === 'then') words.push(folded)
      continue
    }
    if ((folded === 'and' || folded === 'so') && SUBJECTS.has(firstOf(found[at + 1]))) {
      close('')
      continue
    }
    if (isPassive) passive.add(words.length)
    words.push(...parts)
  }
  close(end)
  return clauses
}

const firstOf = (word = ''): string => word.toLowerCase().split(/['’‘`]/u)[0]!

const readWord = memoize((raw) => {
  const folded = fold(raw)
  return { folded, parts: spelledOut(folded), isPassive: /^.{0,3}\u064f/u.test(raw) }
})

function fold(word: string): string {
  return foldText(word)
    .replace(/ؤ/g, 'و')
    .replace(/ئ/g, 'ي')
    .replace(DRAWN_OUT, '$1')
    .replace(NOT_PLAIN, (letter) => LOOK_ALIKES.get(letter) ?? letter)
}

const SHORT: Readonly<Record<string, string>> = {
  ve: 'have',
  re: 'are',
  ll: 'will',
  d: 'would',
  m: 'am',
}

/** "i've" is "i have"; "order's" is "order" and "'s", which may be "is" or "has". */
function spelledOut(word: string): string[] {
  const [, before, behind] = /^([a-z]+)['’‘`](s|ve|re|ll|d|m|t)$/u.exec(word) ?? []
  if (before === undefined) return [word.replace(/['’‘`]/gu, '')]
  if (behind === 't') return [`${before}t`]
  if (behind === 's') return [before, "'s"]
  return [before, SHORT[behind!]!]
}
