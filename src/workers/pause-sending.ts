/**
 * Paused sending after a restored backup. Nothing is sent until the operator has decided about work that was in
 * progress when the backup was made: the database does not know how far it went since. See docs/decisions/0035.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { DB } from '../infra/database/tables.ts'
import { fact } from '../core/facts/fact.ts'
import { serializeFact } from '../core/facts/stored-fact.ts'

const SENDING_HELD = 'sending_held'
const LOOKED_AT_EVERY_MS = 1_000

/**
 * Pauses sending and hooks after a restore, ends the open proposals of AI actions as failed, and cancels the
 * assistant's replies. Paused hooks refuse requests. A proposal may have been accepted since the backup.
 *
 * The pause begins at the database's time, but not before the newest open run or queued message, which a machine with
 * a fast clock may have written. That time separates them from later ones.
 */
export async function pauseSending(db: Kysely<DB>): Promise<void> {
  await sql`
    insert into operator_switch (name, is_on, changed_at)
    select name, true, at from unnest(array[${SENDING_HELD}, 'hooks_paused']) as name,
      (select greatest(now(),
        (select max(created_at) from flow_run where ended_at is null),
        (select max(created_at) from message where due_at is not null)) as at) newest
    on conflict (name) do update set is_on = true, changed_at = excluded.changed_at
  `.execute(db)
  await sql`
    update action_proposal set state = 'failed', started_at = now(), ended_at = now()
    where state in ('drafted', 'proposed')
  `.execute(db)
  await endReplies(db)
}

/** Ends all replies, whose next effect may have happened since the backup. A person checks their conversations. */
async function endReplies(db: Kysely<DB>): Promise<void> {
  await sql`
    with ended as (
      update assistant_reply set state = 'cancelled', end_reason = ${serializeFact(fact('reply_restored'))},
        ended_at = now(), due_at = null, claim_id = null, lease_expires_at = null
      where state in ('gathering', 'thinking', 'sending')
      returning conversation_id
    )
    update conversation set needs_staff = true, waiting_since = coalesce(waiting_since, now())
    where id in (select conversation_id from ended)
  `.execute(db)
}

/** Returns since when sending is paused after a restore; null when it is not. */
export async function sendingPausedSince(db: Kysely<DB>): Promise<Date | null> {
  const row = await db
    .selectFrom('operatorSwitch')
    .select('changedAt')
    .where('name', '=', SENDING_HELD)
    .where('isOn', '=', true)
    .executeTakeFirst()
  return row?.changedAt ?? null
}

/** Ends the pause of sending, but not that of hooks. Every process with workers sends again within about a second. */
export async function resumeSending(db: Kysely<DB>, now: Date): Promise<void> {
  await db
    .updateTable('operatorSwitch')
    .set({ isOn: false, changedAt: now })
    .where('name', '=', SENDING_HELD)
    .execute()
}

/**
 * Resolves to true once sending is not paused, and to false when the process stops before. Calls `onPaused` when it has
 * to wait for that. Only a restore into an
 * empty database pauses it, so a process that has begun to send need not check again.
 */
export async function waitUntilSendingResumes(
  { db, log, onPaused }: { db: Kysely<DB>; log: Logger; onPaused(): void },
  stopping: AbortSignal,
): Promise<boolean> {
  for (let isReported = false; !stopping.aborted;) {
    try {
      const since = await sendingPausedSince(db)
      if (since === null) return !stopping.aborted
      if (!isReported) {
        log.warn({ since }, 'restored backup: nothing is sent until "npm run operator -- resume"')
        onPaused()
      }
      isReported = true
    } catch (error) {
      log.warn({ err: error }, 'pause of sending not readable: retrying')
    }
    await pause(LOOKED_AT_EVERY_MS, undefined, { signal: stopping }).catch(() => {})
  }
  return false
}
