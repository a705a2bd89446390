/**
 * The worker that polls providers without webhooks, and maintains the webhook registrations of others. One process at
 * a time polls a channel. Events are ingested like a webhook's before the adapter's state is saved, so that a crash
 * in between repeats events, which ingestion recognises.
 */
import type { PollOutcome } from '../modules/channels/channel-adapter.ts'
import type { ProviderEvent, ProviderError } from '../modules/channels/inbound.ts'
import { writeChannelState, readChannelState } from '../modules/channels/channel-state.ts'
import {
  POLL_QUEUE,
  recordPollOutcome,
  type ClaimedPoll,
} from '../modules/channels/poll-queue.sql.ts'
import type { ChannelCache } from '../modules/channels/channel-cache.ts'
import { deregisterDuplicate } from '../modules/channels/deregister.ts'
import { ChannelGone, type OpenedChannel } from '../modules/channels/load-channel.ts'
import { markDisconnected } from '../modules/channels/mark-disconnected.ts'
import type { ChannelAdapters } from '../modules/channels/registry.ts'
import { webhookUrlOf } from '../modules/channels/webhook-path.ts'
import type { Context } from '../infra/context.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import { transaction } from '../infra/database/transaction.ts'
import type { Fact } from '../core/facts/fact.ts'
import { serializeFact } from '../core/facts/stored-fact.ts'
import type { IngestBatcher } from '../modules/inbound/ingest-batcher.ts'
import { acknowledge, ingestProviderEvents } from '../modules/inbound/ingest.ts'
import { POLL_LIMITS } from '../core/limits/messaging.ts'
import type { KeyRing } from '../infra/secrets/key-ring.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { createWorker, type WorkDeps } from './worker.ts'

type Deps = WorkDeps & {
  keyRing: KeyRing
  adapters: ChannelAdapters
  knownChannels: ChannelCache
  ingestBatched: IngestBatcher
  publicUrl(): string
  /** Returns whether the poll may wait for an event. */
  mayWait(): boolean
}

/** The number of consecutive failures by the id of a channel with an event that could not be ingested. */
type Untaken = Map<string, number>

/** The result of a poll: when the next one is due, and the problem that prevents events. */
type PollResult = Pick<ClaimedPoll, 'failureCount' | 'refusalCount'> & {
  againInMs: number
  problem: Fact | null
}

/** Creates the worker that polls providers without webhooks for new messages. */
export function createPollChannelsWorker(context: Context, deps: Deps): ConcurrentWorker {
  const untaken: Untaken = new Map()
  return createWorker(
    context,
    {
      name: 'poll-channels',
      queue: POLL_QUEUE,
      places: { maxConcurrent: POLL_LIMITS.maxConcurrent },
      maxPerClaim: POLL_LIMITS.perClaim,
      wakesAtEnd: true,
      take(poll, { stopping, underWay }) {
        const isUnderLoad = underWay > POLL_LIMITS.maxConcurrent / 2
        const longest = isUnderLoad ? POLL_LIMITS.waitUnderLoadMs : POLL_LIMITS.waitMs
        const waitMs = deps.mayWait() ? longest : 0
        return round(context, { ...deps, untaken }, poll, { waitMs, signal: stopping })
      },
      onError: (error, { channelId }) =>
        context.log[isDatabaseUnavailable(error) ? 'debug' : 'error'](
          { err: error, channelId },
          'outcome of a provider poll not recorded',
        ),
    },
    deps,
  )
}

async function round(
  context: Context,
  deps: Deps & { untaken: Untaken },
  poll: ClaimedPoll,
  how: { waitMs: number; signal: AbortSignal },
): Promise<void> {
  const { db, clock, log } = context
  const result = await pollChannel(context, deps, poll, how).catch((error: unknown): PollResult => {
    if (isDatabaseUnavailable(error)) throw error
    log.error({ err: error, channelId: poll.channelId }, 'provider poll failed')
    return failed(poll, null)
  })
  const dueAt = new Date(clock.now().getTime() + result.againInMs)
  await recordPollOutcome(db.kysely, poll, {
    dueAt,
    failureCount: result.failureCount,
    refusalCount: result.refusalCount,
    problem: result.problem && serializeFact(result.problem),
  })
}

function failed(
  { failureCount, refusalCount }: ClaimedPoll,
  problem: Fact | null,
  waitMs = 0,
): PollResult {
  const backOffMs = POLL_LIMITS.backOffMs * 2 ** Math.min(failureCount, 16)
  const againInMs = Math.max(Math.min(backOffMs, POLL_LIMITS.maxBackOffMs), waitMs)
  return { failureCount: Math.min(failureCount + 1, 1_000), refusalCount, againInMs, problem }
}

