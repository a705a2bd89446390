/**
 * Rows of a table that wait until they are due, and are then in the hands of one process at a time. A process claims a
 * row by writing a claim id and the end of a lease into it (`claim.sql.ts`); what it then writes counts only while the
 * row still has that claim id. A row whose process died is given back (`release.sql.ts`).
 */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '../tables.ts'

type Sql = RawBuilder<unknown>

/** A table whose rows processes claim: it has the columns `claim_id` and `lease_expires_at`. */
export type Claimable = {
  /** What its rows are called in the log, in the plural. */
  name: string
  table: string
  /** The primary key; `id` unless given. */
  key?: string
  /** The column with the time when a row is due. */
  due: string
  leaseMs: number
  /** Gives rows back where more follows from it than that they are due again. Returns how many rows that were. */
  release?(db: Kysely<DB>, now: Date, isLost: Sql): Promise<number>
  /** Returns when the next row is due or the next lease ends, where it is not told by `due` and the claims alone. */
  nextDue?(db: Kysely<DB>): Promise<Date | null>
}

/** A row in the hand of a process. */
export type InHand = { id: string; claimId: string }

/** A table whose due rows are shared out among accounts by `claim`. `Row` is what a claim tells of a row. */
export type Queue<Row extends InHand = InHand> = Claimable & {
  /** Whether a row waits, in SQL, beside its due time and its claim. */
  waits: Sql
  /** Rows that are found company by company, all unless narrowed; an index of `company_id` and the due time has them. */
  byCompany?: { companiesPerClaim: number; waits?: Sql }
  /** Rows of which those that are due longest are looked at, `most` of them; an index of the due time has them. */
  byTime?: { most?: number; waits?: Sql }
  /** The company of a row; `company_id` unless given. */
  companyId?: Sql
  /** How many rows of an account one process may have in hand; as many as it has places unless given. */
  atOncePerAccount?: number
  /**
   * Whether the due time is the end of the lease while a row is claimed. Whoever changes it meanwhile is heard: the
   * row is due then, whatever its process settles (`dueUnlessMoved`).
   */
  movesDue?: true
  /** What a claim changes besides, as assignments. */
  onClaim?: Sql
  /** `no key update` for a table whose rows many others refer to: a claim then passes by none of them. */
  lock?: 'no key update'
  /** The columns of a claimed row that are told, among them `id`, `company_id` and `claim_id`. */
  columns: Sql
  /** What is told besides, of tables that are joined to `claimed`. */
  beside?: { columns: Sql; joins: Sql }
  /** Whether a claim tells when the next row is due, so that nobody has to ask. */
  tellsNextDue?: true
  /** Carries the type of what a claim tells. */
  row?: Row
}

/** Sorts before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Returns when a lease ends that begins now. Whoever renews a lease writes this time. */
export const leaseEnd = ({ leaseMs }: { leaseMs: number }, now: Date): Date =>
  new Date(now.getTime() + leaseMs)

export const keyOf = ({ key = 'id' }: Claimable): Sql => sql.ref(key)
export const dueOf = ({ due }: Claimable): Sql => sql.ref(due)

/** In an update that settles a row: it is due at `dueAt`, or when somebody said while it was in hand. */
export const dueUnlessMoved = (queue: Claimable, dueAt: Date | null): Sql =>
  sql`${dueOf(queue)} = case when ${dueOf(queue)} = lease_expires_at then ${dueAt}::timestamptz else ${dueOf(queue)} end`
