import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { explainListenFault } from '../infra/listen-errors.ts'
import type { Draining } from './draining.ts'

/**
 * Maximum time that requests and other work in progress have to finish once the service stops, in ms.
 * @internal
 */
export const STOP_REQUESTS_MS = 30_000
/**
 * Time in ms that a connection without a request has to send one once the service stops. Node counts a connection as
 * idle only after its first response, and stops checking for slow headers when a server closes.
 */
const STOP_UNUSED_MS = 1_000
/**
 * Connections that the kernel keeps until the process accepts them. Node's own 511 are full when some hundred clients
 * connect together; the kernel then drops the others, which try again only after a second. The kernel lowers the number
 * to its `somaxconn` where that is smaller.
 */
const BACKLOG = 4_096
/**
 * The interval in ms at which connections are checked after the stop began, and closed while they have no request.
 */
const IDLE_CHECK_MS = 50

/**
 * Makes a server listen on a port and host.
 * @returns the port that it listens on. @throws a sentence that names the setting to change
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(explainListenFault(error, { host, port }))
    })
    server.listen(port, host, BACKLOG, () => resolve((server.address() as AddressInfo).port))
  })
}

/**
 * Checks that a port is free by listening on it for a moment.
 * @throws what `listen` would, before anything else was begun
 */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const server = createServer()
  await listen(server, port, host)
  await new Promise((resolve) => server.close(resolve))
}

/**
 * Stops accepting connections, waits for requests in progress, and closes the HTTP server. Connections end with their
 * next responses. New requests are refused after the delay, in which proxies notice that the service stops. Resolves
 * when all requests and other work in progress have ended; those that take longer than `STOP_REQUESTS_MS` are cut off.
 */
export async function closeServer(
  server: Server,
  { draining, delayMs }: { draining: Draining; delayMs: number },
): Promise<void> {
  if (!server.listening) return
  draining.begin()
  if (delayMs > 0) await pause(delayMs)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const unused = setTimeout(() => draining.closeUnused(), STOP_UNUSED_MS)
  const over = Promise.withResolvers<void>()
  const all = setTimeout(() => {
    server.closeAllConnections()
    over.resolve()
  }, STOP_REQUESTS_MS)
  await closed
  clearInterval(idle)
  clearTimeout(unused)
  await Promise.race([draining.idle(), over.promise])
  clearTimeout(all)
}