async function pollChannel(
  context: Context,
  deps: Deps & { untaken: Untaken },
  poll: ClaimedPoll,
  how: { waitMs: number; signal: AbortSignal },
): Promise<PollResult> {
  const { db, ids, clock, log } = context
  // The worker may be notified of a change before the cache is.
  const channel = await deps.knownChannels.reload(poll.channelId)
  const adapter = channel && deps.adapters[channel.type]
  if (!channel || !adapter?.poll) return failed(poll, null)
  const requestedAtMs = performance.now()
  const polled = await adapter.poll(channel, {
    ...how,
    recall: (names) => readChannelState(db.kysely, deps.keyRing, poll, names),
    webhookUrl: webhookUrlOf(deps.publicUrl(), ids.cell, adapter, channel.id),
    receivedAt: clock.now(),
  })
  if (polled.outcome === 'refused') {
    if (how.signal.aborted) return { ...poll, againInMs: 0, problem: null }
    return refused(context, poll, channel, {
      error: polled.error,
      why: adapter.explain(polled.error),
    })
  }
  const left = await takeIn(context, deps, { ...poll, refusalCount: 0 }, channel, polled)
  if (left) return left
  await acknowledge({ log }, adapter, [channel], polled.events)
  // The provider may not support long polls.
  const hasWaited = performance.now() - requestedAtMs >= POLL_LIMITS.idleMs
  const idleMs = hasWaited || polled.events.length > 0 ? 0 : POLL_LIMITS.idleMs
  return {
    failureCount: 0,
    refusalCount: 0,
    againInMs: Math.max(polled.againInMs, idleMs),
    problem: polled.problem ?? null,
  }
}

/**
 * Ingests the events of a poll, the channel's own state last, because a channel that is out of use is not polled
 * again. Returns null once all are ingested and the adapter's state is saved.
 */
async function takeIn(
  context: Context,
  deps: Deps & { untaken: Untaken },
  poll: ClaimedPoll,
  channel: OpenedChannel,
  { events, keep = {} }: Extract<PollOutcome, { outcome: 'polled' }>,
): Promise<PollResult | null> {
  const tries = (deps.untaken.get(channel.id) ?? 0) + 1
  const states = events.filter(({ kind }) => kind === 'channel_state')
  for (const part of [events.filter(({ kind }) => kind !== 'channel_state'), states]) {
    const fault = await takeInAs(context, deps, channel, part)
    if (fault === 'faulty' && tries >= POLL_LIMITS.maxTries) {
      // The event would block all later ones.
      context.log.error({ channelId: channel.id, tries }, 'provider event not ingested: skipped')
    } else if (fault) {
      if (fault === 'faulty') deps.untaken.set(channel.id, tries)
      return failed(poll, null)
    }
  }
  deps.untaken.delete(channel.id)
  if (states.length > 0 && (await deregisterDuplicate({ ...context, ...deps }, channel))) {
    return failed(poll, null)
  }
  const isKept = await writeChannelState(context, deps.keyRing, poll, keep)
  return isKept ? null : failed(poll, null)
}

async function takeInAs(
  context: Context,
  { ingestBatched }: Deps,
  channel: OpenedChannel,
  events: readonly ProviderEvent[],
) {
  try {
    return await ingestProviderEvents({ ...context, ingestBatched }, [channel], events)
  } catch (error) {
    if (!(error instanceof ChannelGone)) throw error
    return 'crowded_out'
  }
}

async function refused(
  { db, clock, log }: Context,
  poll: ClaimedPoll,
  channel: OpenedChannel,
  { error, why }: { error: ProviderError; why: Fact },
): Promise<PollResult> {
  log.info({ channelId: channel.id, code: error.code, class: error.class }, 'provider poll refused')
  const refusalCount = poll.refusalCount + (error.class === 'auth' ? 1 : 0)
  // After the second refusal the current credentials are certainly invalid; the first may concern replaced ones.
  if (error.class === 'auth' && refusalCount > 1) {
    await transaction(db, (tx) => markDisconnected(tx, clock.now(), channel.id, why))
    return failed({ ...poll, failureCount: -1, refusalCount: 0 }, null)
  }
  return failed({ ...poll, refusalCount }, why, error.retryAfterMs)
}
