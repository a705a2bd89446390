import type { Logger } from 'pino'
import type { Connection } from '../infra/database/connect.ts'
import { listen, type Listener } from '../infra/database/listen.ts'

/** Told by a trigger of the database, whoever ended the session and in whichever process. */
const CHANNEL = 'wasla_session_ended'

export type SessionRevocations = {
  /** Calls `look` whenever the session may be over. Returns how to stop. */
  watch(sessionId: string, look: () => void): () => void
  close(): Promise<void>
}

/**
 * Who listens to something long asks here to be told when their session ends, or goes on elsewhere. The
 * connection is made with the first who asks; what may have been missed while there was none is looked
 * for, by all.
 */
export function createWatchedSessions(connection: Connection, log: Logger): SessionRevocations {
  const watching = new Map<string, Set<() => void>>()
  let listener: Listener | null = null

  const lookAll = () => {
    for (const looks of watching.values()) for (const look of looks) look()
  }

  function start(): Listener {
    const started = listen({
      ...connection,
      channels: [CHANNEL],
      onNotification: (_channel, sessionId) => {
        for (const look of watching.get(sessionId) ?? []) look()
      },
      onReconnected: lookAll,
      onError: (error, isFirst) =>
        log[isFirst ? 'warn' : 'debug']({ err: error }, 'the end of sessions is not heard of'),
    })
    // A session may have ended before anybody listened.
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
