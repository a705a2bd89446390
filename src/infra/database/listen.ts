import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectionConfig } from './connect.ts'
import type { Connection } from './connect.ts'
import { setSession } from './session-settings.ts'

export type ListenOptions = Connection & {
  applicationName?: string
  channels: readonly string[]
  /** Prepares the session each time before it listens. */
  onConnected?: (session: pg.Client) => Promise<void>
  onNotification: (channel: string, payload: string) => void
  /**
   * Runs each time the connection is back after a loss. Notifications in between are lost, so the tables must be
   * read.
   */
  onReconnected: () => void
  /**
   * Runs each time the connection is lost or cannot be opened. `isFirst` is true once per outage, so that a log names
   * each outage once.
   */
  onError?: (error: Error, isFirst: boolean) => void
}

export type Listener = {
  /** Resolves when it listens for the first time. */
  ready: Promise<void>
  /** The time since which it listens, by `performance.now()`; null while it does not. */
  listeningSinceMs(): number | null
  close(): Promise<void>
}

const BACKOFF_MS = { first: 100, longest: 1_000 }
/**
 * Interval of checks that detect a connection whose other end vanished. They run before the server ends a silent
 * session, and with it the lock by which others see this node as alive.
 */
const CHECK_EVERY_MS = 3_000
const CHECK_ANSWER_MS = 5_000
const GOODBYE_MS = 1_000

/**
 * Listens for notifications on a separate connection, and reconnects when it is lost. The delay grows from 0.1 s to 1
 * s, with jitter so that nodes do not reconnect at the same time.
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
    // The awaiting code may not have started to await yet.
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
