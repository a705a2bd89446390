import { fact } from '../../core/facts/fact.ts'
import { sql, type Transaction } from 'kysely'
import type { ProviderEvent, Receipt } from '../channels/inbound.ts'
import {
  ChannelGone,
  loadChannelsOfEvents,
  type FindChannel,
  type OpenedChannel,
} from '../channels/load-channel.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { reactToFailures, affectsOthers } from '../broadcasts/react-to-failures.ts'
import { cancelReplies } from '../messaging/cancel-replies.sql.ts'
import { wakeRuns } from '../flows/runs/wake-runs.ts'
import type { Ids } from '../../core/ids.ts'
import type { LeadRequest } from '../leads/plan-requests.ts'
import { requestLeads } from '../leads/request-leads.ts'
import { LEAD_LIMITS } from '../../core/limits/leads.ts'
import { INBOUND_LIMITS } from '../../core/limits/messaging.ts'
import { asKnownLids } from '../messaging/as-known-lids.sql.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import { saveAdditionalMessages } from '../messaging/save-additional-messages.ts'
import { settleCustomer } from '../identity/settle-identity.ts'
import { IdentityUnsettled } from '../messaging/plan-customer-resolution.ts'
import { lockConversations } from '../messaging/lock-conversations.sql.ts'
import {
  findMessagesBelowWatermark,
  type Watermark,
} from '../messaging/find-messages-below-watermark.sql.ts'
import { identifiersOf } from '../../rules/identity/identifier.ts'
import { lockCustomers } from '../messaging/lock-customer.ts'
import {
  toNewMessage,
  receiveMessages,
  type NewMessage,
  type ReceivedMessage,
} from '../messaging/receive-message.ts'
import {
  findMessagesOfReceipts,
  recordReceipts,
  type NamedMessage,
} from '../messaging/record-receipt.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { parseOptOutKeyword } from '../../rules/messaging/opt-out-word.ts'
import { readProviderTime } from '../../rules/messaging/provider-time.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import { routeMessages, type MessageToRoute } from './route-messages.ts'

type Deps = { ids: Ids; now: Date; log: Context['log']; hasOperatorModel: boolean }

/** The dependencies of the ingestion of batches. */
export type IngestBatchDeps = Pick<Context, 'db' | 'ids' | 'clock' | 'log'> & {
  /** Returns whether an account without its own model may use the operator's; never by default. */
  hasOperatorModel?: () => boolean
}

/** A provider event of a frequent kind, which is ingested in batches. */
export type BatchedEvent = Extract<ProviderEvent, { kind: 'message' | 'receipt' | 'watermark' }>

/** A frequent event with the channel that it concerns. */
export type ChannelEvent = { channel: OpenedChannel; event: BatchedEvent }

/**
 * Ingests events of any channels in one transaction, as if they had arrived one after the other. Returns for each its
 * own error, or null.
 *
 * Isolation: read committed. Locks follow the service's lock order: all customers' ids, all conversations, then runs
 * and the messages that they sent, each kind by id, so that two batches that share some do not deadlock. Reads after
 * a lock use separate statements, which see what was committed meanwhile. A batch waits a second for a lock; a single
 * event waits as long as any session.
 */
export async function ingestBatch(
  context: IngestBatchDeps,
  events: readonly ChannelEvent[],
): Promise<(Error | null)[]> {
  try {
    return await ingestTogether(context, events, { isSettledFirst: false })
  } catch (error) {
    if (!(error instanceof UnsettledEvent)) throw error
    // The identity of its customer is settled after the preceding events and before the following ones.
    const index = events.findIndex(({ event }) => event === error.event)
    const before = index === 0 ? [] : await ingestBatch(context, events.slice(0, index))
    const alone = await ingestTogether(context, [events[index]!], { isSettledFirst: true })
    const after = events.slice(index + 1)
    return [...before, ...alone, ...(after.length === 0 ? [] : await ingestBatch(context, after))]
  }
}

/** An error for a message whose customer's identity has to be settled first. */
class UnsettledEvent extends Error {
  override name = 'UnsettledEvent'
  readonly event: BatchedEvent
  constructor(event: BatchedEvent) {
    super('the identity of a customer has to be settled first')
    this.event = event
  }
}

