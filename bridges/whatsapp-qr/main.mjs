/**
 * Starts the bridge. `BRIDGE_SECRET` has 32 characters or more and equals Wasla's `WHATSAPP_QR_BRIDGE_SECRET`.
 * `BRIDGE_LISTEN` is `127.0.0.1:4190` by default, or `unix:/path/of/a/socket`.
 */
import { lstatSync, rmSync } from 'node:fs'
import { codec, connect } from './baileys.mjs'
import { readListen } from './read-listen.mjs'
import { createBridge } from './server.mjs'

/** Wasla polls continuously, so it fetches the rest within a moment. */
const GIVE_MS = 5_000

const secret = process.env.BRIDGE_SECRET ?? ''
const listen = readListen(process.env.BRIDGE_LISTEN ?? '127.0.0.1:4190')
if (secret.length < 32 || listen === null) {
  process.stderr.write(
    'Set BRIDGE_SECRET to 32 characters or more, and BRIDGE_LISTEN to an address of this machine alone: 127.0.0.1:4190 or unix:/path\n',
  )
  process.exit(1)
}

const bridge = createBridge({
  secret,
  name: 'Wasla bridge with Baileys 7.0.0-rc14',
  codec,
  connect,
})
// Baileys leaves promises without a handler: a connection that closes in the meantime would end the process, and with
// it all numbers.
process.on('unhandledRejection', (error) => {
  process.stderr.write(`Unhandled rejection: ${error?.stack ?? error}\n`)
})
// A bridge that was killed leaves its socket. Any other file at this path stays, and the bridge does not start.
if (listen.path && lstatSync(listen.path, { throwIfNoEntry: false })?.isSocket()) {
  rmSync(listen.path)
}
// This call creates the socket with the permissions of the mask, so that no other user can open it at any moment.
const mask = process.umask(0o177)
bridge.server.listen(listen, () => {
  process.stdout.write(`The bridge listens on ${listen.path ?? `${listen.host}:${listen.port}`}\n`)
})
process.umask(mask)
// Under npm one Ctrl-C arrives twice: from the terminal, and forwarded. Either way Wasla gets the time to fetch the
// rest.
let stopping = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopping ??= bridge.close(GIVE_MS).then(() => process.exit(0))
  })
}
