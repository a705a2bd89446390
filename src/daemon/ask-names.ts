/**
 * The duty that asks providers what customers are called, where their posts do not tell: after the message
 * is taken in, a few at a time, and never more than a few times. Nothing waits for it.
 */
import type { KnownChannels } from '../channels/known-channels.ts'
import type { ChannelAdapters } from '../channels/registry.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { NAME_LIMITS } from '../limits/messaging.ts'
import {
  customerToAsk,
  forgetName,
  learnName,
  NAME_QUEUE,
  postponeName,
  type NameToAsk,
} from '../messaging/name-queue.sql.ts'
import type { WorkingDuty } from './loop.ts'
import { createWorker, type WorkDeps } from './worker.ts'

type Deps = WorkDeps & { adapters: ChannelAdapters; knownChannels: KnownChannels }

export function createAskNamesDuty(context: Context, deps: Deps): WorkingDuty {
  return createWorker(
    context,
    {
      name: 'ask-names',
      queue: NAME_QUEUE,
      places: { atOnce: NAME_LIMITS.atOnce },
      wakesAtEnd: true,
      take: (asked) => askOne(context, deps, asked),
      onFault: (error, { conversationId }) =>
        context.log.warn({ err: error, conversationId }, 'a name was not asked for'),
    },
    deps,
  )
}

async function askOne(
  { db, clock, ids, log }: Context,
  { adapters, knownChannels }: Deps,
  asked: NameToAsk,
): Promise<void> {
  const customer = customerToAsk(asked)
  const channel = await knownChannels.byId(asked.channelId)
  const adapter = channel && adapters[channel.type]
  if (!customer || !channel || !adapter?.fetchProfile)
    return void (await forgetName(db.kysely, asked))
  const profile = await adapter.fetchProfile(channel, customer)
  if (profile.outcome === 'fetched') {
    return transaction(db, (tx) => learnName(tx, { ids, now: clock.now() }, asked, profile.name))
  }
  const { class: errorClass, code } = profile.error
  const delayMs = NAME_LIMITS.retryDelaysMs[asked.attempt - 1]
  const isForNow = errorClass === 'rate' || errorClass === 'transient'
  const dueAt = isForNow && delayMs !== undefined ? new Date(clock.now().getTime() + delayMs) : null
  log.debug({ conversationId: asked.conversationId, code, dueAt }, 'a provider tells no name')
  await (dueAt ? postponeName(db.kysely, asked, dueAt) : forgetName(db.kysely, asked))
}
