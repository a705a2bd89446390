/** A proxy in front of a PostgreSQL server that a test can close: it cuts open connections and refuses new ones. */
import type { NetConnectOpts } from 'node:net'
import path from 'node:path'
import type { Connection } from '../../src/infra/database/connect.ts'
import { startRelay } from './relay.ts'

/** Returns the address at which the server of a database listens: a port or a Unix socket. */
export function addressOf({
  connectionString,
  host = '',
  port = 5432,
}: Connection): NetConnectOpts {
  if (connectionString !== undefined) {
    const { hostname, port: ownPort, searchParams } = new URL(connectionString)
    return addressOf({
      host: searchParams.get('host') ?? hostname,
      port: Number(searchParams.get('port') ?? (ownPort || 5432)),
    })
  }
  return host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port }
}

/** Returns a connection to the same database through a port of this machine. */
export function atPort(behind: Connection, port: number): Connection {
  const own = { host: '127.0.0.1', port }
  if (behind.connectionString === undefined) return { ...behind, ...own }
  const url = Object.assign(new URL(behind.connectionString), { hostname: own.host, port })
  for (const name of ['host', 'port']) url.searchParams.delete(name)
  return { connectionString: url.href }
}

export async function createDatabaseProxy(behind: Connection) {
  const relay = await startRelay(addressOf(behind))
  return {
    ...relay,
    connection: atPort(behind, relay.port),
    leadTo: (server: Connection) => relay.leadTo(addressOf(server)),
  }
}

export type DatabaseProxy = Awaited<ReturnType<typeof createDatabaseProxy>>
