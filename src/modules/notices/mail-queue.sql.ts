import { sql, type Kysely } from 'kysely'
import { dueUnlessMoved, type RowClaim, type Queue } from '../../infra/database/queues/queue.ts'
import { settle } from '../../infra/database/queues/release.sql.ts'
import type { DB } from '../../infra/database/tables.ts'
import { MAIL_LIMITS } from '../../core/limits/accounts.ts'

/** A claimed notice, with what its e-mail needs. */
export type NoticeToMail = {
  id: string
  accountId: string
  companyId: string
  kind: string
  details: string
  companyName: string | null
  timeZone: string
  /** The number of this attempt, from 1. */
  attempt: number
  claimId: string
  /** The e-mail addresses of the account's Owners who have not received the e-mail, at most 50. */
  owners: string[]
  /** The ids of these Owners, in the same order. */
  ownerIds: string[]
}

/** The queue of notices to e-mail. */
export const MAIL_QUEUE: Queue<NoticeToMail> = {
  name: 'notices to mail',
  table: 'notice',
  due: 'mail_due_at',
  leaseMs: MAIL_LIMITS.leaseMs,
  waits: sql`mail_due_at is not null`,
  byTime: {},
  movesDue: true,
  onClaim: sql`mail_attempts = mail_attempts + 1`,
  columns: sql`id, company_id, kind, details, mail_attempts as attempt, mail_done_for, claim_id`,
  joined: {
    columns: sql`company.name as company_name, company.time_zone, recipient.owners, recipient.owner_ids`,
    joins: sql`join company on company.id = claimed.company_id
      cross join lateral (
        select coalesce(array_agg(email order by created_at, member_id), '{}') as owners,
          coalesce(array_agg(person_id order by created_at, member_id), '{}') as owner_ids
        from (select person.email, person.id as person_id, member.created_at, member.id as member_id
          from member join person on person.id = member.person_id
          where member.account_id = company.account_id and member.role = 'owner' and not person.is_demonstration
            and person.id <> all(claimed.mail_done_for)
          order by member.created_at, member.id limit ${MAIL_LIMITS.recipients}) owner
      ) recipient`,
  },
}

/**
 * Abandons e-mails of notices from before a restored backup's time, as they may have been sent since. Returns their
 * number.
 */
export async function giveUpRestoredMails(db: Kysely<DB>, before: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('notice')
    .set({ mailDueAt: null })
    .where('mailDueAt', 'is not', null)
    .where('createdAt', '<=', before)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Records that the mail server accepted the e-mail. It also ends a later claim, which would send a second e-mail. */
export async function recordMailed(db: Kysely<DB>, id: string, now: Date): Promise<void> {
  await db
    .updateTable('notice')
    .set({ mailedAt: now, mailDueAt: null, claimId: null, leaseExpiresAt: null })
    .where('id', '=', id)
    .execute()
}

/**
 * Records that the e-mail has ended for the Owners in `doneFor`, whose addresses were accepted or finally refused.
 * `dueAt` is the time of the next attempt, for the others, and `attempts` the number of earlier ones for them.
 * `mailedAt` is null where the mail server did not accept the e-mail. Writes nothing once the claim has ended: the
 * e-mail of a later claim goes to all.
 */
export async function recordPartlyMailed(
  db: Kysely<DB>,
  { id, companyId, claimId }: Pick<NoticeToMail, 'id' | 'companyId' | 'claimId'>,
  part: { doneFor: readonly string[]; mailedAt: Date | null; dueAt: Date; attempts: number },
): Promise<void> {
  await sql`
    update notice set mailed_at = coalesce(${part.mailedAt}, mailed_at), mail_due_at = ${part.dueAt},
      mail_attempts = ${part.attempts}, claim_id = null, lease_expires_at = null,
      mail_done_for = mail_done_for || ${part.doneFor}::uuid[]
    where id = ${id} and company_id = ${companyId} and claim_id = ${claimId}`.execute(db)
}

/**
 * Records a failed e-mail with the time of its next attempt, or null to give up. Writes nothing once the claim has
 * ended.
 */
export async function postponeMail(
  db: Kysely<DB>,
  notice: RowClaim,
  dueAt: Date | null,
): Promise<void> {
  await settle(db, MAIL_QUEUE, notice, dueUnlessMoved(MAIL_QUEUE, dueAt))
}

/** Cancels due e-mails: without a mail server, notices are shown only in the dashboard. */
export async function cancelDueMails(db: Kysely<DB>, now: Date): Promise<void> {
  await db.updateTable('notice').set({ mailDueAt: null }).where('mailDueAt', '<=', now).execute()
}
