/**
 * After a backup was restored nothing is sent until the operator has said what is to become of what was
 * under way when it was made: between then and now it went on, and the database does not know how far.
 * See docs/decisions/0035.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { DB } from '../database/tables.ts'

const SENDING_HELD = 'sending_held'
const LOOKED_AT_EVERY_MS = 1_000

/**
 * Holds sending, pauses hooks, and closes proposals of AI actions: one may have been agreed to since.
 * By the database's time: the tables have none of their own yet. Never before the newest open run, which
 * a machine whose clock was ahead may have made: by this time runs are told from those that come later.
 */
export async function holdSending(db: Kysely<DB>): Promise<void> {
  await sql`
    insert into operator_switch (name, is_on, changed_at)
    select name, true, at from unnest(array[${SENDING_HELD}, 'hooks_paused']) as name,
      (select greatest(now(), max(created_at)) as at from flow_run
        where status in ('queued', 'running', 'waiting')) newest
    on conflict (name) do update set is_on = true, changed_at = excluded.changed_at
  `.execute(db)
  // A backup may be of a version that had none.
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass('action_proposal') is not null as is_there
  `.execute(db)
  if (!rows[0]!.isThere) return
  await sql`
    update action_proposal set state = 'failed', started_at = now(), ended_at = now()
    where state in ('drafted', 'proposed')
  `.execute(db)
}

/** Since when sending is held; null when it is not. */
export async function sendingHeldSince(db: Kysely<DB>): Promise<Date | null> {
  const row = await db
    .selectFrom('operatorSwitch')
    .select('changedAt')
    .where('name', '=', SENDING_HELD)
    .where('isOn', '=', true)
    .executeTakeFirst()
  return row?.changedAt ?? null
}

/** Lets every process with a daemon send, within a second or so. */
export async function letSendingGo(db: Kysely<DB>, now: Date): Promise<void> {
  await db
    .updateTable('operatorSwitch')
    .set({ isOn: false, changedAt: now })
    .where('name', '=', SENDING_HELD)
    .execute()
}

/**
 * Resolves once sending is not held: true; false when the process stops before. Held is only what a
 * restore into an empty database left, so a process that has begun to send need not look again.
 */
export async function untilSendingIsFree(
  { db, log }: { db: Kysely<DB>; log: Logger },
  stopping: AbortSignal,
): Promise<boolean> {
  for (let isTold = false; !stopping.aborted;) {
    try {
      const since = await sendingHeldSince(db)
      if (since === null) return !stopping.aborted
      if (!isTold) {
        log.warn(
          { since },
          'a backup was restored: nothing is sent until "npm run operator -- resume"',
        )
      }
      isTold = true
    } catch (error) {
      log.warn({ err: error }, 'whether sending is held could not be read, will try again')
    }
    await pause(LOOKED_AT_EVERY_MS, undefined, { signal: stopping }).catch(() => {})
  }
  return false
}
