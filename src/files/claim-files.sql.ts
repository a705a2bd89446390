import { sql, type Kysely } from 'kysely'
import { isClaimOf } from '../database/claiming-nodes.sql.ts'
import type { DB } from '../database/tables.ts'
import { FILE_ENGINE } from '../limits/files.ts'

/** A file that a process has in hand: to be fetched, or to be deleted. */
export type FileInHand = {
  id: string
  accountId: string
  companyId: string
  /** Where the provider has it; null of one that is to be deleted. */
  channelId: string | null
  /** JSON text: the adapter's words for where it is. */
  providerMedia: string | null
  state: 'awaited' | 'dropped'
  attempt: number
  claimId: string
}

const FIRST_COMPANY = '00000000-0000-0000-0000-000000000000'

/**
 * Takes files that are due, leased under the claim id: accounts in turn, then the companies of one, of each the oldest,
 * and of no account more than its share. Companies after `after` are looked at, in their order, so that one that has much waiting holds up
 * nobody; `next` is where to go on, null at the end of the round. An upload is due once nobody has taken it
 * along in time, or its bytes have not come: it is dropped by being taken; so is what a visitor uploaded.
 *
 * Isolation: `skip locked` keeps two nodes from taking one file, and passes by one that a message is just
 * taking along; once that is committed the file is not due.
 */
export async function claimFiles(
  db: Kysely<DB>,
  {
    claimId,
    now,
    limit,
    inHand,
    after,
  }: {
    claimId: string
    now: Date
    limit: number
    /** By account, the files that this process has in hand. */
    inHand: ReadonlyMap<string, number>
    after: string | null
  },
): Promise<{ files: FileInHand[]; next: string | null }> {
  const { companiesPerClaim, atOncePerAccount, leaseMs } = FILE_ENGINE
  const { rows } = await sql<FileInHand | { id: null; companyId: string }>`
    with recursive waiting as (
      (select company_id, 1 as place from file
        where due_at is not null and claim_id is null and company_id > ${after ?? FIRST_COMPANY}
        order by company_id limit 1)
      union all
      select (select file.company_id from file
        where due_at is not null and claim_id is null and file.company_id > waiting.company_id
        order by file.company_id limit 1), waiting.place + 1
      from waiting
      where waiting.company_id is not null and waiting.place < ${companiesPerClaim}
    ), of_company as (
      select due.*, account_id,
        row_number() over (partition by waiting.company_id order by due.due_at, due.id) as nth
      from waiting cross join lateral (select account_id from company where id = waiting.company_id limit 1) company
        cross join lateral (
          select id, due_at from file
          where file.company_id = waiting.company_id and file.due_at <= ${now}
            and file.claim_id is null
          order by file.due_at limit ${limit}
        ) due
    ), of_account as (
      select of_company.id, due_at, coalesce(in_hand.files, 0)
          + row_number() over (partition by account_id order by nth, due_at) as of_account
      from of_company left join unnest(${[...inHand.keys()]}::uuid[], ${[...inHand.values()]}::int[])
        as in_hand (account_id, files) using (account_id)
    ), picked as materialized (
      select file.id from (select id from of_account where of_account <= ${atOncePerAccount}::int
          order by of_account, due_at limit ${limit}) due
        cross join lateral (
          select id from file
          where file.id = due.id and file.due_at <= ${now} and file.claim_id is null
          for update skip locked) file
    ), claimed as (
      update file set claim_id = ${claimId}, claimed_until = ${new Date(now.getTime() + leaseMs)},
        state = case when purpose = 'received' and state <> 'kept' then state else 'dropped' end
      where id = any(array(select id from picked))
      returning id, company_id, channel_id, provider_media, state, attempt, claim_id
    )
    select claimed.*, (select account_id from company where company.id = claimed.company_id)
    from claimed
    union all
    (select null, company_id, null, null, null, null, null, null from waiting
      where place = ${companiesPerClaim} and company_id is not null)
  `.execute(db)
  return {
    files: rows.filter((row) => row.id !== null),
    next: rows.find(({ id }) => id === null)?.companyId ?? null,
  }
}

/** Gives back what was claimed until a time or before. Returns how many files that were. */
export function releaseExpiredFiles(db: Kysely<DB>, before: Date): Promise<number> {
  return release(db, sql`claim_id is not null and claimed_until <= ${before}`)
}

/** Gives back what nodes that died had claimed. Returns how many files that were. */
export function releaseFilesOf(db: Kysely<DB>, nodes: readonly string[]): Promise<number> {
  return release(db, sql`claim_id is not null and ${isClaimOf(nodes)}`)
}

/** Fetched twice is kept once, under the same key. */
async function release(db: Kysely<DB>, isLost: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows } = await sql`
    update file set claim_id = null, claimed_until = null
    where id in (select id from file where ${isLost} order by id for update skip locked)
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** When the next file is due, or the next lease ends; null when nothing waits. */
export async function nextFileDue(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(due_at) from file where due_at is not null and claim_id is null),
      (select min(claimed_until) from file where claim_id is not null)
    ) as at
  `.execute(db)
  return rows[0]?.at ?? null
}
