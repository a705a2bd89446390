import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { MAIL_LIMITS } from '../limits/accounts.ts'

export type NoticeToMail = {
  id: string
  kind: string
  details: string
  companyName: string | null
  timeZone: string
  /** Which attempt this is, from 1 on: whoever claims it later has another number. */
  attempt: number
  /** The e-mail addresses of the account's Owners, at most 50. */
  owners: string[]
}

/**
 * Takes notices whose e-mail is due, the oldest first, and moves their time ahead: as long as one is
 * being sent nobody else takes it, and what a dead node had taken comes again.
 *
 * Isolation: one statement at read committed; `skip locked` lets two nodes take different ones.
 */
export async function claimNoticeMails(
  db: Kysely<DB>,
  { now, limit }: { now: Date; limit: number },
): Promise<NoticeToMail[]> {
  const { rows } = await sql<NoticeToMail>`
    update notice
    set mail_due_at = ${new Date(now.getTime() + MAIL_LIMITS.leaseMs)},
      mail_attempts = notice.mail_attempts + 1
    from company
    where company.id = notice.company_id and notice.id in (
      select id from notice where mail_due_at <= ${now}
      order by mail_due_at, id limit ${limit} for no key update skip locked)
    returning notice.id, notice.kind, notice.details, company.name as company_name, company.time_zone,
      notice.mail_attempts as attempt,
      array(select person.email from member join person on person.id = member.person_id
        where member.account_id = notice.account_id and member.role = 'owner' and not person.is_demonstration
        order by member.created_at, member.id limit ${MAIL_LIMITS.recipients}) as owners
  `.execute(db)
  return rows
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
    .set({ mailedAt: now, mailDueAt: null })
    .where('id', '=', id)
    .execute()
}

/** It was not sent: when it is tried next, or null when it is given up. A later claim stays. */
export async function postponeMail(
  db: Kysely<DB>,
  { id, attempt }: Pick<NoticeToMail, 'id' | 'attempt'>,
  dueAt: Date | null,
): Promise<void> {
  await db
    .updateTable('notice')
    .set({ mailDueAt: dueAt })
    .where('id', '=', id)
    .where('mailAttempts', '=', attempt)
    .where('mailedAt', 'is', null)
    .execute()
}

/** Without a mail server, notices are for the dashboard alone. */
export async function forgetDueMails(db: Kysely<DB>, now: Date): Promise<void> {
  await db.updateTable('notice').set({ mailDueAt: null }).where('mailDueAt', '<=', now).execute()
}

/** When an e-mail is due next; null when none waits. */
export async function nextMailDue(db: Kysely<DB>): Promise<Date | null> {
  const row = await db
    .selectFrom('notice')
    .select((eb) => eb.fn.min('mailDueAt').as('dueAt'))
    .where('mailDueAt', 'is not', null)
    .executeTakeFirst()
  return row?.dueAt ?? null
}
