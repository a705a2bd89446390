/** The duty that reads each connected channel's templates at its provider, about once an hour. */
import type { KeyRing } from '../accounts/key-ring.ts'
import { loadChannel } from '../channels/load-channel.ts'
import type { Providers } from '../channels/provider-connection.ts'
import type { Context } from '../context.ts'
import { claimTemplateReads, nextTemplateRead } from '../messaging/claim-template-reads.sql.ts'
import { readTemplates } from '../messaging/read-templates.ts'
import type { WorkingDuty } from './loop.ts'

export function createSyncTemplatesDuty(
  context: Context,
  deps: { keyRing: KeyRing; providers: Providers },
): WorkingDuty {
  const { db, clock, log } = context

  /** What fails for one channel is logged, comes again in an hour and stops no other. */
  async function readOne(channelId: string): Promise<void> {
    try {
      const channel = await loadChannel(db.kysely, deps.keyRing, channelId)
      if (!channel) return
      const templates = await readTemplates({ ...context, ...deps }, channel)
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
