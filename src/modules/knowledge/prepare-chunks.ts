import { wordTerms, type WordTerm } from '../../rules/text/search-terms.ts'
import { wordRoot } from '../../rules/text/word-root.ts'
import { chunkText, type Block, type Chunk } from './chunk-text.ts'

/** The maximum word position in a PostgreSQL tsvector. */
const LAST_PLACE = 16_383

/** A chunk with its search terms, as the text of a tsvector. */
export type PreparedChunk = Chunk & { terms: string }

/** A source prepared for the search: its chunks, and the root of each of their terms. */
export type PreparedSource = { chunks: PreparedChunk[]; roots: [term: string, root: string][] }

/**
 * Splits a source into chunks and computes their terms. This takes seconds for a long text, so no request runs it.
 */
export function prepareSource(title: string, blocks: readonly Block[]): PreparedSource {
  return prepareChunks(title, chunkText(blocks))
}

/** Computes the search terms of a source's chunks. */
export function prepareChunks(title: string, chunks: readonly Chunk[]): PreparedSource {
  const roots = new Map<string, string>()
  const ofTitle = wordTerms(title)
  const prepared = chunks.map((chunk) => ({ ...chunk, terms: vectorOf(chunk, ofTitle, roots) }))
  return { chunks: prepared, roots: [...roots] }
}

/** Returns a tsvector with each term once, and a position; terms of the heading are marked. */
function vectorOf(
  { heading, body }: Chunk,
  ofTitle: readonly WordTerm[],
  roots: Map<string, string>,
): string {
  const places = new Map<string, string>()
  const add = (words: readonly WordTerm[], mark: string) => {
    for (const { word, term } of words) {
      if (places.has(term)) continue
      places.set(term, `'${term}':${Math.min(places.size + 1, LAST_PLACE)}${mark}`)
      if (!roots.has(term)) roots.set(term, wordRoot(word))
    }
  }
  add(heading === null ? ofTitle : wordTerms(heading), 'A')
  add(ofTitle, '')
  add(wordTerms(body), '')
  return [...places.values()].join(' ')
}
