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
  learnName,
  nextNameToAsk,
  postponeName,
  takeNamesToAsk,
  type NameToAsk,
} from '../messaging/names-to-ask.sql.ts'
import type { WorkingDuty } from './loop.ts'

type Deps = {
  adapters: ChannelAdapters
  knownChannels: KnownChannels
  /** Called when there is room for what waits. */
  onProgress(): void
}

export function createAskNamesDuty(context: Context, deps: Deps): WorkingDuty {
  const { db, clock, log } = context
  const underWay = new Set<Promise<void>>()
  let isHalted = false

  function start(asked: NameToAsk): void {
    const done = askOne(context, deps, asked)
      .catch((error: unknown) => {
        // Its time comes again.
        log.warn({ err: error, conversationId: asked.conversationId }, 'a name was not asked for')
      })
      .finally(() => {
        underWay.delete(done)
        deps.onProgress()
      })
    underWay.add(done)
  }

  return {
    name: 'ask-names',
    async work() {
      const limit = NAME_LIMITS.atOnce - underWay.size
      if (isHalted || limit <= 0) return false
      const names = await takeNamesToAsk(db.kysely, { now: clock.now(), limit })
      for (const asked of names) start(asked)
      return names.length > 0
    },
    nextDue: () => (underWay.size > 0 ? Promise.resolve(null) : nextNameToAsk(db.kysely)),
    inFlight: () => underWay.size,
    halt() {
      isHalted = true
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

async function askOne(
  { db, clock, ids, log }: Context,
  { adapters, knownChannels }: Deps,
  asked: NameToAsk,
): Promise<void> {
  const channel = await knownChannels.byId(asked.channelId)
  const adapter = channel && adapters[channel.type]
  if (!channel || !adapter?.fetchProfile) return postponeName(db.kysely, asked, null)
  const profile = await adapter.fetchProfile(channel, asked.customer)
  if (profile.outcome === 'fetched') {
    return transaction(db, (tx) => learnName(tx, { ids, now: clock.now() }, asked, profile.name))
  }
  const { class: errorClass, code } = profile.error
  const delayMs = NAME_LIMITS.retryDelaysMs[asked.attempt - 1]
  const isForNow = errorClass === 'rate' || errorClass === 'transient'
  const again = isForNow && delayMs !== undefined ? clock.now().getTime() + delayMs : null
  log.debug({ conversationId: asked.conversationId, code, again }, 'a provider tells no name')
  return postponeName(db.kysely, asked, again === null ? null : new Date(again))
}
