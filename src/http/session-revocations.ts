import type { Logger } from 'pino'
import type { Connection } from '../infra/database/connect.ts'
import { listen, type Listener } from '../infra/database/listen.ts'

/** The channel on which a database trigger reports the end of a session, in whichever process it ended. */
const CHANNEL = 'wasla_session_ended'

/** Watches for sessions that end, or move to another account, in any process. */
export type SessionRevocations = {
  /** Calls `look` whenever the session may have ended. Returns the function that stops watching. */
  watch(sessionId: string, look: () => void): () => void
  close(): Promise<void>
}

/**
 * Creates the registry of long-lived responses that watch for the end of their session, or its move to another account.
 * The first watcher opens the connection. Notifications may be lost while there is no connection, so all watchers check
 * their session once it is open.
 */
export function createSessionRevocations(connection: Connection, log: Logger): SessionRevocations {
  const watching = new Map<string, Set<() => void>>()
  let listener: Listener | null = null

  const lookAll = () => {
    for (const looks of watching.values()) for (const look of looks) look()
  }

  function start(): Listener {
    const started = listen(connection, {
      channels: [CHANNEL],
      onNotification: (_channel, sessionId) => {
        for (const look of watching.get(sessionId) ?? []) look()
      },
      onReconnected: lookAll,
      onError: (error, isFirst) =>
        log[isFirst ? 'warn' : 'debug'](
          { err: error },
          'listening for the end of sessions failed: reconnecting',
        ),
    })
    // A session may have ended before the listener was ready.
    void started.ready.then(lookAll)
    return started
  }

  return {
    watch(sessionId, look) {
      const looks = watching.get(sessionId) ?? new Set()
      watching.set(sessionId, looks.add(look))
      listener ??= start()
      return () => {
        looks.delete(look)
        if (looks.size === 0 && watching.get(sessionId) === looks) watching.delete(sessionId)
      }
    },
    async close() {
      await listener?.close()
    },
  }
}
