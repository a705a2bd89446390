import type pg from 'pg'

/**
 * Runs `work` on one connection of the pool. When the signal aborts, the connection is ended immediately, so that an
 * unresponsive database blocks no caller and nothing is committed.
 *
 * @param work receives the connection and `keep`, to be called before a statement that must not be interrupted, such
 * as a commit: its outcome is awaited.
 * @throws what `work` throws; after an abort, the signal's reason or the driver's error.
 */
export async function withConnection<T>(
  pool: pg.Pool,
  signal: AbortSignal,
  work: (client: pg.PoolClient, keep: () => void) => Promise<T>,
): Promise<T> {
  const client = await connect(pool, signal)
  // `end` closes the connection without waiting for the response to a running query.
  const cut = () => void client.end()
  signal.addEventListener('abort', cut, { once: true })
  const keep = () => {
    signal.throwIfAborted()
    signal.removeEventListener('abort', cut)
  }
  let isFit = false
  try {
    const result = await work(client, keep)
    isFit = true
    return result
  } finally {
    signal.removeEventListener('abort', cut)
    // A connection in an unknown state is not reused.
    client.release(!isFit || signal.aborted)
  }
}

/** Awaits `work`, which uses another connection, until the signal aborts. @throws the signal's reason */
export function waitUnlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/** Takes a connection from the pool; one that arrives after the abort is returned to it. */
function connect(pool: pg.Pool, signal: AbortSignal): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const giveUp = () => reject(signal.reason as Error)
    signal.addEventListener('abort', giveUp, { once: true })
    pool.connect().then((client) => {
      signal.removeEventListener('abort', giveUp)
      if (signal.aborted) client.release()
      else resolve(client)
    }, reject)
  })
}
