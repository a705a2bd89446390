/**
 * Channels by their ids and routes with their credentials decrypted, in the memory of each process, so
 * that neither a provider's post nor a send reads or decrypts one. Bounded: the longest unused is
 * forgotten first.
 *
 * A trigger of the database tells of every change, and what is remembered counts only while that is
 * heard. Nobody's correctness hangs on it: a post whose signature fails and a send whose credentials the
 * provider refuses are tried once more with the channel read anew, and what a post tells of a channel is
 * written only where the row still has the route.
 */
import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { Connection } from '../../infra/database/connect.ts'
import { listen, type Listener } from '../../infra/database/listen.ts'
import { CHANNEL_LIMITS, PROVIDER_LIMITS } from '../../core/limits/messaging.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { loadChannel, openChannel, sealedChannels, type OpenedChannel } from './load-channel.ts'

const CHANGED = 'wasla_channel_changed'

export type NamedChannels = {
  channels: OpenedChannel[]
  /** Those whose credentials cannot be decrypted: they hold up no other. */
  unreadable: { id: string; route: string }[]
  /** More may be named than were given up to here. */
  isCut: boolean
}

export type ChannelCache = ReturnType<typeof createChannelCache>

type Deps = Pick<Context, 'db' | 'log'>

const routeKey = (type: string, route: string) => `${type} ${route}`

/** Returns the channels that are remembered, at most so many, while changes of them are heard. */
function createMemory({ log }: Deps, connection: Connection, most: number) {
  const known = new Map<string, OpenedChannel>()
  const idByRoute = new Map<string, string>()
  /** Counts what was heard: a row read before it may be of before it. */
  let heard = 0
  let listener: Listener | null = null

  function forget(id: string): void {
    const channel = known.get(id)
    if (!channel) return
    known.delete(id)
    idByRoute.delete(routeKey(channel.type, channel.route))
  }

  function forgetAll(): void {
    heard += 1
    known.clear()
    idByRoute.clear()
  }

  function start(): Listener {
    const started = listen({
      ...connection,
      channels: [CHANGED],
      onNotification: (_channel, id) => {
        heard += 1
        forget(id)
      },
      onReconnected: forgetAll,
      onError: (error, isFirst) =>
        log[isFirst ? 'warn' : 'debug']({ err: error }, 'changes of channels are not heard of'),
    })
    // It may have changed before anybody listened.
    void started.ready.then(forgetAll)
    return started
  }

  return {
    forget,
    heard: () => heard,
    size: () => known.size,
    close: () => listener?.close(),

    /** @param heardBefore what was heard before the channel was read */
    remember(channel: OpenedChannel, heardBefore: number): void {
      listener ??= start()
      if (heard !== heardBefore) return
      forget(channel.id)
      known.set(channel.id, channel)
      idByRoute.set(routeKey(channel.type, channel.route), channel.id)
      if (known.size > most) forget(known.keys().next().value!)
    },

    recall(id: string): OpenedChannel | undefined {
      const channel = listener?.listeningSinceMs() == null ? undefined : known.get(id)
      if (channel) {
        // The longest unused stays first.
        known.delete(id)
        known.set(id, channel)
      }
      return channel
    },

    idOf: (type: ChannelType, route: string) => idByRoute.get(routeKey(type, route)) ?? '',
  }
}

export function createChannelCache(
  deps: Deps,
  {
    keyRing,
    connection,
    most = CHANNEL_LIMITS.known,
  }: { keyRing: KeyRing; connection: Connection; most?: number },
) {
  const { db } = deps
  const memory = createMemory(deps, connection, most)
  return {
    /** The channels of these routes where all of them are remembered, else null. */
    recall(type: ChannelType, routes: readonly string[]): OpenedChannel[] | null {
      const channels = routes.flatMap((route) => memory.recall(memory.idOf(type, route)) ?? [])
      return channels.length > 0 && channels.length === routes.length ? channels : null
    },

    /**
     * The channels of a type that a provider's routes or accounts name, as they are now, a page at a time;
     * deleted ones left out. Those that a route names come first, then the older ones: who connects a
     * number to somebody else's account later pushes nobody out. Only a page of them is ever held, and
     * `takeTurn` waits until work that costs as much as so many bytes may be done: anybody may name channels.
     */
    async *find(
      type: ChannelType,
      { routes, accounts }: { routes: readonly string[]; accounts: readonly string[] },
      takeTurn: (bytes: number) => Promise<void>,
    ): AsyncGenerator<NamedChannels, void, void> {
      const rank = sql<number>`(provider_route <> all(${routes}::text[]))::int`
      let last: { rank: number; id: string } | undefined
      let isCut = routes.length + accounts.length > 0
      while (isCut) {
        await takeTurn(PROVIDER_LIMITS.lookUpBytes)
        const heardBefore = memory.heard()
        const rows = await sealedChannels(db.kysely)
          .select(rank.as('rank'))
          .where('type', '=', type)
          .where(
            sql<boolean>`(provider_route = any(${routes}::text[])
              or provider_account = any(${accounts}::text[]))`,
          )
          .$if(last !== undefined, (rest) =>
            rest.where(sql<boolean>`(${rank}, id) > (${last!.rank}, ${last!.id}::uuid)`),
          )
          .orderBy(rank)
          .orderBy('id')
          .limit(PROVIDER_LIMITS.channelsPerLookUp)
          .execute()
        last = rows.at(-1)
        isCut = rows.length === PROVIDER_LIMITS.channelsPerLookUp
        const page: NamedChannels = { channels: [], unreadable: [], isCut }
        for (const row of rows) {
          await takeTurn(PROVIDER_LIMITS.decryptBytes)
          try {
            const channel = openChannel(keyRing, row)
            page.channels.push(channel)
            memory.remember(channel, heardBefore)
          } catch {
            page.unreadable.push({ id: row.id, route: row.providerRoute })
          }
        }
        yield page
      }
    },

    /** The channel, unless it is deleted. @throws SecretUnreadable */
    async byId(id: string): Promise<OpenedChannel | undefined> {
      return memory.recall(id) ?? this.invalidateAfter(id)
    },

    /** The same as it is now. @throws SecretUnreadable */
    async invalidateAfter(id: string): Promise<OpenedChannel | undefined> {
      const heardBefore = memory.heard()
      memory.forget(id)
      const channel = await loadChannel(db.kysely, keyRing, id)
      if (channel) memory.remember(channel, heardBefore)
      return channel
    },

    size: memory.size,

    async close(): Promise<void> {
      await memory.close()
    },
  }
}
