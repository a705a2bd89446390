import { fact } from '../../core/facts/fact.ts'
import { changeMarketing } from '../broadcasts/change-marketing.ts'
import { cancelReplies } from '../messaging/cancel-replies.sql.ts'
import { parseFact, serializeFact } from '../../core/facts/stored-fact.ts'
import type { Transaction } from 'kysely'
import type { ProviderEvent } from '../channels/inbound.ts'
import {
  ChannelGone,
  loadChannelsOfEvents,
  type Channel,
  type OpenedChannel,
} from '../channels/load-channel.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { wakeRuns } from '../flows/runs/wake-runs.ts'
import type { Ids } from '../../core/ids.ts'
import { annotateMessage } from '../messaging/annotate-message.ts'
import { recordBlocked } from '../messaging/record-blocked.ts'
import { settleCustomer } from '../identity/settle-identity.ts'
import { changeIdentity } from '../identity/change-identity.ts'
import { nameByAddressBook } from '../messaging/name-by-address-book.ts'
import { advisoryLockKey, takeAdvisoryLocks } from '../messaging/lock-customer.ts'
import { importHistory, recordEcho } from '../messaging/record-echo.ts'
import { recordOwnEcho } from '../messaging/record-own-echo.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import type { BatchedEvent } from './ingest-batch.ts'

type Deps = { ids: Ids; now: Date; log: Context['log'] }

/** A provider event of a rare kind, which is ingested alone. */
export type SingleEvent = Exclude<ProviderEvent, BatchedEvent>
type EventOf<Kind extends ProviderEvent['kind']> = Extract<ProviderEvent, { kind: Kind }>

/** Ingests one rare event of a channel in one transaction. @throws ChannelGone */
export async function ingestSingle(
  { db, ids, clock, log }: Pick<Context, 'db' | 'ids' | 'clock' | 'log'>,
  opened: OpenedChannel,
  event: SingleEvent,
): Promise<void> {
  await transaction(db, async (tx) => {
    const find = await loadChannelsOfEvents(tx, [opened])
    const channel = find(opened)
    if (!channel) throw new ChannelGone(opened)
    const deps = { ids, now: clock.now(), log }
    switch (event.kind) {
      case 'echo':
        return ingestEcho(tx, { ...deps, settleCustomer }, channel, event)
      case 'history':
        await importHistory(tx, { ...deps, settleCustomer }, channel, event)
        return
      case 'address_book':
        return nameByAddressBook(tx, deps, channel, event)
      case 'identity':
        return changeIdentity(tx, deps, channel, event)
      case 'reach':
        return recordBlocked(tx, deps, channel, event)
      case 'marketing':
        return changeMarketing(tx, deps, channel, event)
      case 'template':
        return ingestTemplate(tx, deps, channel, event)
      case 'channel_state':
        return ingestChannelState(tx, deps, channel, event)
      case 'annotation':
        return annotateMessage(tx, deps, channel, event)
      case 'to_read':
      case 'ignored':
        return
    }
  })
}

/**
 * Ingests an echo. An echo of a message of this service marks it as sent; the owner's answer from the provider's app ends
 * the conversation's runs and replies.
 */
async function ingestEcho(
  tx: Transaction<DB>,
  deps: Deps & { settleCustomer: typeof settleCustomer },
  channel: Channel,
  event: EventOf<'echo'>,
): Promise<void> {
  if (event.mayBeOurs && (await recordOwnEcho(tx, deps, channel, event))) return
  const takenOver = await recordEcho(tx, deps, channel, event)
  if (!takenOver) return
  await wakeRuns(tx, deps.now, takenOver)
  const conversationIds = [takenOver.conversationId]
  await cancelReplies(tx, deps.now, { conversationIds }, fact('reply_staff_has_it'))
}

async function ingestTemplate(
  tx: Transaction<DB>,
  { now }: Deps,
  channel: Channel,
  event: EventOf<'template'>,
): Promise<void> {
  await tx
    .updateTable('template')
    .set({
      ...(event.status ? { status: cleanText(event.status) } : {}),
      ...(event.category ? { category: cleanText(event.category) } : {}),
      syncedAt: now,
    })
    .where('channelId', '=', channel.id)
    .where('name', '=', cleanText(event.name))
    .where('language', '=', cleanText(event.language))
    .execute()
}

async function ingestChannelState(
  tx: Transaction<DB>,
  { now }: Deps,
  channel: Channel,
  event: EventOf<'channel_state'>,
): Promise<void> {
  const {
    displayNumber,
    reason,
    why = fact('channel_account_lost', { event: cleanText(reason) }),
  } = event
  if (await isOffByMember(tx, channel)) return
  const isTaken = displayNumber !== undefined && (await isOfAnother(tx, channel, displayNumber))
  const isConnected = event.isConnected && !isTaken
  const lost = isTaken ? fact('qr_number_taken', { number: `+${displayNumber}` }) : why
  await tx
    .updateTable('channel')
    .set({
      isConnected,
      disconnectedReason: isConnected ? null : serializeFact(lost),
      ...(displayNumber !== undefined && !isTaken && { displayNumber }),
      updatedAt: now,
    })
    .where('id', '=', channel.id)
    .execute()
}

/**
 * Returns whether a member disconnected the channel, so that only a member reconnects it. The provider reports the
 * lost link as well, and earlier events may arrive later. Locks the row.
 */
async function isOffByMember(tx: Transaction<DB>, { id }: Channel): Promise<boolean> {
  const { disconnectedReason } = await tx
    .selectFrom('channel')
    .select('disconnectedReason')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return disconnectedReason !== null && OFF_FOR_GOOD.has(parseFact(disconnectedReason).code)
}

const OFF_FOR_GOOD: ReadonlySet<string> = new Set(['channel_off_by_member', 'channel_deleted'])

/** Returns whether another channel has the number. Isolation: an advisory lock on the number serialises the checks. */
async function isOfAnother(
  tx: Transaction<DB>,
  { id, type }: Channel,
  displayNumber: string,
): Promise<boolean> {
  await takeAdvisoryLocks(tx, [advisoryLockKey(`${type}|${displayNumber}`)])
  const other = await tx
    .selectFrom('channel')
    .select('id')
    .where('type', '=', type)
    .where('displayNumber', '=', displayNumber)
    .where('id', '<>', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return other !== undefined
}