async function ingestTogether(
  { db, ids, clock, log, hasOperatorModel }: IngestBatchDeps,
  events: readonly ChannelEvent[],
  { isSettledFirst }: { isSettledFirst: boolean },
): Promise<(Error | null)[]> {
  return transaction(db, async (tx) => {
    const deps = { ids, now: clock.now(), log, hasOperatorModel: hasOperatorModel?.() ?? false }
    if (events.length > 1) {
      // Generic plans with index scans only: plans made on small tables stay good on large ones.
      await sql`select set_config('lock_timeout', ${`${INBOUND_LIMITS.lockMs}`}, true),
        set_config('plan_cache_mode', 'force_generic_plan', true),
        set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true)`.execute(tx)
    }
    const find = await loadChannelsOfEvents(
      tx,
      events.map(({ channel }) => channel),
    )
    const { messages: sorted, receipts, watermarks } = sortByKind(deps, find, events)
    const identified = await asKnownLids(tx, sorted)
    const messages = isSettledFirst ? await settleFirst(tx, deps, identified) : identified
    const customers = messages.map(({ channel, customer }) => ({
      companyId: channel.company.id,
      channelId: channel.id,
      identifiers: customer.identifiers,
    }))
    if (messages.length > 0) await lockCustomers(tx, customers)
    const named = receipts.length === 0 ? [] : await findMessagesOfReceipts(tx, receipts)
    const passed = await findMessagesBelowWatermark(tx, [
      ...watermarks,
      ...impliedWatermarks(named, receipts),
    ])
    const conversationIds = [...named, ...passed.map((one) => one.named)].flatMap(
      (message) => message?.conversationId ?? [],
    )
    // A single message's only conversation is locked where it is found.
    if (conversationIds.length > 0 || messages.length > 1) {
      await lockConversations(tx, { ids: conversationIds, customers })
    }
    const moved = await recordReceipts(
      tx,
      deps.now,
      [
        ...receipts.map(({ receipt }, index) => ({ named: named[index], receipt })),
        ...passed,
      ].flatMap(({ named: message, receipt }) =>
        message ? [{ messageId: message.id, runId: message.runId, receipt }] : [],
      ),
    )
    await reactToFailures(tx, deps.now, failuresAmong(moved, named, receipts))
    const received = messages.length === 0 ? [] : await receive(tx, deps, messages)
    await processMessages(tx, deps, received)
    await requestLeads(tx, deps, received.filter(isEnquiry).map(leadOf))
    await saveAdditionalMessages(tx, deps, received)
    return events.map(({ channel }) => (find(channel) ? null : new ChannelGone(channel)))
  })
}

/** Settles the identities of messages' customers. Returns the messages with the resulting identifiers. */
async function settleFirst(
  tx: Transaction<DB>,
  deps: Deps,
  messages: readonly NewMessage[],
): Promise<NewMessage[]> {
  const settled: NewMessage[] = []
  for (const message of messages) {
    const { customer } = message
    settled.push({ ...message, customer: await settleCustomer(tx, deps, customer) })
  }
  return settled
}

/** Saves messages. @throws UnsettledEvent */
async function receive(
  tx: Transaction<DB>,
  deps: Deps,
  messages: readonly NewMessage[],
): Promise<ReceivedMessage[]> {
  try {
    return await receiveMessages(tx, deps, messages)
  } catch (error) {
    if (!(error instanceof IdentityUnsettled)) throw error
    throw new UnsettledEvent(messages.find(({ customer }) => customer === error.customer)!.event)
  }
}

const isEnquiry = ({ channel }: ReceivedMessage) => capabilitiesOf(channel.type).makesLeads

/** Returns the lead of an enquiry. Spec: Leads › Making. */
function leadOf({ channel, contact, conversation, text }: ReceivedMessage): LeadRequest {
  return {
    company: channel.company,
    contactId: contact?.id ?? null,
    conversationId: conversation.id,
    source: 'website',
    summary: text === null ? undefined : cutCodePoints(text, LEAD_LIMITS.summaryChars),
    qualify: false,
  }
}

/** Returns the errors of receipts that changed a message and affect other messages as well. */
function failuresAmong(
  moved: readonly { id: string }[],
  named: readonly (NamedMessage | null)[],
  receipts: readonly { receipt: Receipt }[],
) {
  const isMoved = new Set(moved.map(({ id }) => id))
  return receipts.flatMap(({ receipt: { error } }, index) => {
    const messageId = named[index]?.id
    if (!error || messageId === undefined || !isMoved.has(messageId)) return []
    return affectsOthers(error) ? [{ messageId, error }] : []
  })
}

