/** A PostgreSQL primary with a streaming standby, from the embedded programs, which a test stops, kills and promotes. */
import { readFileSync, rmSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { Connection } from '../../src/infra/database/connect.ts'
import { findBinaries } from '../../src/infra/database/embedded/binaries.ts'
import { startPostmaster } from '../../src/infra/database/embedded/postmaster.ts'
import {
  isAlive,
  SERVER_PORT,
  EMBEDDED_ROLE,
  serverClient,
} from '../../src/infra/database/embedded/running-postmaster.ts'
import { chooseServerUser } from '../../src/infra/database/embedded/server-user.ts'
import { giveCluster } from './made-cluster.ts'
import { quickFolder } from './quick-folder.ts'
import { waitUntil } from './wait.ts'

const DATABASE = 'wasla'
const STANDBY = 'standby'
/** Starts and ends on a machine that others keep busy. */
const WITHIN_MS = 60_000

export type Server = {
  connection: Connection
  /** SIGSTOP and SIGCONT of the server and all its sessions: it lives and does nothing. */
  pause(): void
  resume(): void
  kill(): Promise<void>
  /** Ends its sessions and stops, with everything sent to the standby. */
  stop(): Promise<void>
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
}

export type ReplicatedPostgres = {
  primary: Server
  standby: Server
  /** Sets `synchronous_standby_names` of the primary. */
  requireStandby(names: string): Promise<void>
  /** Returns the `sync_state` of each standby that is connected to the primary. */
  standbyStates(): Promise<string[]>
  /** Cuts the standby off: it receives nothing more of what the primary commits. */
  cutStandby(): Promise<void>
  /** Makes the standby the primary. Resolves when it accepts writes. */
  promote(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts both servers on copies of one cluster. With `isSynchronous` every commit waits for the standby.
 * @param cluster the folder of an initialized cluster that no server uses
 */
export async function startReplicatedPostgres(
  cluster: string,
  { isSynchronous }: { isSynchronous: boolean },
): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(path.join(quickFolder(), 'wasla-replicated-'))
  const user = await chooseServerUser([cluster])
  const binaries = await findBinaries(user, undefined)
  // The user of the servers passes through it to their sockets.
  await chmod(folder, 0o711)
  const servers: (Server & { pid: number })[] = []
  /** Ends the servers that an interrupted test has left. */
  const endImmediately = () => {
    for (const { pid } of servers) if (isAlive(pid)) process.kill(pid, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', endImmediately)

  async function start(name: string): Promise<Server & { host: string }> {
    const dataFolder = path.join(folder, name)
    const socketFolder = path.join(folder, `${name}-socket`)
    await mkdir(socketFolder, { mode: 0o700 })
    if (user.uid !== undefined) await chown(socketFolder, user.uid, user.gid)
    const { pid } = await startPostmaster({
      dataFolder,
      socketFolder,
      binaries,
      user,
      settings: {
        wal_level: 'replica',
        // A standby refuses fewer than the cluster was made with.
        max_connections: '100',
        max_wal_senders: '10',
        wal_keep_size: '512MB',
        hot_standby: 'on',
      },
    })
    const isOver = () =>
      waitUntil(`${name} ends`, () => !isAlive(pid), { withinMs: WITHIN_MS, everyMs: 20 })
    // Each session of a server is in a separate process group.
    const signal = (sent: NodeJS.Signals) => {
      for (const one of [pid, ...childrenOf(pid)]) if (isAlive(one)) process.kill(one, sent)
    }
    const server = {
      pid,
      host: socketFolder,
      connection: {
        host: socketFolder,
        port: SERVER_PORT,
        user: EMBEDDED_ROLE,
        database: DATABASE,
      },
      pause: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
      async kill() {
        signal('SIGKILL')
        await isOver()
      },
      async stop() {
        signal('SIGCONT')
        // The postmaster alone: its sessions end by its order.
        if (isAlive(pid)) process.kill(pid, 'SIGINT')
        await isOver()
      },
      async query<Row extends pg.QueryResultRow>(text: string) {
        const client = serverClient(socketFolder, DATABASE, 'test')
        await client.connect()
        try {
          return (await client.query<Row>(text)).rows
        } finally {
          await client.end()
        }
      },
    }
    servers.push(server)
    return server
  }

  await giveCluster(cluster, path.join(folder, 'first'))
  await giveCluster(cluster, path.join(folder, 'second'))
  await writeFile(path.join(folder, 'second/postgres/standby.signal'), '')
  const primary = await start('first')
  const maintenance = serverClient(primary.host, 'postgres', 'test')
  await maintenance.connect()
  await maintenance.query(`create database ${DATABASE}`)
  await maintenance.end()
  // A setting of the command line could not be changed any more.
  await appendFile(
    path.join(folder, 'second/postgres/postgresql.auto.conf'),
    `primary_conninfo = 'host=${primary.host} port=${SERVER_PORT} user=${EMBEDDED_ROLE} application_name=${STANDBY}'\n`,
  )
  const standby = await start('second')
  await waitUntil(
    'the standby streams',
    async () =>
      (await primary.query(`select from pg_stat_replication where state = 'streaming'`)).length ===
      1,
    { withinMs: WITHIN_MS, everyMs: 50 },
  )
  async function requireStandby(names: string) {
    await primary.query(`alter system set synchronous_standby_names = '${names}'`)
    await primary.query('select pg_reload_conf()')
  }
  if (isSynchronous) await requireStandby(STANDBY)
  return {
    primary,
    standby,
    requireStandby,
    async standbyStates() {
      const rows = await primary.query<{ sync_state: string }>(
        'select sync_state from pg_stat_replication',
      )
      return rows.map((row) => row.sync_state)
    },
    async cutStandby() {
      await standby.query(`alter system set primary_conninfo = ''`)
      await standby.query('select pg_reload_conf()')
    },
    async promote() {
      await standby.query('select pg_promote(true, 60)')
    },
    async close() {
      for (const server of servers) await server.stop()
      process.off('exit', endImmediately)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number)
  } catch {
    return []
  }
}
