/**
 * The worker that looks up customers' names at providers whose webhooks lack them. It runs after the message is
 * ingested, for a few customers at a time, with few retries, and delays nothing.
 */
import type { ChannelCache } from '../modules/channels/channel-cache.ts'
import type { ChannelAdapters } from '../modules/channels/registry.ts'
import type { Context } from '../infra/context.ts'
import { transaction } from '../infra/database/transaction.ts'
import { NAME_LIMITS } from '../core/limits/messaging.ts'
import {
  profileCustomer,
  deleteProfileLookup,
  storeName,
  NAME_QUEUE,
  postponeProfileLookup,
  type ProfileLookup,
} from '../modules/messaging/profile-lookup-queue.sql.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { createWorker, type WorkDeps } from './worker.ts'

type Deps = WorkDeps & { adapters: ChannelAdapters; knownChannels: ChannelCache }

/** Creates the worker that looks up customers' names at their provider. */
export function createProfileLookupsWorker(context: Context, deps: Deps): ConcurrentWorker {
  return createWorker(
    context,
    {
      name: 'profile-lookups',
      queue: NAME_QUEUE,
      places: { maxConcurrent: NAME_LIMITS.maxConcurrent },
      wakesAtEnd: true,
      take: (lookedUp) => lookUpProfile(context, deps, lookedUp),
      onError: (error, { conversationId }) =>
        context.log.warn({ err: error, conversationId }, 'profile lookup failed'),
    },
    deps,
  )
}

async function lookUpProfile(
  { db, clock, ids, log }: Context,
  { adapters, knownChannels }: Deps,
  found: ProfileLookup,
): Promise<void> {
  const customer = profileCustomer(found)
  const channel = await knownChannels.byId(found.channelId)
  const adapter = channel && adapters[channel.type]
  if (!customer || !channel || !adapter?.fetchProfile)
    return void (await deleteProfileLookup(db.kysely, found))
  const profile = await adapter.fetchProfile(channel, customer)
  if (profile.outcome === 'fetched') {
    return transaction(db, (tx) => storeName(tx, { ids, now: clock.now() }, found, profile.name))
  }
  const { class: errorClass, code } = profile.error
  const delayMs = NAME_LIMITS.retryDelaysMs[found.attempt - 1]
  const isForNow = errorClass === 'rate' || errorClass === 'transient'
  const dueAt = isForNow && delayMs !== undefined ? new Date(clock.now().getTime() + delayMs) : null
  log.debug({ conversationId: found.conversationId, code, dueAt }, 'provider returned no name')
  await (dueAt
    ? postponeProfileLookup(db.kysely, found, dueAt)
    : deleteProfileLookup(db.kysely, found))
}
