/**
 * Days of the partitioned tables are made ahead by a duty. Should one be missing all the same (every
 * daemon was down for days, a clock that leapt), nothing is refused for it: the day is made and the
 * work done again.
 */
import { sql, type Kysely } from 'kysely'
import type { DB } from './tables.ts'

const CHECK_VIOLATION = '23514'
/** Where the server finds none: its code it shares with others, and the sentence is in the server's language. */
const NO_PARTITION = 'ExecFindPartition'

/** The time of the row that found no day; null for any other error. */
function missingDayOf(error: unknown): Date | null {
  const { code, routine, detail } = (error ?? {}) as Record<string, unknown>
  if (code !== CHECK_VIOLATION || routine !== NO_PARTITION) return null
  // The ids that days are told by are UUIDv7: they begin with the time.
  const hex = /= \(([0-9a-f]{8})-([0-9a-f]{4})-/.exec(String(detail))
  return hex ? new Date(Number.parseInt(hex[1]! + hex[2]!, 16)) : null
}

/** Makes the day whose lack the error tells of. False when it is an error of another kind. */
export async function createMissingPartition(kysely: Kysely<DB>, error: unknown): Promise<boolean> {
  const day = missingDayOf(error)
  if (!day) return false
  await makeDay(kysely, day)
  return true
}

/** Makes the partitions of the day (UTC) that the time lies in, where they are missing. */
export async function makeDay(kysely: Kysely<DB>, at: Date): Promise<void> {
  await makeDays(kysely, [at])
}

/** Makes the partitions of several days (UTC) where they are missing, in one statement: all of them or none. */
export async function makeDays(kysely: Kysely<DB>, times: readonly Date[]): Promise<void> {
  const days = times.map((at) => at.toISOString().slice(0, 10))
  await sql`select make_day(day) from unnest(${days}::date[]) as day`.execute(kysely)
}
