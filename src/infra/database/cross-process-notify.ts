import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { acquireNodeLock, listNodes } from './node-locks.sql.ts'
import type { QueueName } from './after-commit.ts'
import type { Connection, Database } from './connect.ts'
import { listen, type Listener } from './listen.ts'

const CHANNEL = 'wasla_work'
/** However much work arrives, a process notifies the others this often at most. */
const NOTIFY_EVERY_MS = 10
/** A process reads which nodes live this often at most. */
const NODES_KNOWN_MS = 1_000
/** The nodes that were not chosen look for the same work after so long: the chosen one may be busy, or dead. */
const OTHERS_LOOK_AFTER_MS = 500

/**
 * Notifies the processes with workers that a process without them has committed work, and into which queues. Each
 * notification names one node, which looks immediately; the others look a little later, together for all that they were
 * notified of. Otherwise every node would ask the database about every commit of every process. A notification is only a
 * hint: the poll finds what is due as well, so one that is lost costs seconds, not work. The session that listens also
 * holds the lock that says that this node lives.
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
    /** Notifies the others of work in these queues; in any where none is named. */
    notify(works?: ReadonlySet<QueueName>) {
      for (const work of works ?? ['' as const]) unsent.add(work)
      if (!isSending) void sendAll()
    },
    /** Listens. `onWork` is given the queues; none where it may be any. */
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
          log[isLost ? 'debug' : 'warn']({ err: error }, 'signals of other processes are not heard')
          isLost = true
        },
      })
      void listener.ready.then(() => onWork([]))
    },
    /** The time since which others see this node alive, by `performance.now()`; null while they do not. */
    presentSinceMs: () => listener?.listeningSinceMs() ?? null,
    async close() {
      closing.abort()
      later.cancel()
      await listener?.close()
    },
  }
}

/** Splits a payload into the node that is to look immediately, null where it is all, and the queues: none for any. */
function parse(payload: string): [chosen: string | null, works: string[]] {
  const words = payload === '' ? [] : payload.split(' ')
  const isChosen = /^[0-9a-f]{8}$/.test(words[0] ?? '')
  return isChosen ? [words[0]!, words.slice(1)] : [null, words]
}

/** Collects queues and passes them on together, so long after the first of them. */
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
