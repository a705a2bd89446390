import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { acquireNodeLock, listNodes } from './node-locks.sql.ts'
import type { QueueName } from './after-commit.ts'
import type { Connection, Database } from './connect.ts'
import { listen, type Listener } from './listen.ts'

const CHANNEL = 'wasla_work'
/** Minimum interval between two notifications of one process, however much work it commits. */
const NOTIFY_EVERY_MS = 10
/** Time for which the list of live nodes is cached. */
const NODES_KNOWN_MS = 1_000
/** Delay after which the other nodes look for the same work: the chosen node may be busy, or dead. */
const OTHERS_LOOK_AFTER_MS = 500

/**
 * Creates the notifications by which a process without workers reports committed work, by queue, to the processes with
 * workers. Each notification names one node, which looks for work immediately; the others look a little later, once for
 * all notifications of that time. Otherwise every node would query the database for every commit of every process. A
 * notification is only a hint: polls find due work as well, so a lost notification costs seconds, not work. The session
 * that listens also holds the lock that shows this node as alive.
 */
export function createCrossProcessNotify(db: Database, log: Logger) {
  const unsent = new Set<QueueName | ''>()
  const closing = new AbortController()
  let isSending = false
  let listener: Listener | null = null
  let isLost = false
  let nodes: readonly string[] = []
  let nodesReadAtMs = -Infinity
  let sent = 0

  /** Sends one notification after the other, so that what arrives meanwhile goes with the next. */
  async function sendAll() {
    isSending = true
    while (unsent.size > 0 && !closing.signal.aborted) {
      const names = unsent.has('') ? [] : [...unsent]
      unsent.clear()
      const interval = pause(NOTIFY_EVERY_MS, undefined, { signal: closing.signal }).catch(() => {})
      await send(names).catch((error: unknown) => {
        log.debug({ err: error }, 'other processes could not be notified of work')
      })
      await interval
    }
    isSending = false
  }

  async function send(names: readonly string[]) {
    if (performance.now() - nodesReadAtMs > NODES_KNOWN_MS) {
      nodesReadAtMs = performance.now()
      nodes = await listNodes(db.kysely)
    }
    sent += 1
    const chosen = nodes.length > 0 ? [nodes[sent % nodes.length]!] : []
    // A hint need not be on disk, and notifications of all processes commit one after the other.
    await db.pool.query(`select pg_notify($1, $2), set_config('synchronous_commit', 'off', true)`, [
      CHANNEL,
      [...chosen, ...names].join(' '),
    ])
  }

  const later = createLater(OTHERS_LOOK_AFTER_MS)

  return {
    /** Notifies the other processes of work in these queues; without an argument, in any queue. */
    notify(works?: ReadonlySet<QueueName>) {
      for (const work of works ?? ['' as const]) unsent.add(work)
      if (!isSending) void sendAll()
    },
    /** Begins to listen. `onWork` receives the queues with work; an empty list means any queue. */
    listen(
      connection: Connection,
      { node, onWork }: { node: string; onWork: (works: readonly string[]) => void },
    ) {
      listener = listen(connection, {
        channels: [CHANNEL],
        onConnected: (session) => acquireNodeLock(session, node),
        onNotification(_channel, payload) {
          const [chosen, works] = parse(payload)
          if (chosen === null || chosen === node) onWork(works)
          else later.add(works, onWork)
        },
        onReconnected() {
          isLost = false
          onWork([])
        },
        // Logged once per outage.
        onError(error) {
          const level = isLost ? 'debug' : 'warn'
          log[level]({ err: error }, 'listening for work of other processes failed: reconnecting')
          isLost = true
        },
      })
      void listener.ready.then(() => onWork([]))
    },
    /** Returns the time since which others see this node as alive, by `performance.now()`; null while they do not. */
    presentSinceMs: () => listener?.listeningSinceMs() ?? null,
    async close() {
      closing.abort()
      later.cancel()
      await listener?.close()
    },
  }
}

/**
 * Parses a payload: the node that looks immediately, null for all nodes, and the queues with work. No queue means any
 * queue.
 */
function parse(payload: string): [chosen: string | null, works: string[]] {
  const words = payload === '' ? [] : payload.split(' ')
  const isChosen = /^[0-9a-f]{8}$/.test(words[0] ?? '')
  return isChosen ? [words[0]!, words.slice(1)] : [null, words]
}

/** Creates a collector of queues, which passes them on together `afterMs` after the first of them. */
function createLater(afterMs: number) {
  const collected = new Set<string>()
  let isAny = false
  let timer: NodeJS.Timeout | null = null
  return {
    add(works: readonly string[], pass: (works: readonly string[]) => void) {
      if (works.length === 0) isAny = true
      for (const work of works) collected.add(work)
      timer ??= setTimeout(() => {
        timer = null
        const all = isAny ? [] : [...collected]
        isAny = false
        collected.clear()
        pass(all)
      }, afterMs)
    },
    cancel() {
      if (timer) clearTimeout(timer)
    },
  }
}
