/** Notices to customers about their appointments. Spec: Appointments › Messages to the customer. */
import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { confirmedTransaction } from '../../infra/database/confirmed-transaction.ts'
import { isDatabaseUnavailable } from '../../infra/database/is-database-unavailable.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import type { Ids } from '../../core/ids.ts'
import { APPOINTMENT_NOTICE_LIMITS } from '../../core/limits/appointments.ts'
import { lockConversations } from '../messaging/lock-conversations.sql.ts'
import { advisoryLockKey } from '../messaging/lock-customer.ts'
import { sendInputs } from '../messaging/may-send.ts'
import { newMessageId, queueMessages, type MessageToQueue } from '../messaging/queue-message.ts'
import { appointmentValues } from '../../rules/appointments/appointment-values.ts'
import { textIn } from '../../rules/text/text-in.ts'
import { isEmailTrusted } from '../../rules/contacts/email-source.ts'
import { numberIdentifier } from '../../rules/identity/identifier.ts'
import { whyNotSent } from '../../rules/messaging/may-send.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import type { AppointmentNoticeKind } from '../../core/vocabulary/appointments.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { makeAppointmentLinks } from './appointment-links.ts'
import { readAppointments, type AppointmentRow } from './appointment.ts'
import {
  lockNotice,
  NOTICE_SEND_KEY,
  isWithinBudget,
  postponeNotice,
  readNoticeCustomer,
  readNoticeConversations,
  recordNoticeOutcome,
  startMail,
  type ClaimedNotice,
  type NoticeCustomer,
  type NoticeConversation,
} from './due-notices.sql.ts'
import { loadShop, type ShopRow } from './load-shop.ts'
import {
  lockTemplateTarget,
  maySendTemplate,
  resolveByTemplate,
  type TemplateTarget,
  type TemplateValues,
} from './notice-template.ts'

/** The values of a notice, in the customer's language. They contain no text that was typed when booking. */
export type NoticeContent = {
  kind: AppointmentNoticeKind
  language: Language
  shop: string | null
  address: string | null
  service: string
  people: string | null
  date: string
  time: string
  reference: string
  /** The URL of the customer's page. */
  link: string
}
type NoticeWording = { subject: string; text: string; title: string; when: string }

/** An e-mail whose sending is recorded as started. */
export type NoticeMail = { mailAttempts: number; to: string } & Pick<
  NoticeWording,
  'subject' | 'text'
>

type Deps = {
  formatNotice(content: NoticeContent): NoticeWording
  publicUrl(): string
  /** States whether the operator configured a mail server. */
  canMail: boolean
}

/**
 * Queues a claimed notice as a message, in the same transaction, if a conversation or the shop's template allows it.
 * Else it returns an e-mail, which the caller sends after the commit. If neither is possible, the row stores the reason.
 * An error postpones the notice.
 *
 * Isolation: for a customer's action the company's notices, as they are counted; the customer's ids; the
 * conversations, the appointment, the notice.
 */
export async function sendClaimedNotice(
  { db, ids, clock, log }: Pick<Context, 'db' | 'ids' | 'clock' | 'log'>,
  deps: Deps,
  notice: ClaimedNotice,
): Promise<NoticeMail | null> {
  const now = clock.now()
  try {
    return await confirmedTransaction(db, (tx) => sendNotice(tx, { ...deps, ids, now }, notice))
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    log.error({ err: error, noticeId: notice.id }, 'appointment notice failed: postponed')
    const dueAt = new Date(now.getTime() + APPOINTMENT_NOTICE_LIMITS.retryMs)
    await postponeNotice(db.kysely, notice, dueAt)
    return null
  }
}

type SendDeps = Deps & { ids: Ids; now: Date }

