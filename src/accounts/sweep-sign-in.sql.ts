import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { SIGN_IN_LIMITS } from '../contract/sign-in-limits.ts'

/**
 * Deletes sessions that are over, by their age or because nobody used them. At most `most`; returns
 * how many.
 *
 * Isolation: `skip locked` passes by a session that is used at this moment.
 */
export async function deleteEndedSessions(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from session
      where expires_at <= ${now}
        or last_seen_at <= ${new Date(now.getTime() - SIGN_IN_LIMITS.sessionIdleMs)}
      limit ${most} for update skip locked
    )
    delete from session using picked where session.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Forgets devices in which nobody signed in for 180 days. Isolation and answer as above. */
export async function deleteOldDevices(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from known_device where expires_at <= ${now} limit ${most} for update skip locked
    )
    delete from known_device using picked where known_device.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes invitations that nobody accepted in time. Isolation and answer as above. */
export async function deleteEndedInvitations(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from invitation where expires_at <= ${now} limit ${most} for update skip locked
    )
    delete from invitation using picked where invitation.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes wrong passwords that no longer slow anyone down. Isolation and answer as above. */
export async function deleteOldSignInFailures(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from sign_in_failure
      where failed_at <= ${new Date(now.getTime() - SIGN_IN_LIMITS.failuresWithinMs)}
      order by failed_at limit ${most} for update skip locked
    )
    delete from sign_in_failure using picked where sign_in_failure.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
