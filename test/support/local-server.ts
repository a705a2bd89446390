/** Servers of tests on a free port of loopback, until they are closed. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * Returns a listener that answers a request once its whole body has arrived; a request that is cut off gets no
 * answer.
 */
export const withBody =
  (answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => unknown) =>
  (request: IncomingMessage, response: ServerResponse) =>
    void buffer(request).then(
      (body) => answer(request, response, body),
      () => {},
    )

/** Lets a server listen. Returns its port, and what cuts all its connections or closes it with them. */
export async function listenLocally(server: Server, port = 0) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    cut,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      cut()
      await closed
    },
  }
}

/** Starts a server that answers each request with its whole body. Returns its origin. */
export async function serveLocally(answer: Parameters<typeof withBody>[0], atPort = 0) {
  const { port, close } = await listenLocally(createServer(withBody(answer)), atPort)
  return { url: `http://127.0.0.1:${port}`, close }
}
