import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { capabilitiesOf, windowEndsAt } from '../channels/capabilities.ts'
import type { Inbound } from '../channels/channel-adapter.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { DELIVERY_LIMITS } from '../limits.ts'
import { cleanText, cutCodePoints } from '../rules/json-text.ts'
import { readProviderTime } from '../rules/provider-time.ts'
import { raiseEvent } from '../webhooks/raise-event.ts'
import { contactSummary, type ContactRow } from './contact.ts'
import { findOrCreateContact } from './find-contact.ts'
import {
  conversationSummary,
  findOrCreateConversation,
  type ConversationRow,
} from './find-conversation.ts'
import { aliasesOf, lockCustomer } from './lock-customer.ts'

export type ReceivedMessage = {
  id: string
  text: string | null
  type: string
  receivedAt: Date
  contact: ContactRow
  conversation: ConversationRow
}

/**
 * Saves a customer's message once: contact and conversation are found or created under the
 * customer's lock, the service window restarts, and `message.received` is raised, after
 * `conversation.started` when the customer has never written there before and no hook has begun it. A
 * message that the provider delivers again is not saved again: null.
 *
 * Spec: Events › Types; Concepts › Service window.
 */
export async function receiveMessage(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  channel: Channel,
  fact: Extract<Inbound, { kind: 'message' }>,
): Promise<ReceivedMessage | null> {
  const { company } = channel
  const aliases = aliasesOf(fact.customer, channel.route)
  const filedUnder = aliases[0]?.value
  if (!filedUnder) return null
  await lockCustomer(tx, company.id, aliases)
  if (await isKnownMessage(tx, channel.id, fact.providerMessageId)) return null

  const id = receivedMessageId(channel.id, fact.providerMessageId)
  const receivedAt = readProviderTime(fact.at, deps.now)
  const contact = await findOrCreateContact(tx, deps, company, fact.customer, aliases)
  if (fact.sharedOwnNumber) {
    await rememberSharedNumber(tx, deps, company.id, contact.id, fact.sharedOwnNumber)
  }
  const before = await findOrCreateConversation(tx, deps, {
    companyId: company.id,
    channel,
    contact,
    filedUnder,
  })
  const openUntil = windowEndsAt(capabilitiesOf(channel.type), receivedAt)
  const conversation = await tx
    .updateTable('conversation')
    .set({
      ...(openUntil ? { serviceWindowEndsAt: latest(before.serviceWindowEndsAt, openUntil) } : {}),
      lastMessageAt: latest(before.lastMessageAt, receivedAt),
      announcedAt: before.announcedAt ?? deps.now,
      status: 'open',
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const text = fact.text === null ? null : cleanText(fact.text)
  await tx
    .insertInto('message')
    .values({
      id,
      companyId: company.id,
      conversationId: conversation.id,
      channelId: channel.id,
      direction: 'in',
      sender: 'customer',
      type: fact.type,
      text,
      media: fact.media ? cleanText(JSON.stringify(fact.media)) : null,
      providerMessageId: cleanText(fact.providerMessageId),
      replyToProviderId: fact.replyToProviderId ? cleanText(fact.replyToProviderId) : null,
      buttonPayload: fact.buttonPayload ? cleanText(fact.buttonPayload) : null,
      occurredAt: receivedAt,
      createdAt: deps.now,
    })
    .execute()
  const shown = {
    conversation: conversationSummary(conversation),
    contact: contactSummary(contact, conversation),
  }
  const about = {
    company,
    occurredAt: receivedAt,
    conversationId: conversation.id,
    contactId: contact.id,
  }
  if (!before.announcedAt) {
    await raiseEvent(tx, deps, { ...about, type: 'conversation.started', data: shown })
  }
  await raiseEvent(tx, deps, {
    ...about,
    type: 'message.received',
    data: {
      ...shown,
      message: {
        id,
        text: text === null ? null : cutCodePoints(text, DELIVERY_LIMITS.messageTextChars),
        type: fact.type,
        receivedAt: receivedAt.toISOString(),
      },
    },
  })
  return {
    id,
    text,
    type: fact.type,
    receivedAt,
    contact,
    conversation,
  }
}

/** Whether the provider has told of this message before, in whatever form. */
export async function isKnownMessage(
  tx: Transaction<DB>,
  channelId: string,
  providerMessageId: string,
): Promise<boolean> {
  const known = await tx
    .selectFrom('message')
    .select('id')
    .where('channelId', '=', channelId)
    .where('providerMessageId', '=', cleanText(providerMessageId))
    .executeTakeFirst()
  return known !== undefined
}

/** Made from the provider's id, so that it is the same however often the message comes. */
export function receivedMessageId(channelId: string, providerMessageId: string): string {
  const digest = createHash('sha256')
    .update(`${channelId}:${providerMessageId}`)
    .digest('base64url')
  return `m_${digest.slice(0, 27)}`
}

/** A number that the customer proved to be theirs finds them later; the event still shows the id. */
async function rememberSharedNumber(
  tx: Transaction<DB>,
  deps: { now: Date },
  companyId: string,
  contactId: string,
  number: string,
) {
  await tx
    .insertInto('contactAlias')
    .values({ companyId, kind: 'number', value: number, contactId, createdAt: deps.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The later of two times. */
export function latest(a: Date | null, b: Date): Date {
  return a && a > b ? a : b
}
