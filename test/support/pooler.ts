/** A pooler in front of the test server, which gives out few sessions of it as PgBouncer does. */
import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Connection } from '../../src/infra/database/connect.ts'
import { addressOf, atPort } from './database-proxy.ts'
import { listenLocally } from './local-server.ts'

type Message = { type: string; bytes: Buffer }

/** Calls back with each whole message of the protocol. The first of a client has no type. */
export function readMessages(
  socket: Socket,
  isClient: boolean,
  onMessage: (message: Message) => void,
): void {
  let rest = Buffer.alloc(0)
  let isFirst = isClient
  socket.on('error', () => {})
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const typeBytes = isFirst ? 0 : 1
      if (rest.length < typeBytes + 4) return
      const length = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < length) return
      const bytes = rest.subarray(0, length)
      rest = rest.subarray(length)
      const type = isFirst ? 'startup' : String.fromCharCode(bytes[0]!)
      isFirst = false
      onMessage({ type, bytes })
    }
  })
}

const IS_READY = Buffer.from('Z\0\0\0\x05I', 'latin1')
const AUTHENTICATED = Buffer.from('R\0\0\0\x08\0\0\0\0', 'latin1')

/** Listens until the test ends. Returns how it is connected to. */
export async function startPooler(
  to: Connection,
  pooling: 'transaction' | 'session',
): Promise<Connection> {
  type Server = { socket: Socket; client: Socket | null }
  const free: Server[] = []
  const sockets = new Set<Socket>()

  async function openServer(startup: Buffer): Promise<Server> {
    const socket = connect(addressOf(to))
    sockets.add(socket)
    const server: Server = { socket, client: null }
    const ready = Promise.withResolvers<void>()
    let isUp = false
    readMessages(socket, false, ({ type, bytes }) => {
      if (!isUp) {
        isUp = type === 'Z'
        if (isUp) ready.resolve()
        return
      }
      server.client?.write(bytes)
      const isIdle = type === 'Z' && bytes[5] === IS_READY[5]
      if (isIdle && pooling === 'transaction' && server.client) {
        serverOf.delete(server.client)
        server.client = null
        free.push(server)
      }
    })
    socket.write(startup)
    await ready.promise
    return server
  }

  const serverOf = new Map<Socket, Promise<Server>>()
  const listener = createServer((client) => {
    let startup: Buffer
    client.once('close', () => {
      const server = serverOf.get(client)
      serverOf.delete(client)
      void server?.then(({ socket }) => socket.destroy())
    })
    readMessages(client, true, ({ type, bytes }) => {
      if (type === 'startup') {
        startup = bytes
        const key = Buffer.concat([Buffer.from('K\0\0\0\x0c', 'latin1'), randomBytes(8)])
        client.write(Buffer.concat([AUTHENTICATED, key, IS_READY]))
        return
      }
      if (type === 'X') return
      const given = serverOf.get(client) ?? Promise.resolve(free.pop() ?? openServer(startup))
      serverOf.set(client, given)
      void given.then((server) => {
        server.client = client
        server.socket.write(bytes)
      })
    })
  })
  const { port, close } = await listenLocally(listener)
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await close()
  })
  return atPort(to, port)
}
