/** Customers are told of their appointments. Spec: Appointments › What the customer is told. */
import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { leaseEnd } from '../../infra/database/queues/queue.ts'
import type { DB } from '../../infra/database/tables.ts'
import { surely } from '../../infra/database/surely.ts'
import { isLockTimeout } from '../../infra/database/transaction.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import type { Ids } from '../../core/ids.ts'
import { MAIL_LIMITS } from '../../core/limits/accounts.ts'
import { APPOINTMENT_NOTICE_LIMITS } from '../../core/limits/appointments.ts'
import { lockConversations } from '../messaging/lock-conversations.sql.ts'
import { lockNumber } from '../messaging/lock-customer.ts'
import { sendFacts } from '../messaging/may-send.ts'
import { newMessageId, queueMessages, type MessageToQueue } from '../messaging/queue-message.ts'
import { appointmentValues } from '../../rules/appointments/appointment-values.ts'
import { isEmailBelieved } from '../../rules/contacts/email-source.ts'
import { numberIdentifier } from '../../rules/identity/identifier.ts'
import { whyNotSent } from '../../rules/messaging/may-send.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import type { AppointmentNoticeKind } from '../../core/vocabulary/appointments.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { makeAppointmentLinks } from './appointment-links.ts'
import { readAppointments, type AppointmentRow } from './appointment.ts'
import {
  findDueNotice,
  holdNotice,
  NOTICE_SEND_KEY,
  isWithinBudget,
  putOffNotice,
  readToldCustomer,
  readWays,
  settleNotice,
  type DueNotice,
  type ToldCustomer,
  type Way,
} from './due-notices.sql.ts'
import { loadShop, type ShopRow } from './load-shop.ts'
import {
  holdTemplatePlace,
  mayTellByTemplate,
  meetByTemplate,
  type TemplatePlace,
  type TemplateValues,
} from './notice-template.ts'

/** What the customer is told, in their language. It holds no text that a person typed when booking. */
export type ToTell = {
  kind: AppointmentNoticeKind
  language: Language
  shop: string | null
  address: string | null
  service: string
  people: string | null
  date: string
  time: string
  reference: string
  /** The customer's page. */
  link: string
}
type Said = { subject: string; text: string; title: string; when: string }

/** An e-mail that is written down as being handed over. */
export type NoticeMail = { id: string; mailAttempts: number; to: string } & Pick<
  Said,
  'subject' | 'text'
>

type Deps = {
  say(told: ToTell): Said
  publicUrl(): string
  /** Whether the operator has named a mail server. */
  canMail: boolean
}

/**
 * Tells the customer who has waited for longest: by a message of the outbox, in the same transaction, where a
 * conversation takes one now, or by the template that the shop has chosen; else by an e-mail, which the caller hands over after the commit; else not, and the row
 * says why. Returns null when nobody is to be told; `mail` is the e-mail, if it is to be one.
 *
 * Isolation: the company's notices where the act was a customer's, for they are counted, and the customer's ids; the conversations, the
 * appointment, the notice: two nodes that read the same one tell it once.
 */
export async function tellNextCustomer(
  { db, ids, clock, log }: Pick<Context, 'db' | 'ids' | 'clock' | 'log'>,
  deps: Deps,
): Promise<{ mail: NoticeMail | null } | null> {
  const now = clock.now()
  const due = await findDueNotice(db.kysely, now)
  if (!due) return null
  try {
    return { mail: await surely(db, (tx) => tell(tx, { ...deps, ids, now }, due)) }
  } catch (error) {
    if (isLockTimeout(error)) throw error
    log.error({ err: error, noticeId: due.id }, 'a customer could not be told, will try again')
    const dueAt = new Date(now.getTime() + APPOINTMENT_NOTICE_LIMITS.afterFaultMs)
    await putOffNotice(db.kysely, due, dueAt)
    return { mail: null }
  }
}

type InTurn = Deps & { ids: Ids; now: Date }

