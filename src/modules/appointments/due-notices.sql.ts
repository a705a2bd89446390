/** What is read, locked and written of one customer who is to be told of an appointment. */
import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { APPOINTMENT_NOTICE_LIMITS } from '../../core/limits/appointments.ts'
import type {
  AppointmentNoticeKind,
  AppointmentNoticeState,
} from '../../core/vocabulary/appointments.ts'

/** What the key begins with under which the message of a notice is sent once, whatever happens. */
export const NOTICE_SEND_KEY = 'appointment notice '

export type DueNotice = {
  id: string
  companyId: string
  appointmentId: string
  version: number
  kind: AppointmentNoticeKind
  actorKind: 'customer' | 'member'
  state: 'pending' | 'mailing'
  mailAttempts: number
}

/** The one that has been due for longest. Nothing is held: see `holdNotice`. */
export async function findDueNotice(db: Kysely<DB>, now: Date): Promise<DueNotice | null> {
  const { rows } = await sql<DueNotice>`
    select id, company_id, appointment_id, version, kind, actor_kind, state, mail_attempts
    from appointment_notice where due_at <= ${now} order by due_at, id limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * Returns the notice as it is once nobody else can change it or its appointment; null when somebody else has told it.
 * Isolation: locked after conversations, the appointment before the notice.
 */
export async function holdNotice(
  tx: Transaction<DB>,
  now: Date,
  { id, appointmentId }: DueNotice,
): Promise<DueNotice | null> {
  await sql`select from appointment where id = ${appointmentId} for share`.execute(tx)
  const { rows } = await sql<DueNotice>`
    select id, company_id, appointment_id, version, kind, actor_kind, state, mail_attempts
    from appointment_notice where id = ${id} and due_at <= ${now} for update`.execute(tx)
  return rows[0] ?? null
}

/** A conversation in which the customer may be told, and what decides whether something may be sent there. */
export type Way = {
  conversationId: string
  channelId: string
  type: string
  isCoexistence: boolean
  isConnected: boolean
  disconnectedReason: string | null
  plan: string
  optedOutAt: Date | null
  lastCustomerAt: Date | null
}

/**
 * Returns the conversations of the customer of an appointment, the one in which they wrote last before the others. Of
 * what was booked on the booking page only those with whom the provider has shown at the number count: the number may
 * have been typed by anybody, and nobody else of the contact is told.
 */
export async function readWays(
  db: Kysely<DB>,
  { companyId, appointmentId }: Pick<DueNotice, 'companyId' | 'appointmentId'>,
): Promise<Way[]> {
  const { rows } = await sql<Way>`
    select conversation.id as conversation_id, channel.id as channel_id, channel.type,
      channel.is_coexistence, channel.is_connected, channel.disconnected_reason, account.plan,
      contact.opted_out_at, conversation.last_customer_at
    from appointment
      join conversation on conversation.company_id = appointment.company_id
        and (conversation.id = appointment.conversation_id
          or conversation.contact_id = appointment.contact_id
            and (appointment.source <> 'booking_page' or exists (select from identifier
              where identifier.company_id = appointment.company_id
                and identifier.identity_id = conversation.identity_id
                and identifier.kind = 'number' and identifier.key = number_key(substr(appointment.phone, 2))
                and identifier.state = 'current' and identifier.proof = 'shown')))
      join channel on channel.id = conversation.channel_id and channel.deleted_at is null
      join company on company.id = appointment.company_id
      join account on account.id = company.account_id
      left join contact on contact.id = conversation.contact_id
    where appointment.id = ${appointmentId} and appointment.company_id = ${companyId}
      and conversation.last_customer_at is not null
    order by conversation.last_customer_at desc, conversation.id
    limit ${APPOINTMENT_NOTICE_LIMITS.conversations}`.execute(db)
  return rows
}

/** What else is known of the customer of an appointment. */
export type ToldCustomer = {
  optedOutAt: Date | null
  language: string | null
  /** The e-mail address of the contact, and who gave it. */
  email: string | null
  emailFrom: string | null
}

export async function readToldCustomer(
  db: Kysely<DB>,
  { companyId, contactId }: { companyId: string; contactId: string | null },
): Promise<ToldCustomer | null> {
  if (contactId === null) return null
  const row = await db
    .selectFrom('contact')
    .select(['optedOutAt', 'language', 'email', 'emailFrom'])
    .where('id', '=', contactId)
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Whether what customers do on pages may be told to one more, of the recipient and of the company.
 * Isolation: the company's notices are locked by the caller.
 */
export async function isWithinBudget(
  tx: Transaction<DB>,
  now: Date,
  { companyId, recipient }: { companyId: string; recipient: Buffer },
): Promise<boolean> {
  const { toRecipientPerDay, recipientMs, ofCompanyPerHour, companyMs } = APPOINTMENT_NOTICE_LIMITS
  const since = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<{ ofRecipient: number; ofCompany: number }>`
    select count(*) filter (where recipient_hash = ${recipient})::int as of_recipient,
      count(*) filter (where settled_at > ${since(companyMs)})::int as of_company
    from appointment_notice
    where company_id = ${companyId} and settled_at > ${since(recipientMs)} and actor_kind = 'customer'
      and state in ('queued', 'mailing', 'mailed', 'unknown')`.execute(tx)
  const { ofRecipient, ofCompany } = rows[0]!
  return ofRecipient < toRecipientPerDay && ofCompany < ofCompanyPerHour
}

type Settled = {
  state: AppointmentNoticeState
  dueAt?: Date | null
  recipientHash?: Buffer
  messageId?: string
  mailAttempts?: number
  why?: Fact
}

/** Writes what became of a notice that is held. */
export async function settleNotice(
  tx: Transaction<DB>,
  now: Date,
  { id }: Pick<DueNotice, 'id'>,
  { why, dueAt = null, ...settled }: Settled,
): Promise<void> {
  await tx
    .updateTable('appointmentNotice')
    .set({ ...settled, dueAt, settledAt: now, reason: why ? serializeFact(why) : null })
    .where('id', '=', id)
    .execute()
}

/**
 * Writes what became of an e-mail. Nothing changes where its lease has ended and somebody else has settled it.
 * `dueAt` is when it is told again, by whichever way there is then.
 */
export async function settleMail(
  db: Kysely<DB>,
  now: Date,
  { id, mailAttempts }: Pick<DueNotice, 'id' | 'mailAttempts'>,
  { why, ...settled }: { state: 'mailed' | 'pending' | 'skipped'; dueAt: Date | null; why?: Fact },
): Promise<void> {
  await db
    .updateTable('appointmentNotice')
    .set({ ...settled, settledAt: now, reason: why ? serializeFact(why) : null })
    .where('id', '=', id)
    .where('mailAttempts', '=', mailAttempts)
    .where('state', '=', 'mailing')
    .execute()
}

export async function putOffNotice(
  db: Kysely<DB>,
  { id }: Pick<DueNotice, 'id'>,
  dueAt: Date,
): Promise<void> {
  await sql`update appointment_notice set due_at = ${dueAt}
    where id = ${id} and state = 'pending'`.execute(db)
}
