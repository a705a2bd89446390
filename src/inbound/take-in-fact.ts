import { sql, type Transaction } from 'kysely'
import { capabilitiesOf } from '../channels/capabilities.ts'
import type { Inbound } from '../channels/channel-adapter.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { Context } from '../context.ts'
import type { DB } from '../database/tables.ts'
import { transaction } from '../database/transaction.ts'
import { keepReplyForRun } from '../flows/keep-reply.ts'
import { tellRunOfReceipt, wakeRuns } from '../flows/wake-runs.ts'
import { changeIdentity } from '../messaging/change-identity.ts'
import { changeOptOut } from '../messaging/change-opt-out.ts'
import { importHistory, recordEcho } from '../messaging/record-echo.ts'
import { findMessageOfReceipt, recordReceipt } from '../messaging/record-receipt.ts'
import { receiveMessage } from '../messaging/receive-message.ts'
import { cleanText } from '../rules/json-text.ts'
import { readOptOutWord } from '../rules/opt-out-word.ts'
import { readProviderTime } from '../rules/provider-time.ts'
import type { Ids } from '../ids.ts'

type Deps = { ids: Ids; now: Date }
type Fact<Kind extends Inbound['kind']> = Extract<Inbound, { kind: Kind }>

/** Takes in one fact of a provider about one channel, in one transaction. */
export async function takeInFact(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  channel: Channel,
  fact: Inbound,
): Promise<void> {
  await transaction(db, async (tx) => {
    const deps = { ids, now: clock.now() }
    switch (fact.kind) {
      case 'message':
        return takeInMessage(tx, deps, channel, fact)
      case 'receipt':
        return takeInReceipt(tx, deps, channel, fact)
      case 'echo':
        return takeInEcho(tx, deps, channel, fact)
      case 'history':
        await importHistory(tx, deps, channel, fact)
        return
      case 'identity':
        return changeIdentity(tx, deps, channel, fact)
      case 'template':
        return takeInTemplate(tx, deps, channel, fact)
      case 'channel_state':
        return takeInChannelState(tx, deps, channel, fact)
      // An annotation changes no message of record.
      case 'annotation':
      case 'ignored':
        return
    }
  })
}

/**
 * A customer's message, in the order that the reference gives: it is saved and told of; a STOP
 * opts the customer out and ends what runs, a START opts them in; anything else may answer a run.
 */
async function takeInMessage(
  tx: Transaction<DB>,
  deps: Deps,
  channel: Channel,
  fact: Fact<'message'>,
): Promise<void> {
  const message = await receiveMessage(tx, deps, channel, fact)
  if (!message) return
  const word =
    message.type === 'text' && message.text !== null && capabilitiesOf(channel.type).understandsStop
      ? readOptOutWord(message.text)
      : null
  if (word) {
    const contact = await changeOptOut(tx, deps, channel.company, message.contact, {
      optedOut: word === 'stop',
      at: message.receivedAt,
    })
    if (contact.optedOutAt) await wakeRuns(tx, deps.now, { contactId: contact.id })
    if (word === 'stop') return
  }
  await keepReplyForRun(tx, deps.now, {
    messageId: message.id,
    companyId: channel.company.id,
    conversationId: message.conversation.id,
    channelId: channel.id,
    replyToProviderId: fact.replyToProviderId ?? null,
    buttonPayload: fact.buttonPayload ?? null,
  })
}

/** The owner answered from the provider's app: what runs in that conversation ends. */
async function takeInEcho(
  tx: Transaction<DB>,
  deps: Deps,
  channel: Channel,
  fact: Fact<'echo'>,
): Promise<void> {
  const takenOver = await recordEcho(tx, deps, channel, fact)
  if (takenOver) await wakeRuns(tx, deps.now, takenOver)
}

async function takeInReceipt(
  tx: Transaction<DB>,
  deps: Deps,
  channel: Channel,
  fact: Fact<'receipt'>,
): Promise<void> {
  const receipt = {
    ...fact,
    providerMessageId: cleanText(fact.providerMessageId),
    at: readProviderTime(fact.at, deps.now),
  }
  const message = await findMessageOfReceipt(tx, channel.id, receipt)
  if (!message) return
  // The conversation first, then the run and its message: everyone locks in this order.
  await sql`select from conversation where id = ${message.conversationId} for update`.execute(tx)
  const moved = await recordReceipt(tx, message.id, receipt)
  if (moved) await tellRunOfReceipt(tx, deps, moved)
}

async function takeInTemplate(
  tx: Transaction<DB>,
  { now }: Deps,
  channel: Channel,
  fact: Fact<'template'>,
): Promise<void> {
  await tx
    .updateTable('template')
    .set({
      ...(fact.status ? { status: cleanText(fact.status) } : {}),
      ...(fact.category ? { category: cleanText(fact.category) } : {}),
      syncedAt: now,
    })
    .where('channelId', '=', channel.id)
    .where('name', '=', cleanText(fact.name))
    .where('language', '=', cleanText(fact.language))
    .execute()
}

async function takeInChannelState(
  tx: Transaction<DB>,
  { now }: Deps,
  channel: Channel,
  fact: Fact<'channel_state'>,
): Promise<void> {
  await tx
    .updateTable('channel')
    .set({
      isConnected: fact.isConnected,
      disconnectedReason: fact.isConnected ? null : cleanText(fact.reason),
      updatedAt: now,
    })
    .where('id', '=', channel.id)
    .execute()
}
