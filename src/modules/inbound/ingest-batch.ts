import { fact as factOf } from '../../core/facts/fact.ts'
import { sql, type Transaction } from 'kysely'
import type { ProviderEvent, Receipt } from '../channels/inbound.ts'
import {
  ChannelGone,
  loadChannelsOfFacts,
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
} from '../messaging/find-messages-passed.sql.ts'
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

export type TakeInBatchDeps = Pick<Context, 'db' | 'ids' | 'clock' | 'log'> & {
  /** Whether the assistant of an account without a model of its own has one to ask; none unless told. */
  hasOperatorModel?: () => boolean
}

/** The kinds that come in numbers. */
export type BatchedEvent = Extract<ProviderEvent, { kind: 'message' | 'receipt' | 'watermark' }>

export type ChannelEvent = { channel: OpenedChannel; fact: BatchedEvent }

/**
 * Takes in facts of any channels together, in one transaction, as if they came one after the other.
 * Returns for each the fault that is its own, or null.
 *
 * Isolation: read committed. Locks in the order of the house: the ids of all customers, then all
 * conversations, then runs and the messages they sent, each kind whole and by id, so that two batches that share some
 * only wait for each other. What is read after a lock is read by a statement of its own, which sees what
 * was committed meanwhile. A batch waits a second for a lock; alone, a fact waits as long as
 * any session does.
 */
export async function ingestBatch(
  context: TakeInBatchDeps,
  facts: readonly ChannelEvent[],
): Promise<(Error | null)[]> {
  try {
    return await takeInTogether(context, facts, { isSettledFirst: false })
  } catch (error) {
    if (!(error instanceof UnsettledFact)) throw error
    // What it shows of its customer is settled once the facts before it are there, and before those after it.
    const place = facts.findIndex(({ fact }) => fact === error.fact)
    const before = place === 0 ? [] : await ingestBatch(context, facts.slice(0, place))
    const alone = await takeInTogether(context, [facts[place]!], { isSettledFirst: true })
    const after = facts.slice(place + 1)
    return [...before, ...alone, ...(after.length === 0 ? [] : await ingestBatch(context, after))]
  }
}

/** A message whose customer has to be settled first, by itself. */
class UnsettledFact extends Error {
  override name = 'UnsettledFact'
  readonly fact: BatchedEvent
  constructor(fact: BatchedEvent) {
    super('what a message shows of its customer has to be settled first')
    this.fact = fact
  }
}

async function takeInTogether(
  { db, ids, clock, log, hasOperatorModel }: TakeInBatchDeps,
  facts: readonly ChannelEvent[],
  { isSettledFirst }: { isSettledFirst: boolean },
): Promise<(Error | null)[]> {
  return transaction(db, async (tx) => {
    const deps = { ids, now: clock.now(), log, hasOperatorModel: hasOperatorModel?.() ?? false }
    if (facts.length > 1) {
      // Plans that are made once for all values, and that know indexes alone.
      await sql`select set_config('lock_timeout', ${`${INBOUND_LIMITS.lockMs}`}, true),
        set_config('plan_cache_mode', 'force_generic_plan', true),
        set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true)`.execute(tx)
    }
    const find = await loadChannelsOfFacts(
      tx,
      facts.map(({ channel }) => channel),
    )
    const { messages: sorted, receipts, marks } = sortOut(deps, find, facts)
    const told = await asKnownLids(tx, sorted)
    const messages = isSettledFirst ? await settleFirst(tx, deps, told) : told
    const customers = messages.map(({ channel, customer }) => ({
      companyId: channel.company.id,
      channelId: channel.id,
      identifiers: customer.identifiers,
    }))
    if (messages.length > 0) await lockCustomers(tx, customers)
    const named = receipts.length === 0 ? [] : await findMessagesOfReceipts(tx, receipts)
    const passed = await findMessagesBelowWatermark(tx, [...marks, ...marksBefore(named, receipts)])
    const talks = [...named, ...passed.map((one) => one.named)].flatMap(
      (message) => message?.conversationId ?? [],
    )
    // The one conversation of a message that came alone is locked where it is found.
    if (talks.length > 0 || messages.length > 1) {
      await lockConversations(tx, { ids: talks, customers })
    }
    const moved = await recordReceipts(
      tx,
      deps.now,
      [
        ...receipts.map(({ receipt }, place) => ({ named: named[place], receipt })),
        ...passed,
      ].flatMap(({ named: message, receipt }) =>
        message ? [{ messageId: message.id, runId: message.runId, receipt }] : [],
      ),
    )
    await reactToFailures(tx, deps.now, failuresAmong(moved, named, receipts))
    const received = messages.length === 0 ? [] : await receive(tx, deps, messages)
    await answer(tx, deps, received)
    await requestLeads(tx, deps, received.filter(isEnquiry).map(leadOf))
    await saveAdditionalMessages(tx, deps, received)
    return facts.map(({ channel }) => (find(channel) ? null : new ChannelGone(channel)))
  })
}

