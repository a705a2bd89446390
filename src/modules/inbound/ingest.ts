/**
 * What a provider tells of channels, by whatever way it came, taken in: the one verb of a webhook, of a
 * round of asking, and of doors of our own. What is known already is found known, so that after a fault all
 * may be told again.
 */
import type { ChannelAdapter } from '../channels/channel-adapter.ts'
import type { ProviderEvent } from '../channels/inbound.ts'
import { ChannelGone, type OpenedChannel } from '../channels/load-channel.ts'
import type { Context } from '../../infra/context.ts'
import { isDatabaseUnavailable } from '../../infra/database/is-database-unavailable.ts'
import { isLockTimeout } from '../../infra/database/transaction.ts'
import { INBOUND_LIMITS } from '../../core/limits/messaging.ts'
import type { IngestBatcher } from './ingest-batcher.ts'
import type { BatchedEvent } from './ingest-batch.ts'
import { ingestSingle, type SingleEvent } from './ingest-single.ts'

export type TakeInDeps = Pick<Context, 'db' | 'ids' | 'clock' | 'log'> & {
  /** Of the process: what comes at once is taken in together. */
  takeInFrequent: IngestBatcher
}

/**
 * `crowded_out`: others were in the way of some facts for too long. `faulty`: some could not be taken in.
 * Both: tell all of them again; the first where both are so, for those may be taken in yet. What no store can hold is
 * logged and set aside.
 */
export type TakeInFault = 'crowded_out' | 'faulty'

/**
 * The database refuses the values themselves: class 22 (data), 54 (larger than an index takes) and a
 * broken check. Delivered again, the fact would only be refused again.
 */
const HOPELESS_SQL_STATE = /^(?:22...|54...|23514)$/

function cannotBeStored(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && HOPELESS_SQL_STATE.test(code)
}

/**
 * Takes facts in, in their order: those of the kinds that come in numbers go to the desk together, a rare
 * one waits for those before it. @throws when the database is away, and ChannelGone.
 */
export async function ingestProviderEvents(
  context: TakeInDeps,
  channels: readonly OpenedChannel[],
  facts: readonly ProviderEvent[],
): Promise<TakeInFault | null> {
  let fault: TakeInFault | null = null
  function judge(error: unknown, { kind }: ProviderEvent): void {
    if (isDatabaseUnavailable(error) || error instanceof ChannelGone) throw error
    if (isLockTimeout(error)) {
      fault = 'crowded_out'
      context.log.warn({ err: error, kind }, 'a fact of a provider is to be delivered again')
      return
    }
    const isHopeless = cannotBeStored(error)
    if (!isHopeless) fault ??= 'faulty'
    context.log.error(
      { err: error, kind, isHopeless },
      'a fact of a provider could not be taken in',
    )
  }
  let together: { fact: BatchedEvent; taken: Promise<unknown> }[] = []
  async function end(): Promise<void> {
    const faultsOfThese = await Promise.all(together.map(({ taken }) => taken))
    faultsOfThese.forEach((error, place) => error && judge(error, together[place]!.fact))
    together = []
  }
  for (const fact of facts) {
    for (const channel of channelsOf(context, channels, fact)) {
      if (fact.kind === 'message' || fact.kind === 'receipt' || fact.kind === 'watermark') {
        const taken = context.takeInFrequent({ channel, fact }).catch((error: unknown) => error)
        together.push({ fact, taken })
        if (together.length === INBOUND_LIMITS.mostInABatch) await end()
        continue
      }
      await end()
      for (const part of partsOf(fact)) {
        try {
          await ingestSingle(context, channel, part)
        } catch (error) {
          judge(error, part)
        }
      }
    }
  }
  await end()
  return fault
}

/**
 * A phone tells of all that it has at once, and each person is a lock: of a whole address book in one transaction
 * the database has none left for anybody. How far a history has come is told with its last part.
 */
function* partsOf(fact: SingleEvent): Generator<SingleEvent> {
  if (fact.kind === 'address_book') {
    for (const entries of inParts(fact.entries, INBOUND_LIMITS.mostPeopleAtOnce))
      yield { ...fact, entries }
  } else if (fact.kind === 'history') {
    const parts = inParts(fact.messages, INBOUND_LIMITS.mostOfHistoryAtOnce)
    const last = parts.pop() ?? []
    for (const messages of parts) yield { kind: 'history', route: fact.route, messages }
    yield { ...fact, messages: last }
  } else {
    yield fact
  }
}

function inParts<Of>(list: readonly Of[], most: number): Of[][] {
  return Array.from({ length: Math.ceil(list.length / most) }, (_, part) =>
    list.slice(part * most, (part + 1) * most),
  )
}

/** The channels that a fact is of. */
function channelsOf(
  { log }: Pick<Context, 'log'>,
  channels: readonly OpenedChannel[],
  fact: ProviderEvent,
): OpenedChannel[] {
  if (fact.kind === 'ignored') {
    log.debug({ why: fact.why }, 'part of what a provider told is ignored')
    return []
  }
  const named =
    'route' in fact
      ? channels.filter((channel) => channel.route === fact.route)
      : channels.filter((channel) => channel.account === fact.account)
  if (named.length === 0) {
    const name = 'route' in fact ? fact.route : fact.account
    log.warn({ name, kind: fact.kind }, 'a provider told of a channel that is not ours')
  }
  return named
}

/** Tells the provider that facts of its channels are taken in. What fails is only logged. */
export async function acknowledge(
  { log }: Pick<Context, 'log'>,
  adapter: ChannelAdapter,
  channels: readonly OpenedChannel[],
  facts: readonly ProviderEvent[],
): Promise<void> {
  if (!adapter.acknowledge) return
  for (const channel of channels) {
    const its = facts.filter((fact) => 'route' in fact && fact.route === channel.route)
    try {
      await adapter.acknowledge(channel, its)
    } catch (error) {
      log.debug({ err: error, channelId: channel.id }, 'a provider could not be told what came in')
    }
  }
}
