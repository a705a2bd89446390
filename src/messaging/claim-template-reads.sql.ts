import { sql, type Kysely } from 'kysely'
import { byTurns } from '../database/by-turns.ts'
import type { DB } from '../database/tables.ts'
import { CHANNEL_LIMITS } from '../limits/messaging.ts'

/**
 * Takes the connected channels whose templates are due to be read, accounts in turn, and sets when they are due next:
 * an hour on and up to six minutes more, by the channel's id, so that channels that were connected
 * together drift apart.
 *
 * Isolation: one statement at read committed. `skip locked` lets two nodes take different channels;
 * the new due time stands before the provider is asked, so a node that dies loses one reading.
 */
export async function claimTemplateReads(db: Kysely<DB>, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update channel set templates_due_at = ${now}::timestamptz
      + make_interval(secs => ${CHANNEL_LIMITS.templatesEveryMs / 1_000})
      + make_interval(secs => ${CHANNEL_LIMITS.templatesSpreadMs / 1_000}
          * (abs(hashtext(id::text)::bigint) % 1000) / 1000.0)
    where id in (
      select id from channel
      where templates_due_at <= ${now} and id = any(array(
        ${byTurns(
          sql`select id, company_id, templates_due_at as due_at from channel
            where templates_due_at <= ${now} and deleted_at is null and is_connected`,
          CHANNEL_LIMITS.templatesAtOnce,
        )}))
      for no key update skip locked)
    returning id`.execute(db)
  return rows.map((row) => row.id)
}

/** When templates are due next; null when no channel waits. */
export async function nextTemplateRead(db: Kysely<DB>): Promise<Date | null> {
  const row = await db
    .selectFrom('channel')
    .select((eb) => eb.fn.min('templatesDueAt').as('dueAt'))
    .where('deletedAt', 'is', null)
    .where('isConnected', '=', true)
    .executeTakeFirst()
  return row?.dueAt ?? null
}
