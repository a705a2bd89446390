/**
 * Queues in tables. A row waits until it is due, and one process at a time works on it. A process claims a row by
 * writing a claim id (a fencing token) and the end of a lease into it (`claim.sql.ts`). Its outcome counts only while
 * the row still has that claim id. Rows of a dead process are released (`release.sql.ts`).
 */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '../tables.ts'

type Sql = RawBuilder<unknown>

/**
 * A lower bound of the due times and ends of leases that a statement reads; null to read all rows
 * (`lower-bound.ts`).
 */
export type Since = Date | null

/** A table whose rows processes claim: it has the columns `claim_id` and `lease_expires_at`. */
export type Claimable = {
  /** The name of the rows in the log, in the plural. */
  name: string
  table: string
  /** The primary key; `id` unless given. */
  key?: string
  /** The column with the time when a row is due. */
  due: string
  leaseMs: number
  /**
   * Releases the rows with the condition `isLost`, for queues whose rows change in more than their claim. Returns the
   * number of released rows.
   */
  release?(db: Kysely<DB>, now: Date, isLost: Sql): Promise<number>
  /**
   * Returns when the next row is due or the next lease ends, for queues where `due` and the claims alone do not
   * decide. Rows before `since` are not read.
   */
  nextDue?(db: Kysely<DB>, since: Since): Promise<Date | null>
  /**
   * Returns the earliest due time or end of a lease of all rows that a lower bound can hide, for queues where `nextDue`
   * may return a later time.
   */
  earliest?(db: Kysely<DB>): Promise<Date | null>
  /**
   * Builds the SQL condition of claimed rows that are not before `since`, for a queue whose index of claims does not
   * have the end of the lease. The end of the lease of another row is noticed once per lower bound.
   */
  isClaimSince?(since: Date): Sql
}

/** A claimed row: its key and the claim id, which is the fencing token of its outcome. */
export type RowClaim = { id: string; claimId: string }

/** A claimed job of a conversation. */
export type ClaimedJob = RowClaim & {
  accountId: string
  companyId: string
  conversationId: string
}

/** A table whose due rows `claim` shares out among accounts. `Row` is the type of a claimed row. */
export type Queue<Row extends RowClaim = RowClaim> = Claimable & {
  /** SQL condition of a waiting row, in addition to its due time and its claim. */
  waits: Sql
  /** Rows that are found company by company, all unless narrowed; an index of `company_id` and the due time has them. */
  byCompany?: { companiesPerClaim: number; waits?: Sql }
  /** Rows of which the `limit` that are due longest are read, by an index of the due time. */
  byTime?: { limit?: number; waits?: Sql }
  /** The company of a row; `company_id` unless given. */
  companyId?: Sql
  /** Maximum of claimed rows of an account in one process; by default the number of its slots. */
  maxConcurrentPerAccount?: number
  /**
   * True when a claimed row's due time is the end of its lease. A change of it during the claim is kept, so that the
   * row is due then whatever its process records (`dueUnlessMoved`).
   */
  movesDue?: true
  /** Additional assignments of a claim. */
  onClaim?: Sql
  /**
   * `no key update` for a table to whose rows many others refer, so that a claim need not skip rows that are merely
   * referred to.
   */
  lock?: 'no key update'
  /** The columns of a claimed row that are returned, among them `id`, `company_id` and `claim_id`. */
  columns: Sql
  /** Additional columns of tables that are joined to `claimed`. */
  joined?: { columns: Sql; joins: Sql }
  /** Carries the type of a claimed row. */
  row?: Row
}

/** Sorts before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Returns the end of a lease that begins now. Renewing a lease writes this time. */
export const leaseEnd = ({ leaseMs }: { leaseMs: number }, now: Date): Date =>
  new Date(now.getTime() + leaseMs)

/** Builds the SQL `and …` that a time is not before the lower bound; empty without one. */
export const isSince = (time: Sql, since: Since): Sql =>
  since === null ? sql`` : sql`and ${time} >= ${since}`

/** Builds the SQL condition of claimed rows, without those whose lease ended before the lower bound. */
export const isClaimed = ({ isClaimSince }: Claimable, since: Since): Sql =>
  since === null
    ? sql`claim_id is not null`
    : sql`claim_id is not null and lease_expires_at >= ${since} ${
        isClaimSince ? sql`and ${isClaimSince(since)}` : sql``
      }`

/** Returns the SQL column that identifies a row of the queue. */
export const keyOf = ({ key = 'id' }: Claimable): Sql => sql.ref(key)
/** Returns the SQL column with the time at which a row is due. */
export const dueOf = ({ due }: Claimable): Sql => sql.ref(due)

/** Builds the assignment of the due time when a claim ends: `dueAt`, or the time that was set during the claim. */
export const dueUnlessMoved = (queue: Claimable, dueAt: Date | null): Sql =>
  sql`${dueOf(queue)} = case when ${dueOf(queue)} = lease_expires_at then ${dueAt}::timestamptz else ${dueOf(queue)} end`
