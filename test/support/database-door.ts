/** A door before a PostgreSQL server that a test closes: who is connected is cut off, nobody gets in. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import type { Connection } from '../../src/infra/database/connect.ts'

export type DatabaseDoor = {
  /** The same database through the door. */
  connection: Connection
  shut(): void
  open(): void
  /** Connections stay open and carry nothing more, as behind a cable that was pulled. `isForAll`: new ones too. */
  hush(options?: { isForAll?: boolean }): void
  /** Cuts every connection, and leads new ones to this server. */
  leadTo(server: Connection): void
  close(): Promise<void>
}

export async function createDatabaseDoor(behind: Connection): Promise<DatabaseDoor> {
  const sockets = new Set<Socket>()
  let isShut = false
  let isHushed = false
  const url = behind.connectionString === undefined ? null : new URL(behind.connectionString)
  let target = addressOf(behind)
  const server = createServer((inner) => {
    if (isShut) {
      inner.destroy()
      return
    }
    if (isHushed) {
      sockets.add(inner)
      inner.on('error', () => undefined).once('close', () => sockets.delete(inner))
      inner.resume()
      return
    }
    const outer = connect(target)
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  if (url) {
    url.hostname = own.host
    url.port = String(own.port)
  }
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    connection: url ? { connectionString: url.href } : { ...behind, ...own },
    shut() {
      isShut = true
      cutAll()
    },
    open() {
      isShut = false
      isHushed = false
    },
    hush({ isForAll = false } = {}) {
      isHushed = isForAll
      for (const socket of sockets) {
        socket.unpipe()
        socket.resume()
      }
    },
    leadTo(other) {
      target = addressOf(other)
      cutAll()
    },
    close: () =>
      new Promise((resolve) => {
        cutAll()
        server.close(() => resolve())
      }),
  }
}

function addressOf({ connectionString, host = '', port = 5432 }: Connection) {
  if (connectionString !== undefined) {
    const url = new URL(connectionString)
    return { host: url.hostname, port: Number(url.port || 5432) }
  }
  return host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port }
}
