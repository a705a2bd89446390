/**
 * An LRU cache of channels with decrypted credentials, by id and route, in each process, so that webhooks and sends
 * need no query and no decryption.
 *
 * A database trigger notifies of every change, and entries count only while notifications are received. Correctness
 * does not depend on the cache: a webhook with a wrong signature, and a send with refused credentials, are retried
 * with the stored channel, and events are written only while the row still has the route.
 */
import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { Connection } from '../../infra/database/connect.ts'
import { listen, type Listener } from '../../infra/database/listen.ts'
import { CHANNEL_LIMITS, PROVIDER_LIMITS } from '../../core/limits/messaging.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { loadChannel, decryptChannel, selectChannels, type OpenedChannel } from './load-channel.ts'

const CHANGED = 'wasla_channel_changed'

/** A page of the channels that a webhook names. */
export type NamedChannels = {
  channels: OpenedChannel[]
  /** Channels whose credentials cannot be decrypted; they do not block others. */
  unreadable: { id: string; route: string }[]
  /** States whether more channels may be named than those returned so far. */
  isCut: boolean
}

/** The cache of a process. */
export type ChannelCache = ReturnType<typeof createChannelCache>

type Deps = Pick<Context, 'db' | 'log'>

const routeKey = (type: string, route: string) => `${type} ${route}`

/** Creates the in-memory part, which is valid while notifications of changes are received. */
function createMemory({ log }: Deps, connection: Connection, max: number) {
  const known = new Map<string, OpenedChannel>()
  const idByRoute = new Map<string, string>()
  /** Counts notifications: a row read before one may be outdated. */
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
    const started = listen(connection, {
      channels: [CHANGED],
      onNotification: (_channel, id) => {
        heard += 1
        forget(id)
      },
      onReconnected: forgetAll,
      onError: (error, isFirst) =>
        log[isFirst ? 'warn' : 'debug'](
          { err: error },
          'channel notifications lost: cache bypassed',
        ),
    })
    // A change may have preceded the subscription.
    void started.ready.then(forgetAll)
    return started
  }

  return {
    forget,
    heard: () => heard,
    size: () => known.size,
    close: () => listener?.close(),

    /** Caches a channel. @param heardBefore the count of notifications before the channel was read */
    remember(channel: OpenedChannel, heardBefore: number): void {
      listener ??= start()
      if (heard !== heardBefore) return
      forget(channel.id)
      known.set(channel.id, channel)
      idByRoute.set(routeKey(channel.type, channel.route), channel.id)
      if (known.size > max) forget(known.keys().next().value!)
    },

    recall(id: string): OpenedChannel | undefined {
      const channel = listener?.listeningSinceMs() == null ? undefined : known.get(id)
      if (channel) {
        // The least recently used channel stays first.
        known.delete(id)
        known.set(id, channel)
      }
      return channel
    },

    idOf: (type: ChannelType, route: string) => idByRoute.get(routeKey(type, route)) ?? '',
  }
}

/** Creates the cache of channels with decrypted credentials, so that a send need not load them. */
export function createChannelCache(
  deps: Deps,
  {
    keyRing,
    connection,
    max = CHANNEL_LIMITS.known,
  }: { keyRing: KeyRing; connection: Connection; max?: number },
) {
  const { db } = deps
  const memory = createMemory(deps, connection, max)
  return {
    /** Returns the channels of these routes if all of them are cached, else null. */
    recall(type: ChannelType, routes: readonly string[]): OpenedChannel[] | null {
      const channels = routes.flatMap((route) => memory.recall(memory.idOf(type, route)) ?? [])
      return channels.length > 0 && channels.length === routes.length ? channels : null
    },

    /**
     * Yields pages of the channels of a type that the given routes or accounts name, as stored now, without deleted
     * ones. Channels named by a route come first, then older ones, so that a channel connected later to another
     * company's account displaces none. As the names are untrusted, `takeTurn` awaits a time slice for work that
     * costs as much as that number of bytes.
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
        const rows = await selectChannels(db.kysely)
          .select(rank.as('rank'))
          .where('type', '=', type)
          .where(
            sql<boolean>`id in (
              select id from channel
              where type = ${type} and deleted_at is null and provider_route = any(${routes}::text[])
              union select id from channel
              where type = ${type} and provider_account = any(${accounts}::text[]))`,
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
            const channel = decryptChannel(keyRing, row)
            page.channels.push(channel)
            memory.remember(channel, heardBefore)
          } catch {
            page.unreadable.push({ id: row.id, route: row.providerRoute })
          }
        }
        yield page
      }
    },

    /** Returns the channel unless it is deleted. @throws SecretUnreadable */
    async byId(id: string): Promise<OpenedChannel | undefined> {
      return memory.recall(id) ?? this.reload(id)
    },

    /** Returns the channel as stored now, and caches it again. @throws SecretUnreadable */
    async reload(id: string): Promise<OpenedChannel | undefined> {
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
