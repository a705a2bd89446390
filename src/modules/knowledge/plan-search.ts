/** Selects the search terms of a question and their weights. Pure. */
import { KNOWLEDGE_SEARCH } from '../../core/limits/knowledge.ts'
import type { QueryWord } from './query-terms.ts'
import type { KnownTerm, LookupTerms } from './look-up-terms.sql.ts'
import type { SoughtTerm } from './rank-chunks.sql.ts'

/** A company's synonym: a question with `term` also finds chunks with `means`. */
export type OwnSynonym = { term: string; means: readonly string[] }

/** The weight of a company's synonym. */
const OWN_MEANING_WEIGHT = 0.9
/** The weight of another form of the word, which may be another word. */
const ROOT_WEIGHT = 0.75
/** The weight of a similar term. */
const LIKE_WEIGHT = 0.8

/** The origin of a term that is looked up: the index of its word, and its weight. */
type Origin = { word: number; weight: number }
/** The terms to look up, and the origin of each by its `place`. */
export type SearchLookup = { wanted: LookupTerms; origins: readonly Origin[] }

/** Returns the terms to look up in a company's index for a question's words, with their roots and synonyms. */
export function planLookup(words: readonly QueryWord[], own: readonly OwnSynonym[]): SearchLookup {
  const same: { place: number; term: string }[] = []
  const roots: { place: number; root: string }[] = []
  const like: { place: number; term: string }[] = []
  const origins: Origin[] = []
  words.forEach((queried, word) => {
    const place = origins.push({ word, weight: 1 }) - 1
    if (!queried.isHint) same.push({ place, term: queried.term })
    for (const root of queried.roots) roots.push({ place, root })
    if (queried.mayBeLike) like.push({ place, term: queried.term })
    const ownMeans = own
      .filter(({ term }) => term === queried.term)
      .flatMap(({ means }) => means.map((term) => ({ term, weight: OWN_MEANING_WEIGHT })))
    for (const { term, weight } of [...ownMeans, ...queried.means]) {
      same.push({ place: origins.push({ word, weight }) - 1, term })
    }
  })
  return { wanted: { same, roots, like }, origins }
}

/**
 * Returns the terms to search for with their weights, the rarest first, and the score that a chunk needs.
 * @param chunks the number of chunks of the company
 */
export function planSearch(
  words: readonly QueryWord[],
  { origins }: SearchLookup,
  { known, chunks }: { known: readonly KnownTerm[]; chunks: number },
): { sought: SoughtTerm[]; minScore: number; mayBeHints: boolean } {
  const best = new Map<string, SoughtTerm & { chunks: number }>()
  for (const found of known) {
    const { word, weight } = origins[found.place]!
    const how = found.how === 'root' ? ROOT_WEIGHT : found.how === 'like' ? LIKE_WEIGHT : 1
    const worth = weight * how * found.likeness * rarity(found.chunks, chunks)
    const key = `${word} ${found.term}`
    if (worth <= (best.get(key)?.worth ?? 0)) continue
    const { isHint } = words[word]!
    best.set(key, { place: word, term: found.term, worth, isHint, chunks: found.chunks })
  }
  const content = words.flatMap(({ isHint }, word) => (isHint ? [] : [word]))
  const mass = content.reduce((sum, word) => {
    const ofWord = known.filter(({ place, how }) => origins[place]!.word === word && how !== 'like')
    return sum + rarity(Math.min(...ofWord.map((found) => found.chunks), chunks + 1), chunks)
  }, 0)
  return {
    sought: withinLimit([...best.values()]),
    minScore: mass * KNOWLEDGE_SEARCH.minShare,
    mayBeHints: content.length === 0,
  }
}

/** Returns the rarest terms first, up to the limit of matching chunks. */
function withinLimit(terms: readonly (SoughtTerm & { chunks: number })[]): SoughtTerm[] {
  let places = 0
  return terms
    .toSorted((one, other) => one.chunks - other.chunks)
    .filter((term, at) => {
      places += term.chunks
      return at === 0 || places <= KNOWLEDGE_SEARCH.places
    })
    .map(({ place, term, worth, isHint }) => ({ place, term, worth, isHint }))
}

/**
 * Returns the inverse document frequency of a term: rare terms weigh more. A count above `chunks` marks a term that no
 * chunk has; it weighs as much as the rarest.
 */
function rarity(chunksWith: number, chunks: number): number {
  const found = chunksWith > chunks ? 1 : chunksWith
  return Math.log(1 + (chunks - found + 0.5) / (found + 0.5))
}
