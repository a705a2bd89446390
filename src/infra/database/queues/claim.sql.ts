import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '../tables.ts'
import { nextDueIn } from './next-due.sql.ts'
import {
  dueOf,
  FIRST_ID,
  isSince,
  keyOf,
  leaseEnd,
  type RowClaim,
  type Since,
  type Queue,
} from './queue.ts'
import { accountOf, roundRobin } from './round-robin.sql.ts'

type Sql = RawBuilder<unknown>

/** The request of one claim: how many rows, for which claim id, and which accounts and companies come first. */
export type ToClaim = {
  claimId: string
  now: Date
  /** The lower bound of the due times that are read; all rows are read without one. */
  since?: Since
  limit: number
  /** The company after which this claim begins. */
  after?: string
  /** Accounts whose rows are skipped. */
  without?: readonly string[]
  /** The rows that this process has claimed, by account; used where accounts have shares. */
  claimedByAccount?: ReadonlyMap<string, number>
}

/** The result of one claim. */
export type Claimed<Row> = {
  rows: Row[]
  /** The company after which the next claim continues; null at the end of the round. */
  next: string | null
  /** The time when another row is due or its lease ends; null where no other row waits. */
  dueAt: Date | null
}

/**
 * Claims due rows of a queue for this process, leased under the claim id. Accounts, and companies within them, take
 * turns (round-robin), each with the row that is due longest. A limited number of companies is read per claim, in the
 * order of their ids, so that a large backlog delays no other company.
 *
 * Isolation: one statement at read committed; `skip locked` keeps two nodes from claiming one row. A picked row is
 * found by its key, and its condition checked again once it is locked. With `claim_id is null`, a planner whose
 * statistics show few waiting rows looks for the key among all of them.
 */
export async function claim<Row extends RowClaim>(
  db: Kysely<DB>,
  queue: Queue<Row>,
  request: ToClaim,
): Promise<Claimed<Row>> {
  const { now, since = null, claimId, limit, claimedByAccount = NO_CLAIMS } = request
  const { maxConcurrentPerAccount, byCompany, joined } = queue
  const [table, key, due, until] = [
    sql.table(queue.table),
    keyOf(queue),
    dueOf(queue),
    leaseEnd(queue, now),
  ]
  const shares =
    maxConcurrentPerAccount === undefined
      ? undefined
      : { maxConcurrentPerAccount, claimed: claimedByAccount }
  const next = byCompany
    ? sql`(select id from walked where id is not null and place = ${byCompany.companiesPerClaim})`
    : sql`null::uuid`
  const { rows } = await sql<Row & Around>`
    with recursive ${walked(queue, request)} picked as materialized (
      select taken.id from (${roundRobin(candidates(queue, request), limit, shares)}) due
        cross join lateral (
          select ${key} as id from ${table}
          where ${key} = due.id and num_nonnulls(claim_id) = 0 and ${due} <= ${now} and ${queue.waits}
          for ${sql.raw(queue.lock ?? 'update')} skip locked) taken
    ), claimed as (
      update ${table} set claim_id = ${claimId}, lease_expires_at = ${until}
        ${queue.movesDue ? sql`, ${due} = ${until}` : sql``} ${queue.onClaim ? sql`, ${queue.onClaim}` : sql``}
      where ${key} = any(array(select id from picked))
      returning ${queue.columns}
    )
    select around.*, taken.*
    from (select ${next} as next_company, ${nextDueIn(queue, since, sql`select id from picked`)} as next_due) around
      left join (
        select claimed.*, (select account_id from company where company.id = claimed.company_id) as account_id
          ${joined ? sql`, ${joined.columns}` : sql``}
        from claimed ${joined ? joined.joins : sql``}) taken on true
  `.execute(db)
  const [{ nextCompany, nextDue }] = rows as [Row & Around]
  return {
    rows: rows.flatMap((row) => (row.id === null ? [] : [row])),
    next: nextCompany,
    dueAt: nextDue,
  }
}

const NO_CLAIMS: ReadonlyMap<string, number> = new Map()

type Around = { nextCompany: string | null; nextDue: Date | null }

/** Builds the query of the companies of this part of the round, found by skipping through the index. */
function walked(queue: Queue, { after = FIRST_ID, since = null }: ToClaim): Sql {
  const { table, byCompany } = queue
  if (!byCompany) return sql``
  const { waits = queue.waits, companiesPerClaim } = byCompany
  const first = (than: Sql) => sql`
    select company_id from ${sql.table(table)}
    where ${waits} and claim_id is null and company_id > ${than} ${isSince(dueOf(queue), since)}
    order by company_id limit 1`
  return sql`walked (id, place) as (
      select (${first(sql`${after}`)}), 1
      union all
      select (${first(sql`walked.id`)}), place + 1
      from walked where walked.id is not null and place < ${companiesPerClaim}
    ),`
}

/** Builds the query of candidates: the oldest rows of each company of this part of the round, and the oldest of all. */
function candidates(queue: Queue, { now, since = null, limit, without = [] }: ToClaim): Sql {
  const [table, key, due] = [sql.table(queue.table), keyOf(queue), dueOf(queue)]
  const { byCompany, byTime, companyId = sql`company_id` } = queue
  const isDue = sql`${due} <= ${now} ${isSince(due, since)}`
  const isLeft = without.length > 0 ? sql`where account_id <> all (${without}::uuid[])` : sql``
  const parts: Sql[] = []
  if (byCompany) {
    parts.push(sql`
      select oldest.id, account_id, walked.id as company_id, oldest.due_at, 1 as part
      from walked ${accountOf(sql`walked.id`)} cross join lateral (
        select ${key} as id, ${due} as due_at from ${table}
        where company_id = walked.id and ${byCompany.waits ?? queue.waits} and claim_id is null and ${isDue}
        order by ${due} limit ${limit}) oldest
      ${isLeft}`)
  }
  if (byTime) {
    const max = byTime.limit === undefined ? sql`` : sql`order by due_at limit ${byTime.limit}::int`
    parts.push(sql`
      (select due.id, account_id, due.company_id, due.due_at, 2 as part
      from (select ${key} as id, ${companyId} as company_id, ${due} as due_at from ${table}
          where ${byTime.waits ?? queue.waits} and claim_id is null and ${isDue}) due
        ${accountOf(sql`due.company_id`)}
      ${isLeft} ${max})`)
  }
  return sql.join(parts, sql` union all `)
}
