import { once } from 'node:events'
import { createServer } from 'node:net'
import { randomInt } from 'node:crypto'

/** Below the ports that Linux and macOS give to connections that are made. */
const PLACE = { from: 20_000, to: 30_000 }
/** Each worker of a run has ports of its own, so that no two tests are given the same one. */
const SHARES = 10
const SHARE = (PLACE.to - PLACE.from) / SHARES
const from = PLACE.from + (Number(process.env.VITEST_POOL_ID ?? 0) % SHARES) * SHARE
let next = randomInt(SHARE)

/**
 * Returns a port for a service that is ended and started again, each time another one. It must not be one of those
 * that the system gives away: while nobody listens there, a connection is made from it, even the one that looks for
 * the service, and the next start finds it taken.
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
