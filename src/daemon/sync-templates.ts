/** The duty that reads each connected channel's templates at its provider, about once an hour. */
import type { KnownChannels } from '../channels/known-channels.ts'
import type { ChannelAdapters } from '../channels/registry.ts'
import type { Context } from '../context.ts'
import { claimTemplateReads, nextTemplateRead } from '../messaging/claim-template-reads.sql.ts'
import { readTemplates } from '../messaging/read-templates.ts'
import type { WorkingDuty } from './loop.ts'

export function createSyncTemplatesDuty(
  context: Context,
  { adapters, knownChannels }: { adapters: ChannelAdapters; knownChannels: KnownChannels },
): WorkingDuty {
  const { db, clock, log } = context

  /** What fails for one channel is logged, comes again in an hour and stops no other. */
  async function readOne(channelId: string): Promise<void> {
    try {
      const channel = await knownChannels.readAnew(channelId)
      if (!channel) return
      const templates = await readTemplates({ ...context, adapters }, channel)
      log.debug({ channelId, templates }, 'the templates of a channel were read')
    } catch (error) {
      log.warn({ err: error, channelId }, 'the templates of a channel could not be read')
    }
  }

  return {
    name: 'sync-templates',
    async work() {
      const channelIds = await claimTemplateReads(db.kysely, clock.now())
      await Promise.all(channelIds.map(readOne))
      return channelIds.length > 0
    },
    nextDue: () => nextTemplateRead(db.kysely),
    inFlight: () => 0,
    drain: () => Promise.resolve(),
  }
}