async function tell(tx: Transaction<DB>, deps: InTurn, due: DueNotice): Promise<NoticeMail | null> {
  const { now } = deps
  const ofCompany =
    due.actorKind === 'customer' ? [lockNumber(`appointment notices|${due.companyId}`)] : []
  const template = await holdTemplatePlace(tx, due, ofCompany)
  const ids = (await readWays(tx, due)).map(({ conversationId }) => conversationId)
  await lockConversations(tx, { ids, customers: [] })
  const notice = await holdNotice(tx, now, due)
  if (!notice) return null
  if (notice.state === 'mailing') {
    await settleNotice(tx, now, notice, { state: 'unknown', why: fact('notice_mail_unknown') })
    return null
  }
  const [appointment] = await readAppointments(
    tx,
    sql`appointment.id = ${due.appointmentId} and appointment.company_id = ${due.companyId}`,
  )
  const customer = await readToldCustomer(tx, appointment!)
  const ways = (await readWays(tx, due)).filter(({ conversationId }) =>
    ids.includes(conversationId),
  )
  const facts = { notice, appointment: appointment!, customer, ways, template }
  const told = await tellBy(tx, deps, facts)
  if (told.ok) return told.mail
  await settleNotice(tx, now, notice, { state: 'skipped', why: told.why })
  return null
}

type Told = { ok: true; mail: NoticeMail | null } | { ok: false; why: Fact }
type Facts = {
  notice: DueNotice
  appointment: AppointmentRow
  customer: ToldCustomer | null
  ways: readonly Way[]
  template: TemplatePlace | null
}

async function tellBy(tx: Transaction<DB>, deps: InTurn, facts: Facts): Promise<Told> {
  const { notice, appointment, customer } = facts
  const { ids, now } = deps
  const why = whyNotTold(facts, now)
  if (why) return { ok: false, why }
  const template = facts.template && mayTellByTemplate(facts.template, now) ? facts.template : null
  const email = deps.canMail ? emailOf(appointment, customer) : null
  const none = { ok: false, why: fact('notice_no_way') } as const
  if (facts.ways.length === 0 && template === null && email === null) return none
  const links = await makeAppointmentLinks(tx, { ids, now }, [appointment])
  const linkEnd = links.get(appointment.id)!
  const shop = await loadShop(tx, appointment)
  const language = languageOf(appointment, customer)
  const link = `${deps.publicUrl()}/a/${linkEnd}`
  const told = toTell({ kind: notice.kind, language, link }, appointment, shop)
  const said = deps.say(told)
  const way = facts.ways.find((one) => mayTell(one, said.text, now)) ?? null
  const { companyId, phone, contactId } = appointment
  const line = phone === null ? null : numberIdentifier(phone.slice(1)).key
  const byMessage = recipientOf(companyId, line ?? contactId ?? way?.conversationId ?? '')
  const mayBeTold = async (recipient: Buffer) =>
    notice.actorKind === 'member' || isWithinBudget(tx, now, { companyId, recipient })
  if (way !== null || template !== null) {
    if (!(await mayBeTold(byMessage))) return { ok: false, why: fact('notice_too_many') }
    const { reference } = appointment
    const values = { what: said.title, service: told.service, time: said.when, reference }
    const messageId = way
      ? await queueText(tx, deps, notice, { way, text: said.text })
      : await queueTemplate(tx, deps, notice, template!, {
          values: { ...values, shop: told.shop ?? said.title, linkEnd },
          language,
        })
    if (messageId !== null) {
      const settled = { state: 'queued', messageId, recipientHash: byMessage } as const
      await settleNotice(tx, now, notice, settled)
      return { ok: true, mail: null }
    }
  }
  if (email === null) return none
  const recipientHash = recipientOf(companyId, email.toLowerCase())
  if (!(await mayBeTold(recipientHash))) return { ok: false, why: fact('notice_too_many') }
  const mailAttempts = notice.mailAttempts + 1
  const dueAt = leaseEnd(MAIL_LIMITS, now)
  await settleNotice(tx, now, notice, { state: 'mailing', dueAt, mailAttempts, recipientHash })
  const { subject, text } = said
  return { ok: true, mail: { id: notice.id, mailAttempts, to: email, subject, text } }
}

