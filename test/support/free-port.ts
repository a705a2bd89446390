import { once } from 'node:events'
import { createServer } from 'node:net'
import { randomInt } from 'node:crypto'

/** Below the ports that Linux and macOS give to connections that are made. */
const PLACE = { from: 20_000, to: 30_000 }
/** Each worker of a run has separate ports, so that no two tests are given the same one. */
const SHARES = 10
const SHARE = (PLACE.to - PLACE.from) / SHARES
const from = PLACE.from + (Number(process.env.VITEST_POOL_ID ?? 0) % SHARES) * SHARE
let next = randomInt(SHARE)

/**
 * Returns a port on which no program listens, each time another one: for a service that is ended and started again, and
 * for a server that is not there. The system gives none of these ports away. One that it does may become the local port
 * of a connection, or the port of another test's server, as soon as its server has ended.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < SHARE; tries += 1) {
    next = (next + 1) % SHARE
    const port = from + next
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
  throw new Error(`no port from ${from} to ${from + SHARE} is free`)
}