/** Settles what messages show of their customers. Returns them with the identifiers that are then theirs. */
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

/** @throws UnsettledFact */
async function receive(
  tx: Transaction<DB>,
  deps: Deps,
  messages: readonly NewMessage[],
): Promise<ReceivedMessage[]> {
  try {
    return await receiveMessages(tx, deps, messages)
  } catch (error) {
    if (!(error instanceof IdentityUnsettled)) throw error
    throw new UnsettledFact(messages.find(({ customer }) => customer === error.customer)!.fact)
  }
}

const isEnquiry = ({ channel }: ReceivedMessage) => capabilitiesOf(channel.type).makesLeads

/** Spec: Leads › Making. */
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

/** What receipts say beside that a message did not go. */
function failuresAmong(
  moved: readonly { id: string }[],
  named: readonly (NamedMessage | null)[],
  receipts: readonly { receipt: Receipt }[],
) {
  const isMoved = new Set(moved.map(({ id }) => id))
  return receipts.flatMap(({ receipt: { error } }, place) => {
    const messageId = named[place]?.id
    if (!error || messageId === undefined || !isMoved.has(messageId)) return []
    return affectsOthers(error) ? [{ messageId, error }] : []
  })
}

/** By kind, each kind in its order; without what is of a channel that is gone. */
function sortOut(deps: Deps, find: FindChannel, facts: readonly ChannelEvent[]) {
  const messages: NewMessage[] = []
  const receipts: { channelId: string; receipt: Extract<ProviderEvent, { kind: 'receipt' }> }[] = []
  const marks: Watermark[] = []
  for (const { channel: opened, fact } of facts) {
    const channel = find(opened)
    if (!channel) continue
    if (fact.kind === 'message') {
      const message = toNewMessage(deps, channel, fact)
      if (message) messages.push(message)
    } else if (fact.kind === 'watermark') {
      const [identifier] = identifiersOf(fact.customer, channel)
      const { status } = fact
      const [upTo, at] = [fact.upTo, fact.at].map((time) => readProviderTime(time, deps.now))
      marks.push(
        ...(identifier
          ? [
              {
                channelId: channel.id,
                filedUnder: identifier.filedUnder,
                conversationId: null,
                status,
                upTo: upTo!,
                at: at!,
              },
            ]
          : []),
      )
    } else {
      const { ourReference } = fact
      const receipt = {
        ...fact,
        providerMessageId: cleanText(fact.providerMessageId),
        ...(ourReference === undefined ? {} : { ourReference: cleanText(ourReference) }),
        at: readProviderTime(fact.at, deps.now),
      }
      receipts.push({ channelId: channel.id, receipt })
    }
  }
  return { messages, receipts, marks }
}

/** What receipts say of the messages before those that they name. */
function marksBefore(
  named: readonly (NamedMessage | null)[],
  receipts: readonly { channelId: string; receipt: Receipt }[],
): Watermark[] {
  return receipts.flatMap(({ channelId, receipt: { andBefore, status, at } }, place) => {
    const message = named[place]
    if (!andBefore || !message || (status !== 'delivered' && status !== 'read')) return []
    const { conversationId, occurredAt: upTo } = message
    return [{ channelId, filedUnder: null, conversationId, status, upTo, at }]
  })
}

/**
 * What customers' messages set off once they are saved and told of, in their order: a STOP opts the
 * customer out and ends what runs, a START opts them in; anything else answers a run or starts one.
 * What one message of a customer does, the next one finds done; customers are answered together.
 * Spec: Flows › Who answers a message.
 */
async function answer(
  tx: Transaction<DB>,
  deps: Deps,
  messages: readonly ReceivedMessage[],
): Promise<void> {
  /** Contacts as the words before have left them. */
  const changed = new Map<string, ContactRow>()
  const unanswered = new Set(messages.map(({ id }) => id))
  for (const round of inRounds(messages)) {
    const words: MessageToRoute[] = []
    for (const message of round) {
      const { contact: met } = message
      if (!met) {
        words.push({ ...message, isOptOutWord: false })
        continue
      }
      const before = changed.get(met.id) ?? met
      const { contact, isDone } = await takeInWord(tx, deps, { ...message, contact: before })
      changed.set(contact.id, contact)
      words.push({ ...message, contact, isOptOutWord: isDone })
    }
    await routeMessages(tx, deps, words, [...unanswered])
    for (const { id } of round) unanswered.delete(id)
  }
}

/** In rounds of which none has two messages of one contact or one conversation. */
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

/** STOP or START. Returns the contact as it then is, and whether the message was only that and is for nobody. */
async function takeInWord(
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
    await cancelReplies(tx, deps.now, of, factOf('reply_customer_stopped'))
  }
  const hasOptedIn = edited.before.optedOutAt !== null && edited.contact.optedOutAt === null
  return { contact: edited.contact, isDone: optedOut || hasOptedIn }
}
