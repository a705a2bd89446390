/** The duty that reads each connected channel's templates at its provider, about once an hour. */
import type { KnownChannels } from '../channels/known-channels.ts'
import type { ChannelAdapters } from '../channels/registry.ts'
import type { Context } from '../context.ts'
import { CHANNEL_LIMITS } from '../limits/messaging.ts'
import { readTemplates } from '../messaging/read-templates.ts'
import {
  settleTemplates,
  TEMPLATE_QUEUE,
  type TemplatesInHand,
} from '../messaging/template-queue.ts'
import type { WorkingDuty } from './loop.ts'
import { createWorker, type WorkDeps } from './worker.ts'

type Deps = WorkDeps & { adapters: ChannelAdapters; knownChannels: KnownChannels }

export function createSyncTemplatesDuty(context: Context, deps: Deps): WorkingDuty {
  return createWorker(
    context,
    {
      name: 'sync-templates',
      queue: TEMPLATE_QUEUE,
      places: { atOnce: CHANNEL_LIMITS.templatesAtOnce },
      wakesAtEnd: true,
      take: (channel) => readOne(context, deps, channel),
      onFault: (error, { id }) =>
        context.log.warn({ err: error, channelId: id }, 'that templates were read was not written'),
    },
    deps,
  )
}

/** What fails for one channel is logged, and comes again in an hour. */
async function readOne(
  context: Context,
  { adapters, knownChannels }: Deps,
  inHand: TemplatesInHand,
): Promise<void> {
  const { db, clock, log } = context
  const channelId = inHand.id
  try {
    const channel = await knownChannels.readAnew(channelId)
    if (channel) {
      const templates = await readTemplates({ ...context, adapters }, channel)
      log.debug({ channelId, templates }, 'the templates of a channel were read')
    }
  } catch (error) {
    log.warn({ err: error, channelId }, 'the templates of a channel could not be read')
  }
  await settleTemplates(db.kysely, inHand, clock.now())
}
