/** A door before a PostgreSQL server that a test closes: who is connected is cut off, nobody gets in. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import type { Connection } from '../../src/infra/database/connect.ts'

export type DatabaseDoor = {
  /** The same database through the door. */
  connection: Connection
  shut(): void
  open(): void
  /** Who is connected hears nothing more and is told nothing, as behind a cable that was pulled. */
  hush(): void
  close(): Promise<void>
}

export async function createDatabaseDoor(behind: Connection): Promise<DatabaseDoor> {
  const sockets = new Set<Socket>()
  let isShut = false
  const url = behind.connectionString === undefined ? null : new URL(behind.connectionString)
  const { host = '', port = 5432 } = behind
  const target = url
    ? { host: url.hostname, port: Number(url.port || 5432) }
    : host.startsWith('/')
      ? { path: path.join(host, `.s.PGSQL.${port}`) }
      : { host, port }
  const server = createServer((inner) => {
    if (isShut) {
      inner.destroy()
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
  return {
    connection: url ? { connectionString: url.href } : { ...behind, ...own },
    shut() {
      isShut = true
      for (const socket of sockets) socket.destroy()
    },
    open() {
      isShut = false
    },
    hush() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.resume()
      }
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
