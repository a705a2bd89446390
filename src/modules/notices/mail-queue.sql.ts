import { sql, type Kysely } from 'kysely'
import { dueUnlessMoved, type InHand, type Queue } from '../../infra/database/queues/queue.ts'
import { settle } from '../../infra/database/queues/release.sql.ts'
import type { DB } from '../../infra/database/tables.ts'
import { MAIL_LIMITS } from '../../core/limits/accounts.ts'

export type NoticeToMail = {
  id: string
  accountId: string
  companyId: string
  kind: string
  details: string
  companyName: string | null
  timeZone: string
  /** Which attempt this is, from 1 on. */
  attempt: number
  claimId: string
  /** The e-mail addresses of the account's Owners, at most 50. */
  owners: string[]
}

/** Notices whose e-mail is to be sent. */
export const MAIL_QUEUE: Queue<NoticeToMail> = {
  name: 'notices to mail',
  table: 'notice',
  due: 'mail_due_at',
  leaseMs: MAIL_LIMITS.leaseMs,
  waits: sql`mail_due_at is not null`,
  byTime: {},
  movesDue: true,
  onClaim: sql`mail_attempts = mail_attempts + 1`,
  columns: sql`id, company_id, kind, details, mail_attempts as attempt, claim_id`,
  beside: {
    columns: sql`company.name as company_name, company.time_zone,
      array(select person.email from member join person on person.id = member.person_id
        where member.account_id = company.account_id and member.role = 'owner' and not person.is_demonstration
        order by member.created_at, member.id limit ${MAIL_LIMITS.recipients}) as owners`,
    joins: sql`join company on company.id = claimed.company_id`,
  },
}

/** Of notices of before a time, which may have been mailed since, none is. Returns how many there were. */
export async function giveUpRestoredMails(db: Kysely<DB>, before: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('notice')
    .set({ mailDueAt: null })
    .where('mailDueAt', 'is not', null)
    .where('createdAt', '<=', before)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The mail server took it: whoever else holds it now, it is not sent again. */
export async function recordMailed(db: Kysely<DB>, id: string, now: Date): Promise<void> {
  await db
    .updateTable('notice')
    .set({ mailedAt: now, mailDueAt: null, claimId: null, leaseExpiresAt: null })
    .where('id', '=', id)
    .execute()
}

/** It was not sent: when it is tried next, or null when it is given up. A later claim stays. */
export async function postponeMail(
  db: Kysely<DB>,
  notice: InHand,
  dueAt: Date | null,
): Promise<void> {
  await settle(db, MAIL_QUEUE, notice, dueUnlessMoved(MAIL_QUEUE, dueAt))
}

/** Without a mail server, notices are for the dashboard alone. */
export async function forgetDueMails(db: Kysely<DB>, now: Date): Promise<void> {
  await db.updateTable('notice').set({ mailDueAt: null }).where('mailDueAt', '<=', now).execute()
}
