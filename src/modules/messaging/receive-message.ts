import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { ProviderEvent } from '../channels/inbound.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { capabilitiesOf, windowEndsAt } from '../../rules/messaging/channel-capabilities.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import { numberIdentifier } from '../../rules/identity/identifier.ts'
import { readProviderTime } from '../../rules/messaging/provider-time.ts'
import { enqueueDownloads, keepUploads, type FileToDownload } from '../files/enqueue-downloads.ts'
import { raiseEvents, type EventToRaise } from '../events/raise-event.ts'
import { contactSummary, phoneOf } from './contact.ts'
import { conversationSummary, lastTextOf } from './conversation.ts'
import { leaveOutKnown } from './leave-out-known.ts'
import { customerOf, resolveCustomers, type ResolvedCustomer } from './resolve-customers.ts'
import { resolveVisitors, type ResolvedVisitor } from './resolve-visitors.ts'
import type { Customer } from './plan-customer-resolution.ts'
import { enqueueProfileLookups } from './profile-lookup-queue.sql.ts'

type Deps = { ids: Ids; now: Date }
type ReportedMessage = Extract<ProviderEvent, { kind: 'message' }>

/** A customer's message that is not stored yet, with their identifiers. */
export type NewMessage = {
  channel: Channel
  event: ReportedMessage
  customer: Customer
}

/** A stored message with its contact and conversation. */
export type ReceivedMessage = (ResolvedCustomer | ResolvedVisitor) & {
  id: string
  text: string | null
  type: string
  receivedAt: Date
  channel: Channel
  event: ReportedMessage
}

/**
 * Converts a message in a provider's webhook to one that can be saved; null when it names no customer. Spec: Concepts ›
 * Message.
 */
export function toNewMessage(
  { now }: Deps,
  channel: Channel,
  event: ReportedMessage,
): NewMessage | null {
  const at = readProviderTime(event.at, now)
  const customer = customerOf(channel, event.customer, { announces: 'not_announced', at })
  if (!customer) return null
  const { sharedOwnNumber } = event
  if (sharedOwnNumber === undefined) return { channel, event, customer }
  // The provider proves that the customer has this number, so it identifies them from now on.
  const [first, ...others] = customer.identifiers
  const identifiers = [first, ...others, numberIdentifier(sharedOwnNumber)] as const
  const reported = { ...customer.reported, phone: phoneOf(sharedOwnNumber) }
  return { channel, event, customer: { ...customer, identifiers, reported } }
}

/**
 * Saves customers' messages in their order, each once, and returns them. It finds or creates contacts and
 * conversations, restarts service windows and raises `message.received`. `conversation.started` precedes it for a
 * customer who has never written there, unless a hook started the conversation. Visitors of a widget get no contact.
 * Messages redelivered by the provider are omitted from the result. The caller has locked the customers, then their
 * conversations.
 *
 * Spec: Events › Types; Concepts › Service window.
 */
export async function receiveMessages(
  tx: Transaction<DB>,
  deps: Deps,
  messages: readonly NewMessage[],
): Promise<ReceivedMessage[]> {
  const unknown = await leaveOutKnown(tx, messages, ({ channel, event }) => ({
    channelId: channel.id,
    providerMessageId: event.providerMessageId,
  }))
  if (unknown.length === 0) return []
  const { resolved, events } = await resolve(tx, deps, unknown)
  const received = unknown.map((message, index) => toReceived(message, resolved[index]!))
  await writeReceived(tx, deps, received)
  await enqueueProfileLookups(
    tx,
    deps.now,
    received.filter(hasNoName).map(({ conversation }) => conversation),
  )
  await raiseEvents(tx, deps, [...events, ...received.map(eventOf)])
  return received
}

/** Finds or creates contacts and conversations. Returns them with the events to raise. */
async function resolve(
  tx: Transaction<DB>,
  deps: Deps,
  messages: readonly NewMessage[],
): Promise<{ resolved: (ResolvedCustomer | ResolvedVisitor)[]; events: EventToRaise[] }> {
  const { true: contacts = [], false: visits = [] } = Object.groupBy(messages, ({ channel }) =>
    capabilitiesOf(channel.type).hasContacts ? 'true' : 'false',
  )
  const customersOf = (of: readonly NewMessage[]) => of.map(({ customer }) => customer)
  const customers = await resolveCustomers(tx, deps, customersOf(contacts))
  const visitors =
    visits.length === 0 ? NO_VISITORS : await resolveVisitors(tx, deps, customersOf(visits))
  const resolved = new Map<NewMessage, ResolvedCustomer | ResolvedVisitor>([
    ...contacts.map((message, index) => [message, customers.resolved[index]!] as const),
    ...visits.map((message, index) => [message, visitors.resolved[index]!] as const),
  ])
  return {
    resolved: messages.map((message) => resolved.get(message)!),
    events: [...customers.events, ...visitors.events],
  }
}

const NO_VISITORS: { resolved: ResolvedVisitor[]; events: EventToRaise[] } = {
  resolved: [],
  events: [],
}

/** Returns whether to look up the customer's name: once, at their first message. */
function hasNoName({ channel, contact, isFirst }: ReceivedMessage): boolean {
  return isFirst && contact?.name === null && capabilitiesOf(channel.type).looksUpNames
}

function toReceived(
  { channel, event, customer }: NewMessage,
  resolved: ResolvedCustomer | ResolvedVisitor,
): ReceivedMessage {
  return {
    id: receivedMessageId(channel.id, event.providerMessageId),
    text: event.text === null ? null : cleanText(event.text),
    type: event.type,
    receivedAt: customer.at,
    channel,
    event,
    ...resolved,
  }
}

