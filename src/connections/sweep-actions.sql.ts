import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { oldestIdAt } from '../ids.ts'
import { DAY_MS, RETENTION } from '../limits.ts'

/**
 * Deletes proposals as old as the oldest calls of the log, found by their ids. At most `most`;
 * returns how many.
 *
 * Isolation: `skip locked` passes by what another node deletes.
 */
export async function deleteOldProposals(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from action_proposal
      where id < ${oldestIdAt(new Date(now.getTime() - RETENTION.callLogMs))}
      order by id limit ${most} for update skip locked
    )
    delete from action_proposal using picked where action_proposal.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes what customers' calls were counted with, once the day counts no more. */
export async function deleteOldActionDays(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select company_id, customer, day from action_day
      where day < ${twoDaysBefore(now).toISOString().slice(0, 10)}::date
      limit ${most} for update skip locked
    )
    delete from action_day using picked
    where action_day.company_id = picked.company_id
      and action_day.customer = picked.customer and action_day.day = picked.day
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes what the calls of replies were counted with, long after their end. */
export async function deleteOldActionReplies(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select company_id, reply_id from action_reply
      where started_at < ${twoDaysBefore(now)}
      limit ${most} for update skip locked
    )
    delete from action_reply using picked
    where action_reply.company_id = picked.company_id and action_reply.reply_id = picked.reply_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

function twoDaysBefore(now: Date): Date {
  return new Date(now.getTime() - 2 * DAY_MS)
}