/** Sorts events by kind, each in its order, without those of deleted channels. */
function sortByKind(deps: Deps, find: FindChannel, events: readonly ChannelEvent[]) {
  const messages: NewMessage[] = []
  const receipts: { channelId: string; receipt: Extract<ProviderEvent, { kind: 'receipt' }> }[] = []
  const watermarks: Watermark[] = []
  for (const { channel: opened, event } of events) {
    const channel = find(opened)
    if (!channel) continue
    if (event.kind === 'message') {
      const message = toNewMessage(deps, channel, event)
      if (message) messages.push(message)
    } else if (event.kind === 'watermark') {
      const [identifier] = identifiersOf(event.customer, channel)
      const { status } = event
      const [upTo, at] = [event.upTo, event.at].map((time) => readProviderTime(time, deps.now))
      watermarks.push(
        ...(identifier
          ? [
              {
                channelId: channel.id,
                customer: { ...identifier, companyId: channel.company.id },
                conversationId: null,
                status,
                upTo: upTo!,
                at: at!,
              },
            ]
          : []),
      )
    } else {
      const { ourReference } = event
      const receipt = {
        ...event,
        providerMessageId: cleanText(event.providerMessageId),
        ...(ourReference === undefined ? {} : { ourReference: cleanText(ourReference) }),
        at: readProviderTime(event.at, deps.now),
      }
      receipts.push({ channelId: channel.id, receipt })
    }
  }
  return { messages, receipts, watermarks }
}

/** Returns the watermarks of receipts that also cover earlier messages. */
function impliedWatermarks(
  named: readonly (NamedMessage | null)[],
  receipts: readonly { channelId: string; receipt: Receipt }[],
): Watermark[] {
  return receipts.flatMap(({ channelId, receipt: { andBefore, status, at } }, index) => {
    const message = named[index]
    if (!andBefore || !message || (status !== 'delivered' && status !== 'read')) return []
    const { conversationId, occurredAt: upTo } = message
    return [{ channelId, customer: null, conversationId, status, upTo, at }]
  })
}

/**
 * Processes saved messages in their order: STOP opts the customer out and ends runs, START opts them in; any other
 * message is routed. A customer's next message sees the effects of the previous one; messages of different customers
 * are processed together.
 * Spec: Flows › Order of answers to a message.
 */
async function processMessages(
  tx: Transaction<DB>,
  deps: Deps,
  messages: readonly ReceivedMessage[],
): Promise<void> {
  /** Contacts as earlier keywords have left them. */
  const changed = new Map<string, ContactRow>()
  const unanswered = new Set(messages.map(({ id }) => id))
  for (const round of inRounds(messages)) {
    const withKeywords: MessageToRoute[] = []
    for (const message of round) {
      const { contact: stored } = message
      if (!stored) {
        withKeywords.push({ ...message, isOptOutWord: false })
        continue
      }
      const before = changed.get(stored.id) ?? stored
      const { contact, isDone } = await applyKeyword(tx, deps, { ...message, contact: before })
      changed.set(contact.id, contact)
      withKeywords.push({ ...message, contact, isOptOutWord: isDone })
    }
    await routeMessages(tx, deps, withKeywords, [...unanswered])
    for (const { id } of round) unanswered.delete(id)
  }
}

/** Groups messages into rounds with at most one message per contact and per conversation. */
function inRounds(messages: readonly ReceivedMessage[]): ReceivedMessage[][] {
  const rounds: ReceivedMessage[][] = []
  const next = new Map<string, number>()
  for (const message of messages) {
    const ids = [message.contact?.id ?? '', message.conversation.id].filter(Boolean)
    const nth = Math.max(...ids.map((id) => next.get(id) ?? 0))
    for (const id of ids) next.set(id, nth + 1)
    const round = (rounds[nth] ??= [])
    round.push(message)
  }
  return rounds
}

/** Applies STOP or START. Returns the contact, and whether the message was only that and needs no answer. */
async function applyKeyword(
  tx: Transaction<DB>,
  deps: Deps,
  {
    type,
    text,
    channel,
    contact,
    conversation,
    receivedAt: at,
  }: ReceivedMessage & { contact: ContactRow },
): Promise<{ contact: ContactRow; isDone: boolean }> {
  const isWord = type === 'text' && text !== null && capabilitiesOf(channel.type).understandsStop
  const word = isWord ? parseOptOutKeyword(text) : null
  if (!word) return { contact, isDone: false }
  const optedOut = word === 'stop'
  const optOut = { optedOut, at, how: word, conversationId: conversation.id } as const
  const edit = { company: channel.company, contactId: contact.id, optOut }
  const edited = (await editContacts(tx, deps, [edit])).get(contact.id)!
  if (edited.contact.optedOutAt !== null) {
    const of = { contactIds: [contact.id] }
    await wakeRuns(tx, deps.now, of)
    await cancelReplies(tx, deps.now, of, fact('reply_customer_stopped'))
  }
  const hasOptedIn = edited.before.optedOutAt !== null && edited.contact.optedOutAt === null
  return { contact: edited.contact, isDone: optedOut || hasOptedIn }
}