function eventOf({
  id,
  text,
  type,
  receivedAt,
  channel,
  contact,
  conversation,
}: ReceivedMessage): EventToRaise {
  const shown = {
    conversation: conversationSummary(conversation),
    contact: contactSummary(contact, conversation),
  }
  const about = {
    company: channel.company,
    occurredAt: receivedAt,
    conversationId: conversation.id,
    contactId: contact?.id ?? null,
  }
  const message = {
    id,
    text: text === null ? null : cutCodePoints(text, DELIVERY_LIMITS.messageTextChars),
    type,
    receivedAt: receivedAt.toISOString(),
  }
  return { ...about, type: 'message.received', data: { ...shown, message } }
}

/** Writes the messages and updates their conversations. */
async function writeReceived(
  tx: Transaction<DB>,
  { now, ids }: Deps,
  received: readonly ReceivedMessage[],
): Promise<void> {
  const files = received.map((message) => fileOf(ids, message))
  await enqueueDownloads(
    tx,
    now,
    files.filter((file) => file !== null && 'media' in file),
  )
  await keepUploads(
    tx,
    files.filter((file) => file !== null),
  )
  const conversations = [...Map.groupBy(received, ({ conversation }) => conversation.id)].map(
    ([id, ofOne]) => {
      const at = ofOne.map(({ receivedAt }) => receivedAt).reduce(latest)
      const capabilities = capabilitiesOf(ofOne[0]!.channel.type)
      const since = ofOne.map(({ receivedAt }) => receivedAt).reduce(earliest)
      const text = lastTextOf(ofOne.findLast(({ receivedAt }) => receivedAt >= at)!.text)
      return { id, at, openUntil: windowEndsAt(capabilities, at), since, count: ofOne.length, text }
    },
  )
  await sql`
    with wrote as (
      update conversation set status = 'open', resolved_at = null, resolved_by = null,
        service_window_ends_at = greatest(service_window_ends_at, given.open_until),
        last_text = case when last_message_at > given.at then last_text else given.text end,
        last_sender = case when last_message_at > given.at then last_sender else 'customer' end,
        last_message_at = greatest(last_message_at, given.at),
        last_customer_at = greatest(last_customer_at, given.at),
        -- Staff has not seen a message that was still in transit when they looked.
        staff_seen_at = case when staff_seen_at >= given.since then given.since - interval '1 ms'
          else staff_seen_at end,
        waiting_since = case when needs_staff
            or (handled_by = 'staff' and coalesce(taken_over_until > ${now}, true))
          then coalesce(waiting_since, given.since) end,
        turn = turn + given.count
      from unnest(${conversations.map(({ id }) => id)}::text[],
        ${conversations.map(({ at }) => at)}::timestamptz[],
        ${conversations.map(({ openUntil }) => openUntil)}::timestamptz[],
        ${conversations.map(({ since }) => since)}::timestamptz[],
        ${conversations.map(({ count }) => count)}::int[],
        ${conversations.map(({ text }) => text)}::text[])
        as given (id, at, open_until, since, count, text)
      where conversation.id = given.id
    )
    insert into message (id, company_id, conversation_id, channel_id, direction, sender, type, text,
      file_id, provider_message_id, reply_to_provider_id, button_payload, page, transcript, occurred_at,
      created_at)
    select id, company_id, conversation_id, channel_id, 'in', 'customer', type, text, file_id,
      provider_message_id, reply_to_provider_id, button_payload, page, transcript, occurred_at, ${now}
    from unnest(${received.map(({ id }) => id)}::text[],
      ${received.map(({ channel }) => channel.company.id)}::uuid[],
      ${received.map(({ conversation }) => conversation.id)}::text[],
      ${received.map(({ channel }) => channel.id)}::uuid[],
      ${received.map(({ type }) => type)}::text[],
      ${received.map(({ text }) => text)}::text[],
      ${files.map((file) => file?.id ?? null)}::uuid[],
      ${received.map(({ event }) => cleanText(event.providerMessageId))}::text[],
      ${received.map(({ event }) => cleanOrNull(event.replyToProviderId))}::text[],
      ${received.map(({ event }) => cleanOrNull(event.buttonPayload))}::text[],
      ${received.map(({ event }) => cleanOrNull(event.page))}::text[],
      ${received.map(({ event }) => cleanOrNull(event.place ?? event.details))}::text[],
      ${received.map(({ receivedAt }) => receivedAt)}::timestamptz[])
      as given (id, company_id, conversation_id, channel_id, type, text, file_id, provider_message_id,
        reply_to_provider_id, button_payload, page, transcript, occurred_at)`.execute(tx)
}

/** Returns the file to download with a message, or one that is stored already. */
function fileOf(
  ids: Ids,
  { event: { media }, channel }: ReceivedMessage,
): FileToDownload | { id: string } | null {
  if (!media) return null
  if (media.fileId !== undefined) return { id: media.fileId }
  return { id: ids.uuid(), companyId: channel.company.id, channelId: channel.id, media }
}

const cleanOrNull = (text: string | undefined) => (text ? cleanText(text) : null)

/** Returns the id of a customer's message, derived from the provider's id, so that redeliveries have the same one. */
export function receivedMessageId(channelId: string, providerMessageId: string): string {
  const digest = createHash('sha256')
    .update(`${channelId}:${providerMessageId}`)
    .digest('base64url')
  return `m_${digest.slice(0, 27)}`
}

/** Returns the earlier of two times. */
function earliest(a: Date, b: Date): Date {
  return a < b ? a : b
}

/** Returns the later of two times. */
export function latest(a: Date | null, b: Date): Date {
  return a && a > b ? a : b
}
