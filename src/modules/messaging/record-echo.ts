import type { Context } from '../../infra/context.ts'
import { sql, type Transaction } from 'kysely'
import type { ProviderEvent } from '../channels/inbound.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { afterOwnersReply, isStaffHandling } from '../../rules/messaging/take-over.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { readProviderTime } from '../../rules/messaging/provider-time.ts'
import { raiseEvents } from '../events/raise-event.ts'
import { asKnownLids } from './as-known-lids.sql.ts'
import { enqueueDownloads } from '../files/enqueue-downloads.ts'
import { lastTextOf, type ConversationRow } from './conversation.ts'
import { lockCustomer } from './lock-customer.ts'
import { customerOf, resolveCustomers } from './resolve-customers.ts'
import { IdentityUnsettled, type Customer } from './plan-customer-resolution.ts'
import { latest } from './receive-message.ts'

type Deps = {
  ids: Ids
  now: Date
  log: Context['log']
  /** Resolves contradicting identifiers of a customer before the message is saved. */
  settleCustomer(tx: Transaction<DB>, deps: Deps, customer: Customer): Promise<Customer>
}

/**
 * Saves a message that was written elsewhere for the business. The owner's, from the provider's own app, is a sent
 * message; for the channel's hours from its time on, staff handles the conversation. It raises no `message.received`,
 * opens no service window and starts nothing. Returns the conversation that staff took over by it; null when staff
 * had it before, the hours have passed, or the echo is known.
 *
 * Spec: Events › Types; reading F17.
 */
export async function recordEcho(
  tx: Transaction<DB>,
  deps: Deps,
  channel: Channel,
  event: Extract<ProviderEvent, { kind: 'echo' }>,
): Promise<{ conversationId: string } | null> {
  const saved = await saveSilently(tx, deps, channel, {
    ...event,
    outbound: true,
    isImported: false,
  })
  if (!saved) return null
  const { conversation, at } = saved
  if (event.by === 'agent') {
    await showLast(tx, conversation, { text: event.text, at })
    return null
  }
  await markCoexistence(tx, channel.id)
  const handling = afterOwnersReply(conversation, at, channel.takeOverHours)
  const isTakenOver =
    isStaffHandling(handling, deps.now) && !isStaffHandling(conversation, deps.now)
  const isLast = conversation.lastMessageAt === null || conversation.lastMessageAt <= at
  await tx
    .updateTable('conversation')
    .set({
      // A reply whose hours have passed leaves a resolved conversation with automation.
      ...(isStaffHandling(handling, deps.now) || conversation.status === 'open' ? handling : {}),
      ...(isTakenOver ? takenOver(deps.now, conversation) : {}),
      ...(isLast ? { lastText: lastTextOf(cleanOrNull(event.text)), lastSender: 'owner_app' } : {}),
      waitingSince: stillWaitingSince(at),
      lastMessageAt: latest(conversation.lastMessageAt, at),
    })
    .where('id', '=', conversation.id)
    .execute()
  return isTakenOver ? { conversationId: conversation.id } : null
}

/** Returns `waiting_since` after the reply: a late echo does not answer messages that arrived after it. */
function stillWaitingSince(repliedAt: Date) {
  return sql<Date | null>`(
    select greatest(conversation.waiting_since, min(occurred_at)) from message
    where conversation_id = conversation.id and direction = 'in' and not is_imported
      and occurred_at > ${repliedAt} and conversation.waiting_since is not null
    having count(*) > 0)`
}

/** Shows a message of another automation as the last one. It does not change who handles the conversation. */
async function showLast(
  tx: Transaction<DB>,
  { id, lastMessageAt }: ConversationRow,
  { text, at }: { text: string | null; at: Date },
): Promise<void> {
  const isLast = lastMessageAt === null || lastMessageAt <= at
  await tx
    .updateTable('conversation')
    .set({
      ...(isLast && { lastText: lastTextOf(cleanOrNull(text)), lastSender: 'assistant' }),
      lastMessageAt: latest(lastMessageAt, at),
    })
    .where('id', '=', id)
    .execute()
}

const takenOver = (now: Date, { turn }: ConversationRow) => ({
  status: 'open',
  resolvedAt: null,
  resolvedBy: null,
  takenOverAt: now,
  turn: turn + 1,
})

const cleanOrNull = (text: string | null) => (text === null ? null : cleanText(text))

/**
 * Saves history imported when a coexistence number was connected: no events, service window, opt-out or run. A later
 * message of a customer in it is not their first. Returns how many messages were new.
 */
export async function importHistory(
  tx: Transaction<DB>,
  deps: Deps,
  channel: Channel,
  event: Extract<ProviderEvent, { kind: 'history' }>,
): Promise<number> {
  let imported = 0
  for (const message of event.messages) {
    if (await saveSilently(tx, deps, channel, { ...message, isImported: true })) imported += 1
  }
  if (imported > 0) await markCoexistence(tx, channel.id)
  if (event.progress || event.isDeclined) await recordProgress(tx, deps.now, channel.id, event)
  return imported
}

