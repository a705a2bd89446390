import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { explainListenFault } from '../listen-fault.ts'

/** A request under way may take this long to end once the service stops. */
const STOP_REQUESTS_MS = 5_000

/** @returns the port that it listens on. @throws a sentence that names the setting to change */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(explainListenFault(error, { host, port }))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** Takes no more requests, and resolves when those under way have ended. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), STOP_REQUESTS_MS)
  await closed
  clearTimeout(timer)
}
