import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { oldestIdAt } from '../ids.ts'
import { RETENTION } from '../limits.ts'

/** Deletes notices 90 days after they were made. At most `most`; returns how many. */
export async function deleteOldNotices(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from notice
      where id < ${oldestIdAt(new Date(now.getTime() - RETENTION.noticeMs))}::uuid
      order by id limit ${most} for update skip locked
    )
    delete from notice using picked where notice.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes the counts of minutes that are long over. At most `most`; returns how many. */
export async function deleteOldMinuteCounts(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select account_id, what, minute from minute_count
      where minute < ${new Date(now.getTime() - RETENTION.minuteCountMs)}
      order by minute limit ${most} for update skip locked
    )
    delete from minute_count using picked
    where minute_count.account_id = picked.account_id and minute_count.what = picked.what
      and minute_count.minute = picked.minute
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
