import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { KNOWLEDGE_ENGINE } from '../limits/knowledge.ts'
import { wordTerms, type WordTerm } from '../rules/text/search-terms.ts'
import { wordRoot } from '../rules/text/word-root.ts'
import type { Chunk } from './cut-chunks.ts'

/** PostgreSQL counts places of words no further. */
const LAST_PLACE = 16_383

export type ServedSource = { companyId: string; sourceId: string; title: string }

/**
 * Puts a source's chunks in the place of those it had; until it is committed the old ones are found.
 *
 * Isolation: whoever calls holds the source's row. Two sources of a company that are written at once may break each
 * other off over terms they share: `transaction` runs one again.
 */
export async function replaceChunks(
  tx: Kysely<DB>,
  { ids }: { ids: Ids },
  source: ServedSource & { revision: number; isOn: boolean },
  chunks: readonly Chunk[],
): Promise<void> {
  const { companyId, sourceId, revision, title, isOn } = source
  if (isOn) await forgetTerms(tx, source)
  await tx.deleteFrom('knowledgeChunk').where('sourceId', '=', sourceId).execute()
  for (let at = 0; at < chunks.length; at += KNOWLEDGE_ENGINE.chunksPerWrite) {
    const part = chunks.slice(at, at + KNOWLEDGE_ENGINE.chunksPerWrite)
    const rows = part.map((chunk, index) => ({
      id: ids.uuid(),
      companyId,
      sourceId,
      revision,
      position: at + index,
      ...chunk,
      terms: vectorOf(chunk, title),
    }))
    await tx.insertInto('knowledgeChunk').values(rows).execute()
  }
  if (isOn) await learnTerms(tx, source, chunks)
}

/** Takes the terms of a source's chunks out of the count: what is not found is not like a word that is asked for either. */
export async function forgetTerms(
  tx: Kysely<DB>,
  { companyId, sourceId }: Omit<ServedSource, 'title'>,
): Promise<void> {
  await sql`
    with counted as materialized (
      select word.lexeme as term, count(*)::int as chunks
      from knowledge_chunk chunk cross join lateral unnest(chunk.terms) as word
      where chunk.source_id = ${sourceId} group by 1
    ), locked as materialized (
      select known.term from knowledge_term known
      where known.company_id = ${companyId} and known.term in (select term from counted)
      order by known.term for update
    ), lessened as (
      update knowledge_term known set chunks = known.chunks - counted.chunks
      from counted, locked
      where known.company_id = ${companyId} and known.term = locked.term
        and counted.term = locked.term and known.chunks > counted.chunks
      returning known.term
    )
    delete from knowledge_term known using counted, locked
    where known.company_id = ${companyId} and known.term = locked.term
      and counted.term = locked.term and known.chunks <= counted.chunks
  `.execute(tx)
}

/** Counts the terms of a source's chunks in. */
export async function learnTerms(
  tx: Kysely<DB>,
  { companyId, title }: Omit<ServedSource, 'sourceId'>,
  chunks: readonly Chunk[],
): Promise<void> {
  const counts = new Map<string, { root: string; chunks: number }>()
  for (const chunk of chunks) {
    const inChunk = new Map(wordsOfChunk(chunk, title).map(({ word, term }) => [term, word]))
    for (const [term, word] of inChunk) {
      const known = counts.get(term)
      if (known) known.chunks += 1
      else counts.set(term, { root: wordRoot(word), chunks: 1 })
    }
  }
  await sql`
    insert into knowledge_term (company_id, term, root, chunks)
    select ${companyId}, term, root, chunks from unnest(
      ${[...counts.keys()]}::text[],
      ${[...counts.values()].map(({ root }) => root)}::text[],
      ${[...counts.values()].map((count) => count.chunks)}::int[]
    ) as counted (term, root, chunks)
    order by term
    on conflict (company_id, term) do update
      set chunks = knowledge_term.chunks + excluded.chunks
  `.execute(tx)
}

function wordsOfChunk({ heading, body }: Chunk, title: string): WordTerm[] {
  return [...wordTerms(heading ?? ''), ...wordTerms(title), ...wordTerms(body)]
}

/** Each term once, with the place of its first word; those of the heading are marked. */
function vectorOf({ heading, body }: Chunk, title: string): string {
  const places = new Map<string, string>()
  let place = 0
  const add = (words: readonly WordTerm[], mark: string) => {
    for (const { term } of words) {
      place = Math.min(place + 1, LAST_PLACE)
      if (!places.has(term)) places.set(term, `'${term}':${place}${mark}`)
    }
  }
  add(wordTerms(heading ?? title), 'A')
  add([...wordTerms(title), ...wordTerms(body)], '')
  return [...places.values()].join(' ')
}
