/** Queries for notices to customers about appointments. */
import { sql, type Kysely, type Transaction } from 'kysely'
import { leaseEnd, type Queue, type RowClaim } from '../../infra/database/queues/queue.ts'
import { settle } from '../../infra/database/queues/release.sql.ts'
import type { DB } from '../../infra/database/tables.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { MAIL_LIMITS } from '../../core/limits/accounts.ts'
import { APPOINTMENT_NOTICE_LIMITS } from '../../core/limits/appointments.ts'
import type {
  AppointmentNoticeKind,
  AppointmentNoticeState,
} from '../../core/vocabulary/appointments.ts'

/** The prefix of the message key of a notice, which ensures that it is sent at most once. */
export const NOTICE_SEND_KEY = 'appointment notice '

/** A notice that a process has claimed. */
export type ClaimedNotice = {
  id: string
  accountId: string
  companyId: string
  appointmentId: string
  version: number
  kind: AppointmentNoticeKind
  actorKind: 'customer' | 'member'
  /** `mailing` of a process that has died while it sent the e-mail. */
  state: 'pending' | 'mailing'
  mailAttempts: number
  claimId: string
}

/** The queue of notices to customers about their appointments. */
export const APPOINTMENT_NOTICE_QUEUE: Queue<ClaimedNotice> = {
  name: 'notices of appointments',
  table: 'appointment_notice',
  due: 'due_at',
  leaseMs: MAIL_LIMITS.leaseMs,
  waits: sql`due_at is not null`,
  byTime: {},
  movesDue: true,
  columns: sql`id, company_id, appointment_id, version, kind, actor_kind, state, mail_attempts, claim_id`,
}

/**
 * Locks a claimed notice and its appointment. Returns whether the claim has not ended.
 * Isolation: locked after conversations, the appointment before the notice.
 */
export async function lockNotice(
  tx: Transaction<DB>,
  { id, appointmentId, claimId }: ClaimedNotice,
): Promise<boolean> {
  await sql`select from appointment where id = ${appointmentId} for share`.execute(tx)
  const { rows } = await sql`
    select from appointment_notice where id = ${id} and claim_id = ${claimId} for update`.execute(
    tx,
  )
  return rows.length === 1
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
  { companyId, appointmentId }: Pick<ClaimedNotice, 'companyId' | 'appointmentId'>,
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

type Outcome = {
  state: AppointmentNoticeState
  /** The time of the next attempt, by the best route then. */
  dueAt?: Date
  recipientHash?: Buffer
  messageId?: string
  why?: Fact
}

/** Ends the claim of a notice and stores its outcome. A claim that has ended changes nothing. */
export async function recordNoticeOutcome(
  db: Kysely<DB>,
  now: Date,
  notice: RowClaim,
  { state, dueAt, recipientHash, messageId, why }: Outcome,
): Promise<void> {
  const reason = why ? serializeFact(why) : null
  await settle(
    db,
    APPOINTMENT_NOTICE_QUEUE,
    notice,
    sql`state = ${state}, due_at = ${dueAt ?? null}, settled_at = ${now}, reason = ${reason},
      recipient_hash = coalesce(${recipientHash ?? null}, recipient_hash),
      message_id = coalesce(${messageId ?? null}, message_id)`,
  )
}

/** Records that the e-mail of a locked notice is about to be sent, and renews the lease. */
export async function startMail(
  tx: Transaction<DB>,
  now: Date,
  { id, claimId, mailAttempts }: ClaimedNotice,
  recipientHash: Buffer,
): Promise<void> {
  const leaseExpiresAt = leaseEnd(APPOINTMENT_NOTICE_QUEUE, now)
  await tx
    .updateTable('appointmentNotice')
    .set({ state: 'mailing', settledAt: now, mailAttempts, recipientHash })
    .set({ dueAt: leaseExpiresAt, leaseExpiresAt })
    .where('id', '=', id)
    .where('claimId', '=', claimId)
    .execute()
}

/** Ends the claim of a notice that could not be processed: it is due at a later time. */
export async function postponeNotice(db: Kysely<DB>, notice: RowClaim, dueAt: Date): Promise<void> {
  await settle(db, APPOINTMENT_NOTICE_QUEUE, notice, sql`due_at = ${dueAt}`)
}
