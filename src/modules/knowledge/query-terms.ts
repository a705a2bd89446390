/** Extracts search words from a customer's question, without the company's knowledge. Pure. */
import { KNOWLEDGE_SEARCH } from '../../core/limits/knowledge.ts'
import { foldText } from '../../rules/text/fold-text.ts'
import { searchTerms, wordTerms } from '../../rules/text/search-terms.ts'
import { arabiziRoot, wordRoot } from '../../rules/text/word-root.ts'
import { ASKED_FOR, ASKING_WORDS, SAME_MEANING } from '../../core/vocabulary/search-words.ts'

/** A word of a wording, by which chunks are found. */
export type QueryWord = {
  term: string
  roots: readonly string[]
  /** Terms that mean the same, by the built-in list, with how much they count. */
  means: readonly { term: string; weight: number }[]
  /** False for numbers and short words, which must match exactly. */
  mayBeLike: boolean
  /**
   * True for a word that shows the kind of question, but not its subject. It finds chunks only where no other word
   * does.
   */
  isHint: boolean
}

/** The weight of a built-in synonym. */
const MEANING_WEIGHT = 0.7
/** The weight of a term that a question word hints at. */
const HINT_WEIGHT = 0.3
const MIN_LIKE_LETTERS = 4

/**
 * Returns the distinct words of a wording, in their order. Common question words are left out, or become a hint of
 * what they ask for.
 */
export function queryTerms(wording: string): QueryWord[] {
  const words = new Map<string, QueryWord>()
  for (const { word, term } of wordTerms(wording.slice(0, KNOWLEDGE_SEARCH.wordingChars))) {
    const hint = HINTS.get(word)
    if (hint) words.set(term, { term, roots: [], means: hint, mayBeLike: false, isHint: true })
    else if (!ASKING_WORDS.has(word) && !words.has(term)) words.set(term, contentWord(word, term))
    if (words.size >= KNOWLEDGE_SEARCH.words) break
  }
  return [...words.values()]
}

function contentWord(word: string, term: string): QueryWord {
  const arabizi = arabiziRoot(word)
  const means = MEANINGS.get(term) ?? MEANINGS_OF_ROOTS.get(wordRoot(word)) ?? []
  return {
    term,
    roots: [wordRoot(word), ...(arabizi === null ? [] : [arabizi])],
    means: means.filter((meaning) => meaning.term !== term),
    mayBeLike: term.length >= MIN_LIKE_LETTERS && !/^\d+$/.test(term),
    isHint: false,
  }
}

type Meanings = readonly { term: string; weight: number }[]

const HINTS = new Map<string, Meanings>(
  ASKED_FOR.flatMap(({ words, means }) => {
    const terms = weighed(means, HINT_WEIGHT)
    return words.map((word) => [foldText(word), terms] as const)
  }),
)

const { byTerm: MEANINGS, byRoot: MEANINGS_OF_ROOTS } = builtIn()

function builtIn() {
  const byTerm = new Map<string, Meanings>()
  const byRoot = new Map<string, Meanings>()
  for (const group of SAME_MEANING) {
    const terms = weighed(group, MEANING_WEIGHT)
    for (const word of group) {
      for (const term of searchTerms(word))
        byTerm.set(term, [...(byTerm.get(term) ?? []), ...terms])
      const root = wordRoot(foldText(word))
      byRoot.set(root, [...(byRoot.get(root) ?? []), ...terms])
    }
  }
  return { byTerm, byRoot }
}

function weighed(words: readonly string[], weight: number): Meanings {
  return [...new Set(words.flatMap(searchTerms))].map((term) => ({ term, weight }))
}