async function sendNotice(
  tx: Transaction<DB>,
  deps: SendDeps,
  notice: ClaimedNotice,
): Promise<NoticeMail | null> {
  const { now } = deps
  const ofCompany =
    notice.actorKind === 'customer'
      ? [advisoryLockKey(`appointment notices|${notice.companyId}`)]
      : []
  const template = await lockTemplateTarget(tx, notice, ofCompany)
  const ids = (await readNoticeConversations(tx, notice)).map(
    ({ conversationId }) => conversationId,
  )
  await lockConversations(tx, { ids, customers: [] })
  if (!(await lockNotice(tx, notice))) return null
  if (notice.state === 'mailing') {
    await recordNoticeOutcome(tx, now, notice, {
      state: 'unknown',
      why: fact('notice_mail_unknown'),
    })
    return null
  }
  const [appointment] = await readAppointments(
    tx,
    sql`appointment.id = ${notice.appointmentId} and appointment.company_id = ${notice.companyId}`,
  )
  const customer = await readNoticeCustomer(tx, appointment!)
  const ways = (await readNoticeConversations(tx, notice)).filter(({ conversationId }) =>
    ids.includes(conversationId),
  )
  const facts = { notice, appointment: appointment!, customer, ways, template }
  const result = await sendByBestRoute(tx, deps, facts)
  if (result.ok) return result.mail
  await recordNoticeOutcome(tx, now, notice, { state: 'skipped', why: result.why })
  return null
}

type NoticeResult = { ok: true; mail: NoticeMail | null } | { ok: false; why: Fact }
type Facts = {
  notice: ClaimedNotice
  appointment: AppointmentRow
  customer: NoticeCustomer | null
  ways: readonly NoticeConversation[]
  template: TemplateTarget | null
}

async function sendByBestRoute(
  tx: Transaction<DB>,
  deps: SendDeps,
  facts: Facts,
): Promise<NoticeResult> {
  const { notice, appointment, customer } = facts
  const { ids, now } = deps
  const why = whyNotNotified(facts, now)
  if (why) return { ok: false, why }
  const template = facts.template && maySendTemplate(facts.template, now) ? facts.template : null
  const email = deps.canMail ? emailOf(appointment, customer) : null
  const none = { ok: false, why: fact('notice_no_way') } as const
  if (facts.ways.length === 0 && template === null && email === null) return none
  const links = await makeAppointmentLinks(tx, { ids, now }, [appointment])
  const linkEnd = links.get(appointment.id)!
  const shop = await loadShop(tx, appointment)
  const language = languageOf(appointment, customer)
  const link = `${deps.publicUrl()}/a/${linkEnd}`
  const content = noticeContent({ kind: notice.kind, language, link }, appointment, shop)
  const wording = deps.formatNotice(content)
  const way = facts.ways.find((one) => maySendText(one, wording.text, now)) ?? null
  const { companyId, phone, contactId } = appointment
  const line = phone === null ? null : numberIdentifier(phone.slice(1)).key
  const byMessage = recipientOf(companyId, line ?? contactId ?? way?.conversationId ?? '')
  const isAllowed = async (recipient: Buffer) =>
    notice.actorKind === 'member' || isWithinBudget(tx, now, { companyId, recipient })
  if (way !== null || template !== null) {
    if (!(await isAllowed(byMessage))) return { ok: false, why: fact('notice_too_many') }
    const { reference } = appointment
    const values = { what: wording.title, service: content.service, time: wording.when, reference }
    const messageId = way
      ? await queueText(tx, deps, notice, { way, text: wording.text })
      : await queueTemplate(tx, deps, notice, template!, {
          values: { ...values, shop: content.shop ?? wording.title, linkEnd },
          language,
        })
    if (messageId !== null) {
      const settled = { state: 'queued', messageId, recipientHash: byMessage } as const
      await recordNoticeOutcome(tx, now, notice, settled)
      return { ok: true, mail: null }
    }
  }
  if (email === null) return none
  const recipientHash = recipientOf(companyId, email.toLowerCase())
  if (!(await isAllowed(recipientHash))) return { ok: false, why: fact('notice_too_many') }
  const mailAttempts = notice.mailAttempts + 1
  await startMail(tx, now, { ...notice, mailAttempts }, recipientHash)
  const { subject, text } = wording
  return { ok: true, mail: { mailAttempts, to: email, subject, text } }
}

