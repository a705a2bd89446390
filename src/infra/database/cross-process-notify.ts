import type pg from 'pg'
import type { Logger } from 'pino'
import { acquireNodeLock } from './node-locks.sql.ts'
import type { QueueName } from './after-commit.ts'
import type { Connection } from './connect.ts'
import { listen, type Listener } from './listen.ts'

const CHANNEL = 'wasla_work'
/** However much work arrives, the other processes are told this often at most. */
const TELL_EVERY_MS = 10

/**
 * Tells processes with a daemon that a process without one has taken in work, and which. Only a hint: what is
 * due is found by the safety poll as well, so a signal that is lost costs seconds, not work. Who hears
 * holds, in the same session, the lock that says that this node lives.
 */
export function createCrossProcessNotify(pool: pg.Pool, log: Logger) {
  const untold = new Set<QueueName | ''>()
  let timer: NodeJS.Timeout | null = null
  let listener: Listener | null = null
  let isLost = false

  function tellNow() {
    timer = setTimeout(() => {
      timer = null
      if (untold.size > 0) tellNow()
    }, TELL_EVERY_MS)
    const names = untold.has('') ? '' : [...untold].join(' ')
    untold.clear()
    pool.query('select pg_notify($1, $2)', [CHANNEL, names]).catch((error: unknown) => {
      log.debug({ err: error }, 'other processes could not be told of work')
    })
  }

  return {
    /** Whatever work there may be, where none is named. */
    tell(works?: ReadonlySet<QueueName>) {
      for (const work of works ?? ['' as const]) untold.add(work)
      if (timer === null) tellNow()
    },
    /** @param onWork is told the names of the work; none where it may be any. */
    hear(
      connection: Connection,
      { node, onWork }: { node: string; onWork: (works: readonly string[]) => void },
    ) {
      listener = listen({
        ...connection,
        channels: [CHANNEL],
        onConnected: (session) => acquireNodeLock(session, node),
        onNotification: (_channel, names) => onWork(names === '' ? [] : names.split(' ')),
        onReconnected() {
          isLost = false
          onWork([])
        },
        // Once, however long the database stays away.
        onError(error) {
          log[isLost ? 'debug' : 'warn']({ err: error }, 'signals of other processes are not heard')
          isLost = true
        },
      })
      void listener.ready.then(() => onWork([]))
    },
    /** Since when others see this node live, by `performance.now()`; null while they do not. */
    presentSinceMs: () => listener?.listeningSinceMs() ?? null,
    async close() {
      if (timer) clearTimeout(timer)
      await listener?.close()
    },
  }
}
