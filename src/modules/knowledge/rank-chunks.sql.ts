import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/**
 * A search term with the index of its word in the question (`place`) and its weight (`worth`). A hint shows the kind of
 * question, but not its subject.
 */
export type SoughtTerm = { place: number; term: string; worth: number; isHint: boolean }

/** A chunk that matches a question, with its score: the higher, the better. */
export type RankedChunk = {
  chunkId: string
  sourceId: string
  title: string
  heading: string | null
  body: string
  score: number
}

/** The factor for a term in a heading. */
const HEADING_WORTH = 1.4

/**
 * Returns up to `limit` chunks that match a question with at least `minScore`, ordered by score relative to length. The
 * score is the sum over the question's words of the best weight of each. Hints alone find no chunk, unless
 * `mayBeHints`.
 */
export async function rankChunks(
  db: Kysely<DB>,
  {
    companyId,
    sought,
    limit,
    minScore,
    mayBeHints,
  }: {
    companyId: string
    sought: readonly SoughtTerm[]
    limit: number
    minScore: number
    mayBeHints: boolean
  },
): Promise<RankedChunk[]> {
  if (sought.length === 0) return []
  const { rows } = await sql<RankedChunk>`
    with found as (
      select chunk.id, sought.place, sought.is_hint,
        max(sought.worth * case when chunk.terms @@ sought.heading then ${HEADING_WORTH}::float8 else 1 end)
          as worth
      from unnest(
        ${sought.map(({ place }) => place)}::int[],
        ${sought.map(({ term }) => `'${term}'`)}::text[]::tsquery[],
        ${sought.map(({ term }) => `'${term}':A`)}::text[]::tsquery[],
        ${sought.map(({ worth }) => worth)}::float8[],
        ${sought.map(({ isHint }) => isHint)}::bool[]
      ) as sought (place, term, heading, worth, is_hint)
      join knowledge_chunk chunk
        on chunk.company_id = ${companyId} and chunk.terms @@ sought.term
      group by 1, 2, 3
    ), scored as (
      select id, sum(worth) as score from found group by id
      having bool_or(not is_hint) or ${mayBeHints}
    )
    select chunk.id as chunk_id, chunk.source_id, source.title, chunk.heading, chunk.body, scored.score
    from scored
    join knowledge_chunk chunk on chunk.id = scored.id
    join knowledge_source source on source.id = chunk.source_id
    where scored.score >= ${minScore}
    order by scored.score / (1 + 0.02 * sqrt(length(chunk.body))) desc, chunk.position, chunk.id
    limit ${limit}
  `.execute(db)
  return rows
}