function noticeContent(
  { link, ...content }: Pick<NoticeContent, 'kind' | 'language' | 'link'>,
  appointment: AppointmentRow,
  { name, nameAr, address, addressAr }: ShopRow,
): NoticeContent {
  const values = appointmentValues(appointment, link, content.language)
  return {
    ...content,
    shop: textIn(content.language, name, nameAr),
    address: textIn(content.language, address, addressAr),
    service: values.appointment_service!,
    people: values.appointment_with,
    date: values.appointment_date!,
    time: values.appointment_time!,
    reference: appointment.reference,
    link,
  }
}

/** Returns why no notice is sent. An opt-out applies to every route. */
function whyNotNotified({ notice, appointment, customer, ways }: Facts, now: Date): Fact | null {
  if (appointment.version !== notice.version) return fact('notice_superseded')
  if (appointment.startsAt <= now) return fact('notice_too_late')
  const isOut = customer?.optedOutAt ?? ways.find(({ optedOutAt }) => optedOutAt !== null)
  return isOut ? fact('opted_out') : null
}

/** Returns the e-mail address of the booking; for a member's booking also the contact's, if the shop recorded it. */
function emailOf(appointment: AppointmentRow, customer: NoticeCustomer | null): string | null {
  if (appointment.email !== null) return appointment.email
  if (appointment.source === 'booking_page' || !customer) return null
  return isEmailTrusted(customer.emailFrom) ? customer.email : null
}

function languageOf({ language }: AppointmentRow, customer: NoticeCustomer | null): Language {
  return (language ?? customer?.language ?? 'ar').startsWith('ar') ? 'ar' : 'en'
}

function maySendText(
  { type, isConnected, disconnectedReason, ...way }: NoticeConversation,
  text: string,
  now: Date,
) {
  const facts = sendInputs({ ...way, channel: { type, isConnected, disconnectedReason } })
  return whyNotSent(facts, 'notice', { kind: 'text', text }, now) === null
}

/** Returns the hash by which notices to a recipient of a company are counted. */
const recipientOf = (companyId: string, to: string) => tokenHash(`${companyId}|${to}`)

async function queueText(
  tx: Transaction<DB>,
  deps: SendDeps,
  notice: ClaimedNotice,
  { way, text }: { way: NoticeConversation; text: string },
): Promise<string> {
  const { conversationId, channelId, type, isCoexistence } = way
  const id = newMessageId(deps.ids)
  const channel = { id: channelId, type, isCoexistence }
  const wording = { content: { kind: 'text', text } as const, text }
  await queue(tx, deps, notice, { id, conversationId, channel, ...wording })
  return id
}

/** Returns null when the template is no longer approved, or the customer has opted out. */
async function queueTemplate(
  tx: Transaction<DB>,
  deps: SendDeps,
  notice: ClaimedNotice,
  place: TemplateTarget,
  { values, language }: { values: TemplateValues; language: Language },
): Promise<string | null> {
  const id = newMessageId(deps.ids)
  const of = { companyId: notice.companyId, values, language, messageId: id }
  const resolved = await resolveByTemplate(tx, deps, place, of)
  if (resolved === null) return null
  const { conversationId, filled } = resolved
  await queue(tx, deps, notice, { id, conversationId, channel: place.channel, ...filled })
  return id
}

async function queue(
  tx: Transaction<DB>,
  { now }: SendDeps,
  { id: noticeId, companyId }: ClaimedNotice,
  message: Pick<MessageToQueue, 'id' | 'conversationId' | 'channel' | 'content' | 'text'>,
): Promise<void> {
  const key = `${NOTICE_SEND_KEY}${noticeId}`
  const by = { kind: 'notice' } as const
  await queueMessages(tx, { now, eagerClaimFor: () => null }, [
    { ...message, companyId, by, key, templateSend: null },
  ])
  notifyAfterCommit(tx, 'sends')
}
