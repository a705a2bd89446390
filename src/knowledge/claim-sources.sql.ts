import { sql, type Kysely } from 'kysely'
import { isClaimOf } from '../database/claiming-nodes.sql.ts'
import type { DB } from '../database/tables.ts'
import { KNOWLEDGE_ENGINE } from '../limits/knowledge.ts'
import type { SourceKind } from '../vocabulary/knowledge.ts'

/** A source that a process has in hand, to read it. */
export type SourceInHand = {
  id: string
  accountId: string
  companyId: string
  kind: SourceKind
  title: string
  url: string | null
  mediaType: string | null
  revision: number
  chunkCount: number
  attempt: number
  claimId: string
}

/**
 * Takes sources that are due, one of each account and those that wait longest first, leased under the claim id. Whose
 * lease has ended is taken again.
 *
 * Isolation: `skip locked` keeps two nodes from taking one source.
 */
export async function claimSources(
  db: Kysely<DB>,
  {
    claimId,
    now,
    limit,
    without,
  }: {
    claimId: string
    now: Date
    limit: number
    /** Accounts of which as many are in hand as may be. */
    without: readonly string[]
  },
): Promise<SourceInHand[]> {
  const leaseUntil = new Date(now.getTime() + KNOWLEDGE_ENGINE.leaseMs)
  const { rows } = await sql<SourceInHand>`
    with first as (
      select distinct on (account_id) source.id, due_at
      from knowledge_source source join company on company.id = source.company_id
      where due_at <= ${now} and (claim_id is null or claimed_until <= ${now})
        and account_id <> all (${without}::uuid[])
      order by account_id, due_at, source.id
    ), picked as materialized (
      select source.id from knowledge_source source
      where source.id in (select id from first order by due_at, id limit ${limit})
        and source.due_at <= ${now} and (source.claim_id is null or source.claimed_until <= ${now})
      order by source.id
      for update skip locked
    )
    update knowledge_source set claim_id = ${claimId}, claimed_until = ${leaseUntil},
      state = 'reading', attempt = least(attempt + 1, 1000)
    where id in (select id from picked)
    returning id, (select account_id from company where company.id = knowledge_source.company_id) as account_id,
      company_id, kind, title, url, media_type, revision, chunk_count, attempt, claim_id
  `.execute(db)
  return rows
}

/** Gives back what a dead process had claimed. Returns how many sources that were. */
export async function releaseExpiredSources(db: Kysely<DB>, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update knowledge_source set claim_id = null, claimed_until = null
    where claim_id is not null and claimed_until < ${now}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Gives back what nodes that died had claimed. Returns how many sources that were. */
export async function releaseSourcesOf(db: Kysely<DB>, nodes: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update knowledge_source set claim_id = null, claimed_until = null
    where claim_id is not null and ${isClaimOf(nodes)}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** When the next source is due, or the next lease ends; null when nothing waits. */
export async function nextSourceDue(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(case when claim_id is null then due_at else greatest(due_at, claimed_until) end) as at
    from knowledge_source where due_at is not null
  `.execute(db)
  return rows[0]?.at ?? null
}
