/** A relay between clients and a server, which a test shuts and opens again. */
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { listenLocally } from './local-server.ts'

export async function startRelay(to: NetConnectOpts) {
  const pairs: [Socket, Socket][] = []
  let target = to
  let isShut = false
  let isHushed = false
  const server = createServer((near) => {
    if (isShut) return void near.destroy()
    // The connection is accepted and gets no response.
    if (isHushed) return void near.on('error', () => {}).resume()
    const far = connect(target)
    pairs.push([near, far])
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {}).once('close', () => other.destroy())
      one.pipe(other)
    }
  })
  const { port, cut, close } = await listenLocally(server)
  return {
    port,
    /** Ends every connection, and accepts none until it is opened. */
    shut() {
      isShut = true
      cut()
    },
    open() {
      isShut = false
      isHushed = false
    },
    /** Ends every connection, and leads the next ones to this server. */
    leadTo(other: NetConnectOpts) {
      target = other
      cut()
    },
    /** Passes nothing on any more, in either direction, as behind a cable that was pulled. `isForAll`: new ones too. */
    hush({ isForAll = false } = {}) {
      isHushed = isForAll
      for (const socket of pairs.flat()) socket.unpipe().resume()
    },
    close,
  }
}
