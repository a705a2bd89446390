import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectionConfig } from './connect.ts'
import type { Connection } from './connect.ts'
import { applySessionSettings } from './session-settings.ts'

/** The channels of a listener, and its callbacks. */
export type ListenOptions = {
  channels: readonly string[]
  /** Prepares the session each time before it listens. */
  onConnected?: (session: pg.Client) => Promise<void>
  onNotification: (channel: string, payload: string) => void
  /**
   * Runs each time the session is back after a loss. Notifications in between are lost, so the tables must be read.
   */
  onReconnected: () => void
  /**
   * Runs each time the session is lost or cannot be opened. `isFirst` is true once per outage, so that a log names
   * each outage once.
   */
  onError?: (error: Error, isFirst: boolean) => void
}

/** A listener for PostgreSQL notifications, which reconnects until it is closed. */
export type Listener = {
  /** Resolves when it listens for the first time. */
  ready: Promise<void>
  /** Returns the time since which it listens, by `performance.now()`; null while it does not. */
  listeningSinceMs(): number | null
  close(): Promise<void>
}

const BACKOFF_MS = { first: 100, longest: 1_000 }
/**
 * Interval of checks that detect a session whose other end vanished. They run before the server ends a silent session,
 * and with it the lock by which others see this node as alive.
 */
const CHECK_EVERY_MS = 3_000
const CHECK_ANSWER_MS = 5_000
const CLOSE_MS = 1_000

/** The sessions by the connection settings that they were opened with. */
const sessions = new WeakMap<Connection, Session>()

/**
 * Listens for PostgreSQL notifications (LISTEN) on a connection that is opened again when it is lost. All listeners of
 * the same `connection` object share one session: PostgreSQL wakes every listening session of a database for every
 * notification, whatever its channel. The session reconnects when it is lost, and ends with its last listener.
 */
export function listen(connection: Connection, options: ListenOptions): Listener {
  const session = sessions.get(connection) ?? openSession(connection)
  sessions.set(connection, session)
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>()
  const member: Member = { ...options, sinceMs: null, isNew: true, setReady }
  session.add(member)
  return {
    ready,
    listeningSinceMs: () => member.sinceMs,
    async close() {
      if (session.remove(member) > 0) return
      if (sessions.get(connection) === session) sessions.delete(connection)
      await session.close()
    },
  }
}

type Member = ListenOptions & {
  sinceMs: number | null
  /** True until it listens for the first time. */
  isNew: boolean
  setReady(): void
}

type Session = {
  add(member: Member): void
  /** Removes a listener. Returns how many are left. */
  remove(member: Member): number
  close(): Promise<void>
}

/**
 * Opens a session. The delay between attempts grows from 0.1 s to 1 s, with jitter so that nodes do not reconnect
 * together.
 */
function openSession(connection: Connection): Session {
  const closing = new AbortController()
  const members = new Set<Member>()
  let client: pg.Client | undefined
  /** Lets the members that do not listen yet begin; undefined without a session. */
  let admit: (() => void) | undefined
  const ended = keepOpen()

  return {
    add(member) {
      members.add(member)
      admit?.()
    },
    remove(member) {
      members.delete(member)
      member.sinceMs = null
      return members.size
    },
    async close() {
      closing.abort()
      if (client) await end(client)
      await ended
    },
  }

  async function keepOpen(): Promise<void> {
    let isLost = false
    let waitMs = BACKOFF_MS.first
    while (!closing.signal.aborted) {
      try {
        await listenUntilLost(() => {
          waitMs = BACKOFF_MS.first
          isLost = false
        })
      } catch (error) {
        if (!closing.signal.aborted)
          for (const member of members) member.onError?.(error as Error, !isLost)
        isLost = true
      }
      const jittered = waitMs * (0.5 + Math.random() / 2)
      waitMs = Math.min(waitMs * 2, BACKOFF_MS.longest)
      await pause(jittered, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  /** Resolves when it was closed; rejects with the reason when the session is lost. */
  async function listenUntilLost(onListening: () => void): Promise<void> {
    const current = new pg.Client({
      ...connectionConfig(connection),
      query_timeout: CHECK_ANSWER_MS,
    })
    client = current
    const { promise: lost, resolve, reject } = Promise.withResolvers<void>()
    // The awaiting code may not have started to await yet.
    lost.catch(() => {})
    current.on('error', reject)
    current.on('end', resolve)
    current.on('notification', ({ channel, payload }) => {
      for (const member of members) {
        if (member.channels.includes(channel)) member.onNotification(channel, payload ?? '')
      }
    })
    try {
      // The driver never settles the promise of a connection that is closed while it connects.
      const connected = current.connect().then(() => true)
      if (!(await Promise.race([connected, lost.then(() => false)]))) return
      await applySessionSettings(current)
      let admitted = beginWaiting(current, members)
      admit = () => {
        admitted = admitted.then(() => beginWaiting(current, members))
        admitted.catch(reject)
      }
      await admitted
      onListening()
      const check = setInterval(() => {
        current.query('select 1').catch(reject)
      }, CHECK_EVERY_MS)
      await lost.finally(() => clearInterval(check))
    } finally {
      admit = undefined
      for (const member of members) member.sinceMs = null
      await end(current)
    }
  }
}

/** Subscribes the members that do not listen yet to their channels, and notifies them. */
async function beginWaiting(current: pg.Client, members: ReadonlySet<Member>): Promise<void> {
  const waiting = [...members].filter(({ sinceMs }) => sinceMs === null)
  if (waiting.length === 0) return
  for (const { onConnected } of waiting) await onConnected?.(current)
  const channels = new Set(waiting.flatMap((member) => member.channels))
  const names = [...channels].map((channel) => `listen ${pg.escapeIdentifier(channel)}`)
  await current.query(names.join(';'))
  for (const member of waiting.filter((one) => members.has(one))) {
    member.sinceMs = performance.now()
    if (member.isNew) member.setReady()
    else member.onReconnected()
    member.isNew = false
  }
}

/** Closes a connection, but waits only briefly for the server, which may have vanished. */
async function end(client: pg.Client): Promise<void> {
  await Promise.race([client.end(), pause(CLOSE_MS, undefined, { ref: false })])
}
