/**
 * The template for notices to customers outside the messaging window. Spec: Appointments › Messages to the customer.
 */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { raiseEvents } from '../events/raise-event.ts'
import type { Fact } from '../../core/facts/fact.ts'
import type { Ids } from '../../core/ids.ts'
import { fillTemplate, type FilledTemplate } from '../messaging/fill-template.ts'
import { lockIdentifierOnChannel } from '../messaging/identifier-on-channel.ts'
import { customerLockKey, takeAdvisoryLocks } from '../messaging/lock-customer.ts'
import { sendInputs } from '../messaging/may-send.ts'
import { resolveCustomers } from '../messaging/resolve-customers.ts'
import {
  readTemplatesToSend,
  type TemplateVersion,
} from '../messaging/read-templates-to-send.sql.ts'
import { numberIdentifier, type Identifier } from '../../rules/identity/identifier.ts'
import { whyNotSent } from '../../rules/messaging/may-send.ts'
import type { ClaimedNotice } from './due-notices.sql.ts'

/** The values of the template, by the names of its variables or in this order. */
export type TemplateValues = {
  /** The subject, e.g. `Your appointment at the shop is booked`. */
  what: string
  service: string
  time: string
  reference: string
  /** The value of the header's variable, if any. */
  shop: string
  /** The end of the customer's link, for a button whose URL ends in a variable. */
  linkEnd: string
}

/** The channel and recipient of a template notice. */
export type TemplateTarget = {
  channel: { id: string; type: string; isCoexistence: boolean }
  facts: { isConnected: boolean; disconnectedReason: string | null; plan: string }
  companyName: string | null
  template: string
  identifier: Identifier
}

type Row = {
  channelId: string
  type: string
  isCoexistence: boolean
  isConnected: boolean
  disconnectedReason: string | null
  plan: string
  companyName: string | null
  template: string
  source: string
  phone: string | null
  contactId: string | null
}

/**
 * Finds where the template is sent, and locks the customer's ids there together with `locks`, before any
 * conversation. For bookings on the page it is sent only to the typed number. Returns null when the shop has no
 * template, or no number is known.
 */
export async function lockTemplateTarget(
  tx: Transaction<DB>,
  { companyId, appointmentId }: Pick<ClaimedNotice, 'companyId' | 'appointmentId'>,
  locks: readonly bigint[],
): Promise<TemplateTarget | null> {
  const { rows } = await sql<Row>`
    select channel.id as channel_id, channel.type, channel.is_coexistence, channel.is_connected,
      channel.disconnected_reason, account.plan, company.name as company_name,
      page.notice_template as template, appointment.source, appointment.phone, appointment.contact_id
    from appointment
      join booking_page page on page.company_id = appointment.company_id
      join channel on channel.id = page.notice_channel_id and channel.deleted_at is null
      join company on company.id = appointment.company_id
      join account on account.id = company.account_id
    where appointment.id = ${appointmentId} and appointment.company_id = ${companyId}
      and page.notice_template is not null`.execute(tx)
  const [row] = rows
  const identifier = row ? await lockIdentifier(tx, companyId, row, locks) : null
  if (!row || !identifier) {
    await takeAdvisoryLocks(tx, locks)
    return null
  }
  const { channelId: id, type, isCoexistence, companyName, template } = row
  const { isConnected, disconnectedReason, plan } = row
  return {
    channel: { id, type, isCoexistence },
    facts: { isConnected, disconnectedReason, plan },
    companyName,
    template,
    identifier,
  }
}

async function lockIdentifier(
  tx: Transaction<DB>,
  companyId: string,
  { channelId, source, phone, contactId }: Row,
  locks: readonly bigint[],
): Promise<Identifier | null> {
  if (source !== 'booking_page' && contactId !== null) {
    const request = { companyId, channelId, contactId }
    const found = await lockIdentifierOnChannel(tx, request, locks)
    return found.ok ? found.identifier : null
  }
  if (phone === null) return null
  const identifier = numberIdentifier(phone.slice(1))
  await takeAdvisoryLocks(tx, [...locks, customerLockKey(companyId, identifier)])
  return identifier
}

/** Returns whether a template may be sent to this target now. */
export function maySendTemplate({ channel, facts }: TemplateTarget, now: Date): boolean {
  const { plan, ...state } = facts
  const request = { channel: { type: channel.type, ...state }, plan }
  const none = { optedOutAt: null, lastCustomerAt: null }
  return (
    whyNotSent(sendInputs({ ...request, ...none }), 'notice', { kind: 'template' }, now) === null
  )
}

/** Fills the template in the customer's language if possible, or returns why it cannot. */
export function fillNotice(
  name: string,
  versions: readonly TemplateVersion[],
  { shop, linkEnd, ...values }: TemplateValues,
  { language, messageId }: { language: string; messageId: string },
): { ok: true; value: FilledTemplate } | { ok: false; why: Fact } {
  const first = versions.find(({ status }) => status === 'APPROVED')?.language ?? null
  const body = Object.entries(values).map(([value, text]) => ({ name: value, text }))
  const urlSuffixes = Array.from({ length: 10 }, (_, index) => ({ index, text: linkEnd }))
  const wanted = { name, languages: [language, first], body, header: shop, urlSuffixes }
  return fillTemplate(wanted, versions, (index) => `sent:${messageId}:${index}`)
}

/**
 * Resolves the customer and returns their conversation with the filled template; null when it cannot be sent.
 * Isolation: `lockTemplateTarget` has locked their ids.
 */
export async function resolveByTemplate(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { channel, companyName, template, identifier }: TemplateTarget,
  of: { companyId: string; values: TemplateValues; language: string; messageId: string },
): Promise<{ conversationId: string; filled: FilledTemplate } | null> {
  const { companyId, values, ...more } = of
  const versions = await readTemplatesToSend(tx, [{ channelId: channel.id, name: template }])
  const filled = fillNotice(template, versions, values, more)
  if (!filled.ok) return null
  const { resolved, events } = await resolveCustomers(tx, { ids, now }, [
    {
      company: { id: companyId, name: companyName },
      channel,
      identifiers: [identifier],
      reported: NO_CHANGE,
      learns: false,
      announces: 'none',
      at: now,
    },
  ])
  await raiseEvents(tx, { ids, now }, events)
  const { contact, conversation } = resolved[0]!
  return contact.optedOutAt === null
    ? { conversationId: conversation.id, filled: filled.value }
    : null
}

/** The values of an existing contact, which is unchanged. */
const NO_CHANGE = {
  name: null,
  phone: null,
  whatsappId: null,
  language: null,
  tag: null,
  source: 'booking_page',
} as const
