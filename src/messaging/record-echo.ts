import type { Transaction } from 'kysely'
import type { Inbound } from '../channels/channel-adapter.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { afterOwnersReply, isStaffHandling } from '../rules/take-over.ts'
import { cleanText } from '../rules/json-text.ts'
import { readProviderTime } from '../rules/provider-time.ts'
import { findOrCreateContact } from './find-contact.ts'
import { findOrCreateConversation, type ConversationRow } from './find-conversation.ts'
import { aliasesOf, lockCustomer } from './lock-customer.ts'
import { isKnownMessage, latest } from './receive-message.ts'

type Deps = { ids: Ids; now: Date }

/**
 * Saves what the owner wrote from the provider's own app on a coexistence number: a sent message,
 * and for the channel's hours from its time on staff handles the conversation. It raises no
 * `message.received`, opens no service window and starts nothing. Returns the conversation that staff
 * took over just now; null when it had it before, the hours are over, or the echo is known.
 *
 * Spec: Events › Types; reading F17.
 */
export async function recordEcho(
  tx: Transaction<DB>,
  deps: Deps,
  channel: Channel,
  fact: Extract<Inbound, { kind: 'echo' }>,
): Promise<{ conversationId: string } | null> {
  const saved = await saveSilently(tx, deps, channel, {
    ...fact,
    outbound: true,
    isImported: false,
  })
  if (!saved) return null
  const { conversation, at } = saved
  const handling = afterOwnersReply(conversation, at, channel.takeOverHours)
  await tx
    .updateTable('conversation')
    .set({
      handledBy: handling.handledBy,
      takenOverUntil: handling.takenOverUntil,
      lastMessageAt: latest(conversation.lastMessageAt, at),
    })
    .where('id', '=', conversation.id)
    .execute()
  const isTakenOver =
    isStaffHandling(handling, deps.now) && !isStaffHandling(conversation, deps.now)
  return isTakenOver ? { conversationId: conversation.id } : null
}

/**
 * Saves history that came when a coexistence number was connected: no events, no service window, no
 * opt-out, no run. A customer who has written in it does not first write later. Returns how many
 * messages were new.
 */
export async function importHistory(
  tx: Transaction<DB>,
  deps: Deps,
  channel: Channel,
  fact: Extract<Inbound, { kind: 'history' }>,
): Promise<number> {
  let imported = 0
  for (const message of fact.messages) {
    if (await saveSilently(tx, deps, channel, { ...message, isImported: true })) imported += 1
  }
  return imported
}

async function saveSilently(
  tx: Transaction<DB>,
  deps: Deps,
  channel: Channel,
  message: {
    providerMessageId: string
    customer: Extract<Inbound, { kind: 'echo' }>['customer']
    outbound: boolean
    type: string
    text: string | null
    at: Date | null
    isImported: boolean
  },
): Promise<{ conversation: ConversationRow; at: Date } | null> {
  const aliases = aliasesOf(message.customer, channel.route)
  const filedUnder = aliases[0]?.value
  if (!filedUnder) return null
  await lockCustomer(tx, channel.company.id, aliases)
  if (await isKnownMessage(tx, channel.id, message.providerMessageId)) return null
  const at = readProviderTime(message.at, deps.now)
  const contact = await findOrCreateContact(tx, deps, channel.company, message.customer, aliases)
  const conversation = await findOrCreateConversation(tx, deps, {
    companyId: channel.company.id,
    channel,
    contact,
    filedUnder,
  })
  if (!message.outbound && !conversation.announcedAt) {
    await tx
      .updateTable('conversation')
      .set({ announcedAt: deps.now })
      .where('id', '=', conversation.id)
      .execute()
  }
  await tx
    .insertInto('message')
    .values({
      id: `h_${deps.ids.uuid().replaceAll('-', '')}`,
      companyId: channel.company.id,
      conversationId: conversation.id,
      channelId: channel.id,
      direction: message.outbound ? 'out' : 'in',
      sender: message.outbound ? 'owner_app' : 'customer',
      type: message.type,
      text: message.text === null ? null : cleanText(message.text),
      providerMessageId: cleanText(message.providerMessageId),
      status: message.outbound ? 'sent' : null,
      isImported: message.isImported,
      occurredAt: at,
      createdAt: deps.now,
    })
    .execute()
  return { conversation, at }
}
