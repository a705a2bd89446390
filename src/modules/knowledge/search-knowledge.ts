import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { KNOWLEDGE_SEARCH } from '../../core/limits/knowledge.ts'
import { searchTerms } from '../../rules/text/search-terms.ts'
import { queryTerms } from './query-terms.ts'
import { lookUpTerms } from './look-up-terms.sql.ts'
import { planLookup, planSearch, type OwnSynonym } from './plan-search.ts'
import { rankChunks, type RankedChunk } from './rank-chunks.sql.ts'

/** A chunk that was found; the model cites its number. `score` is comparable within one search. */
export type FoundChunk = RankedChunk & { number: number }

/**
 * Returns the company's best chunks for up to three wordings of one question: at most six, and 6,000 characters in
 * total. Empty where no chunk matches.
 *
 * Spec: Assistant › Knowledge.
 */
export async function searchKnowledge(
  db: Kysely<DB>,
  { companyId, wordings }: { companyId: string; wordings: readonly string[] },
): Promise<FoundChunk[]> {
  const best = new Map<string, RankedChunk>()
  const searched = wordings.slice(0, KNOWLEDGE_SEARCH.wordings)
  const answers = await Promise.all(
    searched.map((wording) => searchOne(db, { companyId, wording })),
  )
  for (const chunk of answers.flat()) {
    const known = best.get(chunk.chunkId)
    if (!known || known.score < chunk.score) best.set(chunk.chunkId, chunk)
  }
  const ranked = [...best.values()].toSorted((one, other) => other.score - one.score)
  const found: FoundChunk[] = []
  let chars = 0
  for (const chunk of ranked.slice(0, KNOWLEDGE_SEARCH.chunks)) {
    chars += chunk.body.length + (chunk.heading?.length ?? 0)
    if (found.length > 0 && chars > KNOWLEDGE_SEARCH.chars) break
    found.push({ ...chunk, number: found.length + 1 })
  }
  return found
}

async function searchOne(
  db: Kysely<DB>,
  { companyId, wording }: { companyId: string; wording: string },
): Promise<RankedChunk[]> {
  const words = queryTerms(wording)
  if (words.length === 0) return []
  const [own, chunks] = await Promise.all([
    ownSynonyms(db, companyId, searchTerms(wording)),
    countChunks(db, companyId),
  ])
  if (chunks === 0) return []
  const lookup = planLookup(words, own)
  const known = await lookUpTerms(db, { companyId, wanted: lookup.wanted })
  const plan = planSearch(words, lookup, { known, chunks })
  return rankChunks(db, { companyId, ...plan, limit: KNOWLEDGE_SEARCH.chunks })
}

async function ownSynonyms(
  db: Kysely<DB>,
  companyId: string,
  terms: readonly string[],
): Promise<OwnSynonym[]> {
  const rows = await db
    .selectFrom('synonym')
    .select(['term', 'meanTerms as means'])
    .where('companyId', '=', companyId)
    .where('term', 'in', [...terms, ''])
    .execute()
  return rows
}

async function countChunks(db: Kysely<DB>, companyId: string): Promise<number> {
  const { rows } = await sql<{ chunks: number }>`
    select coalesce(sum(chunk_count), 0)::int as chunks from knowledge_source
    where company_id = ${companyId}
  `.execute(db)
  return rows[0]!.chunks
}
