import type pg from 'pg'

/**
 * Does work on one connection of the pool until the signal aborts; then the connection is cut at
 * once, so that a silent database holds up nobody and nothing of the work is committed.
 *
 * @param work is given the connection and `keep`, to be called before a statement that must not be
 *   cut off, such as a commit: from there on its outcome is waited for.
 * @throws what the work throws; when cut, the signal's reason or what the driver says of the end.
 */
export async function withConnection<T>(
  pool: pg.Pool,
  signal: AbortSignal,
  work: (client: pg.PoolClient, keep: () => void) => Promise<T>,
): Promise<T> {
  const client = await connect(pool, signal)
  // The driver ends a connection that waits for an answer without waiting on.
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
    // A connection in an unknown state is not used again.
    client.release(!isFit || signal.aborted)
  }
}

/** Waits for what goes over another connection until the signal aborts. @throws its reason then. */
export function waitUnlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/** A connection that comes too late goes back to the pool. */
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
