/**
 * Ingestion of provider events from any source: webhooks, polls, and this service's own routes. Idempotent, so that
 * all events may be redelivered after a failure.
 */
import type { ChannelAdapter } from '../channels/channel-adapter.ts'
import type { ProviderEvent } from '../channels/inbound.ts'
import { AccountOnHold } from '../accounts/account-hold.ts'
import { ChannelGone, type OpenedChannel } from '../channels/load-channel.ts'
import type { Context } from '../../infra/context.ts'
import { isDatabaseUnavailable } from '../../infra/database/is-database-unavailable.ts'
import { isLockTimeout } from '../../infra/database/transaction.ts'
import { INBOUND_LIMITS } from '../../core/limits/messaging.ts'
import type { IngestBatcher } from './ingest-batcher.ts'
import type { BatchedEvent } from './ingest-batch.ts'
import { ingestSingle, type SingleEvent } from './ingest-single.ts'

/** The dependencies of ingestion. */
export type IngestDeps = Pick<Context, 'db' | 'ids' | 'clock' | 'log'> & {
  /** The process's batcher of frequent events. */
  ingestBatched: IngestBatcher
}

/**
 * A failure after which the provider has to redeliver all events. `crowded_out`: some waited too long for a lock.
 * `faulty`: some could not be ingested. If both apply, `crowded_out` is reported, as those may still succeed. Events
 * that can never be stored are only logged.
 */
export type IngestFailure = 'crowded_out' | 'faulty'

/**
 * SQLSTATEs that refuse the values themselves: class 22 (data), 54 (exceeds an index limit) and check violations. A
 * redelivery would be refused again.
 */
const HOPELESS_SQL_STATE = /^(?:22...|54...|23514)$/

function cannotBeStored(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && HOPELESS_SQL_STATE.test(code)
}

/**
 * Ingests events of a provider in their order: frequent kinds go to the batcher together, a rare one waits for those
 * before it. Returns null when all are ingested.
 * @throws when the database is unavailable, ChannelGone, and AccountOnHold.
 */
export async function ingestProviderEvents(
  context: IngestDeps,
  channels: readonly OpenedChannel[],
  events: readonly ProviderEvent[],
): Promise<IngestFailure | null> {
  let failure: IngestFailure | null = null
  function recordError(error: unknown, { kind }: ProviderEvent): void {
    if (isDatabaseUnavailable(error) || error instanceof ChannelGone) throw error
    // Nothing is stored, and the provider delivers again.
    if (error instanceof AccountOnHold) throw error
    if (isLockTimeout(error)) {
      failure = 'crowded_out'
      context.log.warn({ err: error, kind }, 'provider event not ingested: provider will redeliver')
      return
    }
    const isHopeless = cannotBeStored(error)
    if (!isHopeless) failure ??= 'faulty'
    context.log.error({ err: error, kind, isHopeless }, 'provider event ingestion failed')
  }
  let pending: { event: BatchedEvent; outcome: Promise<unknown> }[] = []
  async function flush(): Promise<void> {
    const errors = await Promise.all(pending.map(({ outcome }) => outcome))
    errors.forEach((error, index) => error && recordError(error, pending[index]!.event))
    pending = []
  }
  for (const event of events) {
    for (const channel of channelsOf(context, channels, event)) {
      if (event.kind === 'message' || event.kind === 'receipt' || event.kind === 'watermark') {
        const outcome = context.ingestBatched({ channel, event }).catch((error: unknown) => error)
        pending.push({ event, outcome })
        if (pending.length === INBOUND_LIMITS.maxBatchSize) await flush()
        continue
      }
      await flush()
      for (const part of partsOf(event)) {
        try {
          await ingestSingle(context, channel, part)
        } catch (error) {
          recordError(error, part)
        }
      }
    }
  }
  await flush()
  return failure
}

/**
 * Splits an event with many people: each takes a lock, and a whole address book in one transaction would exhaust the
 * lock table. The progress of a history is recorded with its last part.
 */
function* partsOf(event: SingleEvent): Generator<SingleEvent> {
  if (event.kind === 'address_book') {
    for (const entries of inParts(event.entries, INBOUND_LIMITS.entriesPerBatch))
      yield { ...event, entries }
  } else if (event.kind === 'history') {
    const parts = inParts(event.messages, INBOUND_LIMITS.historyPerBatch)
    const last = parts.pop() ?? []
    for (const messages of parts) yield { kind: 'history', route: event.route, messages }
    yield { ...event, messages: last }
  } else {
    yield event
  }
}

function inParts<Item>(list: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, part) =>
    list.slice(part * size, (part + 1) * size),
  )
}

/** Returns the channels that an event concerns. */
function channelsOf(
  { log }: Pick<Context, 'log'>,
  channels: readonly OpenedChannel[],
  event: ProviderEvent,
): OpenedChannel[] {
  if (event.kind === 'ignored') {
    log.debug({ why: event.why }, 'part of a provider event ignored')
    return []
  }
  const named =
    'route' in event
      ? channels.filter((channel) => channel.route === event.route)
      : channels.filter((channel) => channel.account === event.account)
  if (named.length === 0) {
    const name = 'route' in event ? event.route : event.account
    log.warn({ name, kind: event.kind }, 'provider event ignored: unknown channel')
  }
  return named
}

/** Confirms to the provider that events were ingested, if it expects that. Never throws: a failure is only logged. */
export async function acknowledge(
  { log }: Pick<Context, 'log'>,
  adapter: ChannelAdapter,
  channels: readonly OpenedChannel[],
  events: readonly ProviderEvent[],
): Promise<void> {
  if (!adapter.acknowledge) return
  for (const channel of channels) {
    const its = events.filter((event) => 'route' in event && event.route === channel.route)
    try {
      await adapter.acknowledge(channel, its)
    } catch (error) {
      log.debug({ err: error, channelId: channel.id }, 'provider not sent an acknowledgement')
    }
  }
}
