/** The worker that syncs each connected channel's templates, about once an hour. */
import type { ChannelCache } from '../modules/channels/channel-cache.ts'
import type { ChannelAdapters } from '../modules/channels/registry.ts'
import type { Context } from '../infra/context.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import { CHANNEL_LIMITS } from '../core/limits/messaging.ts'
import { refreshTemplates } from '../modules/messaging/refresh-templates.ts'
import {
  settleTemplates,
  TEMPLATE_QUEUE,
  type ClaimedTemplates,
} from '../modules/messaging/template-queue.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { createWorker, type WorkDeps } from './worker.ts'

type Deps = WorkDeps & { adapters: ChannelAdapters; knownChannels: ChannelCache }

/** Creates the worker that syncs message templates with the providers. */
export function createSyncTemplatesWorker(context: Context, deps: Deps): ConcurrentWorker {
  return createWorker(
    context,
    {
      name: 'sync-templates',
      queue: TEMPLATE_QUEUE,
      places: { maxConcurrent: CHANNEL_LIMITS.maxConcurrentTemplateReads },
      wakesAtEnd: true,
      take: (channel) => readOne(context, deps, channel),
      onError: (error, { id }) =>
        context.log.warn({ err: error, channelId: id }, 'template sync not recorded'),
    },
    deps,
  )
}

/** Syncs one channel. A failure is logged, and repeated in an hour. @throws when the database is unavailable */
async function readOne(
  context: Context,
  { adapters, knownChannels }: Deps,
  claimed: ClaimedTemplates,
): Promise<void> {
  const { db, clock, log } = context
  const channelId = claimed.id
  try {
    const channel = await knownChannels.reload(channelId)
    if (channel) {
      const templates = await refreshTemplates({ ...context, adapters }, channel)
      log.debug({ channelId, templates }, 'templates synced')
    }
  } catch (error) {
    // The database says nothing about the templates, which are due again once it is back.
    if (isDatabaseUnavailable(error)) throw error
    log.warn({ err: error, channelId }, 'template sync failed')
  }
  await settleTemplates(db.kysely, claimed, clock.now())
}
