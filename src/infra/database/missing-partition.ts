/**
 * Missing daily partitions. A worker creates them ahead. If one is missing nevertheless (every daemon was down for
 * days, or a clock jumped), the day is created and the work repeated.
 */
import { sql, type Kysely } from 'kysely'
import type { DB } from './tables.ts'

const CHECK_VIOLATION = '23514'
/** The server's routine that finds no partition. Its error code is shared with others, and its message is localised. */
const NO_PARTITION = 'ExecFindPartition'

/** Returns the time of the row whose partition is missing; null for any other error. */
function missingDayOf(error: unknown): Date | null {
  const { code, routine, detail } = (error ?? {}) as Record<string, unknown>
  if (code !== CHECK_VIOLATION || routine !== NO_PARTITION) return null
  // The ids that partition a table are UUIDv7, which begin with the time.
  const hex = /= \(([0-9a-f]{8})-([0-9a-f]{4})-/.exec(String(detail))
  return hex ? new Date(Number.parseInt(hex[1]! + hex[2]!, 16)) : null
}

/** Creates the partition whose lack the error reports. Returns false for any other error. */
export async function createMissingPartition(kysely: Kysely<DB>, error: unknown): Promise<boolean> {
  const day = missingDayOf(error)
  if (!day) return false
  await createPartitionsOfDay(kysely, day)
  return true
}

/** Creates the missing partitions of the UTC day that a time falls on. */
export async function createPartitionsOfDay(kysely: Kysely<DB>, at: Date): Promise<void> {
  await createPartitionsOfDays(kysely, [at])
}

/** Creates the missing partitions of several UTC days, in one statement: all of them or none. */
export async function createPartitionsOfDays(
  kysely: Kysely<DB>,
  times: readonly Date[],
): Promise<void> {
  const days = times.map((at) => at.toISOString().slice(0, 10))
  await sql`select make_day(day) from unnest(${days}::date[]) as day`.execute(kysely)
}
