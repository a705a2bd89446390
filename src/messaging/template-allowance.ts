/**
 * Automated templates are counted when a flow sends one: an account and its projects together by UTC
 * day, a customer over any 24 hours. A send reserves first, under the lock of its account's day, so
 * that no number of runs at once goes over; a template that the provider refuses at once gives its
 * place back.
 *
 * Spec: Flows › Automated templates; readings F12, F13.
 */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import { TEMPLATE_LIMITS } from '../limits.ts'

export type TemplateSend = {
  accountId: string
  companyId: string
  contactId: string | null
  runId: string
  /** Automated templates that the account may send in a UTC day. */
  perDay: number
}

/**
 * Takes a place of both allowances, or none: `account` or `customer` names the one that is used up.
 *
 * Isolation: the row of the account's day is locked by its own update until the transaction ends, so
 * that the customer's sends, which are counted after it, cannot be counted by two runs at once.
 */
export async function reserveTemplate(
  tx: Transaction<DB>,
  now: Date,
  send: TemplateSend,
): Promise<'reserved' | 'account' | 'customer'> {
  if (send.perDay === 0) return 'account'
  const { rows } = await sql`
    insert into template_day as counted (account_id, day, sent)
    values (${send.accountId}, (${now}::timestamptz at time zone 'UTC')::date, 1)
    on conflict (account_id, day) do update set sent = counted.sent + 1
      where counted.sent < ${send.perDay}
    returning sent
  `.execute(tx)
  if (rows.length === 0) return 'account'
  const since = new Date(now.getTime() - TEMPLATE_LIMITS.perCustomerMs)
  const { count } = await tx
    .selectFrom('templateSend')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('contactId', '=', send.contactId)
    .where('sentAt', '>', since)
    .executeTakeFirstOrThrow()
  if (count < TEMPLATE_LIMITS.perCustomer) return 'reserved'
  await giveBack(tx, send.accountId, now)
  return 'customer'
}

/** Records the template that a reserved place was taken for. */
export async function recordTemplateSend(
  tx: Transaction<DB>,
  now: Date,
  messageId: string,
  { accountId, companyId, contactId, runId }: TemplateSend,
): Promise<void> {
  await tx
    .insertInto('templateSend')
    .values({ messageId, accountId, companyId, contactId, runId, sentAt: now })
    .execute()
}

/** Gives the places of a template back that the provider refused at once: nobody got it. */
export async function releaseTemplate(tx: Transaction<DB>, messageId: string): Promise<void> {
  const released = await tx
    .deleteFrom('templateSend')
    .where('messageId', '=', messageId)
    .returning(['accountId', 'sentAt'])
    .executeTakeFirst()
  if (released) await giveBack(tx, released.accountId, released.sentAt)
}

async function giveBack(tx: Transaction<DB>, accountId: string, sentAt: Date): Promise<void> {
  await sql`
    update template_day set sent = sent - 1
    where account_id = ${accountId} and day = (${sentAt}::timestamptz at time zone 'UTC')::date
  `.execute(tx)
}
