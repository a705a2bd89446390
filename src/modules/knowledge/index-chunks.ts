import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { KNOWLEDGE_ENGINE } from '../../core/limits/knowledge.ts'
import type { PreparedSource } from './prepare-chunks.ts'
import type { OwnedSource } from './view-source.ts'

/**
 * Replaces a source's chunks; until the commit, searches find the old ones. Every stored chunk is searchable: a
 * source that is switched off has none.
 *
 * Isolation: the caller has locked the source's row. Two sources of a company that are written concurrently may
 * deadlock over terms they share: `transaction` runs one again.
 */
export async function replaceChunks(
  tx: Kysely<DB>,
  { ids }: { ids: Ids },
  { companyId, sourceId, revision }: OwnedSource & { revision: number },
  { chunks, roots }: PreparedSource,
): Promise<void> {
  await removeChunks(tx, { companyId, sourceId })
  for (let at = 0; at < chunks.length; at += KNOWLEDGE_ENGINE.chunksPerWrite) {
    const part = chunks.slice(at, at + KNOWLEDGE_ENGINE.chunksPerWrite)
    const rows = part.map((chunk, index) => ({
      id: ids.uuid(),
      companyId,
      sourceId,
      revision,
      position: at + index,
      ...chunk,
    }))
    await tx.insertInto('knowledgeChunk').values(rows).execute()
  }
  await sql`
    insert into knowledge_term (company_id, term, root, chunks)
    select ${companyId}, counted.term, known.root, counted.chunks
    from (${termsOf(sourceId)}) counted
    join unnest(
      ${roots.map(([term]) => term)}::text[], ${roots.map(([, root]) => root)}::text[]
    ) as known (term, root) on known.term = counted.term
    order by counted.term
    on conflict (company_id, term) do update set chunks = knowledge_term.chunks + excluded.chunks
  `.execute(tx)
}

/**
 * Deletes a source's chunks, and from the company's terms those that no other chunk has.
 *
 * Isolation: the number of chunks with a term is read once the term is locked, because another source of the company
 * may just have removed or added it.
 */
export async function removeChunks(
  tx: Kysely<DB>,
  { companyId, sourceId }: OwnedSource,
): Promise<void> {
  await sql`
    with counted as materialized (${termsOf(sourceId)}), locked as materialized (
      select term, chunks from knowledge_term
      where company_id = ${companyId} and term in (select term from counted)
      order by term for update
    ), lessened as (
      update knowledge_term known set chunks = known.chunks - counted.chunks
      from counted join locked using (term)
      where known.company_id = ${companyId} and known.term = counted.term
        and locked.chunks > counted.chunks
      returning known.term
    )
    delete from knowledge_term known using counted join locked using (term)
    where known.company_id = ${companyId} and known.term = counted.term
      and locked.chunks <= counted.chunks
  `.execute(tx)
  await tx.deleteFrom('knowledgeChunk').where('sourceId', '=', sourceId).execute()
}

function termsOf(sourceId: string) {
  return sql`
    select word.lexeme as term, count(*)::int as chunks
    from knowledge_chunk chunk cross join lateral unnest(chunk.terms) as word
    where chunk.source_id = ${sourceId} group by 1`
}