/** Records import progress. Parts arrive in any order, so the greatest progress counts. */
async function recordProgress(
  tx: Transaction<DB>,
  now: Date,
  channelId: string,
  { progress, isDeclined }: Extract<ProviderEvent, { kind: 'history' }>,
): Promise<void> {
  await tx
    .updateTable('channel')
    .set((eb) => ({
      isCoexistence: true,
      historyDeclined: isDeclined === true,
      historyReportedAt: now,
      ...(progress && {
        historyPhase: eb.fn<number>('greatest', ['historyPhase', eb.val(progress.phase)]),
        historyPercent: eb.fn<number>('greatest', ['historyPercent', eb.val(progress.percent)]),
      }),
    }))
    .where('id', '=', channelId)
    .execute()
}

/** Marks the channel as coexistence: only such numbers report messages written in the provider's app. */
async function markCoexistence(tx: Transaction<DB>, channelId: string): Promise<void> {
  await tx
    .updateTable('channel')
    .set({ isCoexistence: true })
    .where('id', '=', channelId)
    .where('isCoexistence', '=', false)
    .execute()
}

type SilentMessage = Pick<
  Extract<ProviderEvent, { kind: 'echo' }>,
  'providerMessageId' | 'customer' | 'type' | 'text' | 'media' | 'at' | 'by' | 'place' | 'details'
> & { outbound: boolean; isImported: boolean }

/** Resolves the customer, after their identity is settled where the provider contradicts what is stored. */
async function resolve(tx: Transaction<DB>, deps: Deps, customer: Customer) {
  try {
    return await resolveCustomers(tx, deps, [customer])
  } catch (error) {
    if (!(error instanceof IdentityUnsettled)) throw error
    return resolveCustomers(tx, deps, [await deps.settleCustomer(tx, deps, customer)])
  }
}

async function saveSilently(
  tx: Transaction<DB>,
  deps: Deps,
  channel: Channel,
  message: SilentMessage,
): Promise<{ conversation: ConversationRow; at: Date } | null> {
  const at = readProviderTime(message.at, deps.now)
  const named = customerOf(channel, message.customer, { announces: 'none', at })
  if (!named) return null
  const [{ customer }] = (await asKnownLids(tx, [{ customer: named }])) as [{ customer: Customer }]
  await lockCustomer(tx, channel.company.id, customer.identifiers)
  const known = await findKnown(tx, channel.id, message.providerMessageId)
  if (known) {
    if (known.isImported && known.type === 'unknown')
      await fillIn(tx, deps, channel, known.id, message)
    return null
  }
  const { resolved, events } = await resolve(tx, deps, customer)
  await raiseEvents(tx, deps, events)
  const { conversation } = resolved[0]!
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
      sender: senderOf(message),
      type: message.type,
      text: cleanOrNull(message.text),
      transcript: cleanOrNull(message.place ?? message.details ?? null),
      fileId: await awaitFile(tx, deps, channel, message.media),
      providerMessageId: cleanText(message.providerMessageId),
      status: message.outbound ? 'sent' : null,
      isImported: message.isImported,
      occurredAt: at,
      createdAt: deps.now,
    })
    .execute()
  return { conversation, at }
}

function senderOf({ outbound, by }: SilentMessage): string {
  if (!outbound) return 'customer'
  return by === 'agent' ? 'assistant' : 'owner_app'
}

function findKnown(tx: Transaction<DB>, channelId: string, providerMessageId: string) {
  return tx
    .selectFrom('message')
    .select(['id', 'type', 'isImported'])
    .where('channelId', '=', channelId)
    .where('providerMessageId', '=', cleanText(providerMessageId))
    .executeTakeFirst()
}

/** Fills in a file's message: a history first reports a placeholder, and its content in another webhook. */
async function fillIn(
  tx: Transaction<DB>,
  deps: Deps,
  channel: Channel,
  id: string,
  { type, text, media }: SilentMessage,
): Promise<void> {
  if (!media) return
  const fileId = await awaitFile(tx, deps, channel, media)
  await tx
    .updateTable('message')
    .set({ type, text: cleanOrNull(text), fileId })
    .where('id', '=', id)
    .execute()
}

/** Enqueues the download of a file, as for a customer's message. */
async function awaitFile(
  tx: Transaction<DB>,
  { ids, now }: Deps,
  channel: Channel,
  media: SilentMessage['media'],
): Promise<string | null> {
  if (!media) return null
  const id = ids.uuid()
  const companyId = channel.company.id
  await enqueueDownloads(tx, now, [{ id, companyId, channelId: channel.id, media }])
  return id
}
