/** Queries for notices to customers about appointments. */
import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { APPOINTMENT_NOTICE_LIMITS } from '../../core/limits/appointments.ts'
import type {
  AppointmentNoticeKind,
  AppointmentNoticeState,
} from '../../core/vocabulary/appointments.ts'

/** The prefix of the message key of a notice, which ensures that it is sent at most once. */
export const NOTICE_SEND_KEY = 'appointment notice '

/** A notice that is due. */
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

/** Returns the notice that has been due longest, without a lock: see `lockNotice`. */
export async function findDueNotice(db: Kysely<DB>, now: Date): Promise<DueNotice | null> {
  const { rows } = await sql<DueNotice>`
    select id, company_id, appointment_id, version, kind, actor_kind, state, mail_attempts
    from appointment_notice where due_at <= ${now} order by due_at, id limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * Locks a notice and its appointment, and returns it as it is now; null when another worker has processed it.
 * Isolation: locked after conversations, the appointment before the notice.
 */
export async function lockNotice(
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

/** A conversation for notices, with the conditions of sending there. */
export type NoticeConversation = {
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
 * Loads the conversations of an appointment's customer, the latest first. For bookings on the page, only those count
 * in which the provider verified the number: anyone can type a number, and other conversations of the contact must
 * not receive the notice.
 */
export async function readNoticeConversations(
  db: Kysely<DB>,
  { companyId, appointmentId }: Pick<DueNotice, 'companyId' | 'appointmentId'>,
): Promise<NoticeConversation[]> {
  const { rows } = await sql<NoticeConversation>`
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

/** A customer's details for notices. */
export type NoticeCustomer = {
  optedOutAt: Date | null
  language: string | null
  /** The contact's e-mail address, and its source. */
  email: string | null
  emailFrom: string | null
}

/**
 * Loads a customer's opt-out, language and e-mail address for notices about their appointments. Returns null for a
 * booking without a contact.
 */
export async function readNoticeCustomer(
  db: Kysely<DB>,
  { companyId, contactId }: { companyId: string; contactId: string | null },
): Promise<NoticeCustomer | null> {
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
 * Returns whether another notice of a customer's action is within the limits per recipient and per company.
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

/** Stores the outcome of a locked notice to a customer. */
export async function recordNoticeOutcome(
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
 * Stores the outcome of an e-mail, unless its lease has expired and another worker stored one. `dueAt` is the time of
 * the next attempt, by the best route then.
 */
export async function recordMailOutcome(
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

/** Postpones a notice to a customer. */
export async function postponeNotice(
  db: Kysely<DB>,
  { id }: Pick<DueNotice, 'id'>,
  dueAt: Date,
): Promise<void> {
  await sql`update appointment_notice set due_at = ${dueAt}
    where id = ${id} and state = 'pending'`.execute(db)
}
