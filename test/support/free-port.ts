import { once } from 'node:events'
import { createServer } from 'node:net'
import { randomInt } from 'node:crypto'

/** Below the ports that Linux and macOS give to connections that are made. */
const PLACE = { from: 20_000, to: 30_000 }

/**
 * A port for a service that is ended and started again. It must not be one of those that the system gives
 * away: while nobody listens there, a connection is made from it, even the one that looks for the service,
 * and the next start finds it taken.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(PLACE.from, PLACE.to)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error(`no port from ${PLACE.from} to ${PLACE.to} is free`)
}