function toTell(
  { link, ...told }: Pick<ToTell, 'kind' | 'language' | 'link'>,
  appointment: AppointmentRow,
  { name, nameAr, address, addressAr }: ShopRow,
): ToTell {
  const values = appointmentValues(appointment, link, told.language)
  const isArabic = told.language === 'ar'
  return {
    ...told,
    shop: isArabic ? (nameAr ?? name) : name,
    address: isArabic ? (addressAr ?? address) : address,
    service: values.appointment_service!,
    people: values.appointment_with,
    date: values.appointment_date!,
    time: values.appointment_time!,
    reference: appointment.reference,
    link,
  }
}

/** Nothing is sent to who has opted out, whichever way it would go. */
function whyNotTold({ notice, appointment, customer, ways }: Facts, now: Date): Fact | null {
  if (appointment.version !== notice.version) return fact('notice_superseded')
  if (appointment.startsAt <= now) return fact('notice_too_late')
  const isOut = customer?.optedOutAt ?? ways.find(({ optedOutAt }) => optedOutAt !== null)
  return isOut ? fact('opted_out') : null
}

/** As it was given with the booking; where a member booked, also what the shop itself knows the contact by. */
function emailOf(appointment: AppointmentRow, customer: ToldCustomer | null): string | null {
  if (appointment.email !== null) return appointment.email
  if (appointment.source === 'booking_page' || !customer) return null
  return isEmailBelieved(customer.emailFrom) ? customer.email : null
}

function languageOf({ language }: AppointmentRow, customer: ToldCustomer | null): Language {
  return (language ?? customer?.language ?? 'ar').startsWith('ar') ? 'ar' : 'en'
}

function mayTell({ type, isConnected, disconnectedReason, ...way }: Way, text: string, now: Date) {
  const facts = sendFacts({ ...way, channel: { type, isConnected, disconnectedReason } })
  return whyNotSent(facts, 'notice', { kind: 'text', text }, now) === null
}

/** Under which what goes to one recipient of a company is counted together. */
const recipientOf = (companyId: string, to: string) => tokenHash(`${companyId}|${to}`)

async function queueText(
  tx: Transaction<DB>,
  deps: InTurn,
  notice: DueNotice,
  { way, text }: { way: Way; text: string },
): Promise<string> {
  const { conversationId, channelId, type, isCoexistence } = way
  const id = newMessageId(deps.ids)
  const channel = { id: channelId, type, isCoexistence }
  const said = { content: { kind: 'text', text } as const, text }
  await queue(tx, deps, notice, { id, conversationId, channel, ...said })
  return id
}

/** Null where the template is not approved any more, or the customer turns out to have opted out. */
async function queueTemplate(
  tx: Transaction<DB>,
  deps: InTurn,
  notice: DueNotice,
  place: TemplatePlace,
  { values, language }: { values: TemplateValues; language: Language },
): Promise<string | null> {
  const id = newMessageId(deps.ids)
  const of = { companyId: notice.companyId, values, language, messageId: id }
  const met = await meetByTemplate(tx, deps, place, of)
  if (met === null) return null
  const { conversationId, filled } = met
  await queue(tx, deps, notice, { id, conversationId, channel: place.channel, ...filled })
  return id
}

async function queue(
  tx: Transaction<DB>,
  { now }: InTurn,
  { id: noticeId, companyId }: DueNotice,
  message: Pick<MessageToQueue, 'id' | 'conversationId' | 'channel' | 'content' | 'text'>,
): Promise<void> {
  const key = `${NOTICE_SEND_KEY}${noticeId}`
  const by = { kind: 'notice' } as const
  await queueMessages(tx, { now, eagerClaimFor: () => null }, [
    { ...message, companyId, by, key, templateSend: null },
  ])
  notifyAfterCommit(tx, 'sends')
}
