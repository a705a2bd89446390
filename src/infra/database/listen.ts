import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectionConfig } from './connect.ts'
import type { Connection } from './connect.ts'
import { setSession } from './session-settings.ts'

export type ListenOptions = Connection & {
  applicationName?: string
  channels: readonly string[]
  /** What else the session is for; done each time before it listens. */
  onConnected?: (session: pg.Client) => Promise<void>
  onNotification: (channel: string, payload: string) => void
  /**
   * Called each time the connection is back after a loss: what was notified meanwhile is gone, so
   * look at the tables.
   */
  onReconnected: () => void
  /**
   * Called each time the connection is lost or cannot be made. `isFirst`: for the first time since it was there; what
   * is told of it is told once, however long the database stays away.
   */
  onError?: (error: Error, isFirst: boolean) => void
}

export type Listener = {
  /** Resolves when it listens for the first time. */
  ready: Promise<void>
  /** Since when it listens, by `performance.now()`; null while it does not. */
  listeningSinceMs(): number | null
  close(): Promise<void>
}

const BACKOFF_MS = { first: 100, longest: 1_000 }
/**
 * A connection whose other end has vanished without a word is noticed by asking: before the server gives
 * up a session that falls silent, and with it the lock by which others know that this node lives.
 */
const CHECK_EVERY_MS = 3_000
const CHECK_ANSWER_MS = 5_000
const GOODBYE_MS = 1_000

/**
 * Listens for notifications on a connection of its own and connects again whenever that is lost:
 * after 0.1 s at first, up to 1 s when the database stays away, each with a random part so that
 * nodes do not come back all at once.
 */
export function listen(options: ListenOptions): Listener {
  const closing = new AbortController()
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>()
  let client: pg.Client | undefined
  let sinceMs: number | null = null
  const ended = keepListening()

  return {
    ready,
    listeningSinceMs: () => sinceMs,
    async close() {
      closing.abort()
      if (client) await end(client)
      await ended
    },
  }

  async function keepListening(): Promise<void> {
    let isFirst = true
    let isLost = false
    let waitMs = BACKOFF_MS.first
    while (!closing.signal.aborted) {
      try {
        await listenUntilLost(() => {
          waitMs = BACKOFF_MS.first
          isLost = false
          if (isFirst) setReady()
          else options.onReconnected()
          isFirst = false
        })
      } catch (error) {
        if (!closing.signal.aborted) options.onError?.(error as Error, !isLost)
        isLost = true
      }
      const jittered = waitMs * (0.5 + Math.random() / 2)
      waitMs = Math.min(waitMs * 2, BACKOFF_MS.longest)
      await pause(jittered, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  /** Resolves when it was closed; rejects with the reason when the connection is lost. */
  async function listenUntilLost(onListening: () => void): Promise<void> {
    const current = new pg.Client({
      ...connectionConfig(options),
      query_timeout: CHECK_ANSWER_MS,
    })
    client = current
    const { promise: lost, resolve, reject } = Promise.withResolvers<void>()
    // Whoever awaits it may not have come that far yet.
    lost.catch(() => {})
    current.on('error', reject)
    current.on('end', resolve)
    current.on('notification', ({ channel, payload }) => {
      options.onNotification(channel, payload ?? '')
    })
    try {
      // One that is closed while it connects never answers the driver's promise.
      const connected = current.connect().then(() => true)
      if (!(await Promise.race([connected, lost.then(() => false)]))) return
      await setSession(current)
      await options.onConnected?.(current)
      const names = options.channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`)
      await current.query(names.join(';'))
      sinceMs = performance.now()
      onListening()
      const check = setInterval(() => {
        current.query('select 1').catch(reject)
      }, CHECK_EVERY_MS)
      await lost.finally(() => clearInterval(check))
    } finally {
      sinceMs = null
      await end(current)
    }
  }
}

/** Says good-bye, but does not wait for long: the other end may have vanished. */
async function end(client: pg.Client): Promise<void> {
  await Promise.race([client.end(), pause(GOODBYE_MS, undefined, { ref: false })])
}
