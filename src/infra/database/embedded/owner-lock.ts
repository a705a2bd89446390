import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { isAlive, serverClient } from './running-postmaster.ts'

/** The lock of the only service that may use the data folder. It ends with its connection, and so with the process. */
export type OwnerLock = {
  /** Sets the listener that runs once when the connection is lost. */
  onLost(listener: () => void): void
  release(): Promise<void>
}

const LOCK_KEY = 7_310_000
const NAME_PREFIX = 'wasla owner '
const POLL_MS = 50
/** The server needs a moment to notice that a killed service's connection has ended. */
const GRACE_DEAD_MS = 5_000
const GRACE_ALIVE_MS = 1_000

/**
 * Takes the lock by which only one service uses a data folder.
 * @throws with the pid of another running service that holds it
 */
export async function takeOwnerLock(socketFolder: string, dataFolder: string): Promise<OwnerLock> {
  const client = serverClient(socketFolder, 'postgres', `${NAME_PREFIX}${process.pid}`)
  await client.connect()
  try {
    await waitForLock(client, dataFolder)
  } catch (error) {
    await client.end()
    throw error
  }
  return { onLost: (listener) => void client.once('end', listener), release: () => client.end() }
}

async function waitForLock(client: pg.Client, dataFolder: string): Promise<void> {
  const begin = performance.now()
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [LOCK_KEY],
    )
    if (rows[0]?.taken) return
    const holder = await findHolder(client)
    const waited = performance.now() - begin
    if (waited > (holder && isAlive(holder) ? GRACE_ALIVE_MS : GRACE_DEAD_MS)) {
      throw new Error(
        `Another Wasla (pid ${holder ?? 'unknown'}) is using ${dataFolder}; stop it first, ` +
          'or give this one a data folder of its own with DATA_FOLDER',
      )
    }
    await pause(POLL_MS)
  }
}

async function findHolder(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
      where locktype = 'advisory' and granted and objid = $1 and classid = 0`,
    [LOCK_KEY],
  )
  return Number.parseInt(rows[0]?.name.slice(NAME_PREFIX.length) ?? '', 10) || undefined
}
