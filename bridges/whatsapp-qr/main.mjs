/**
 * Starts the bridge. BRIDGE_SECRET: 32 characters or more, the same as WHATSAPP_QR_BRIDGE_SECRET of Wasla.
 * BRIDGE_LISTEN: 127.0.0.1:4190 (that unless set), or unix:/path/of/a/socket.
 */
import { rmSync } from 'node:fs'
import { codec, connect } from './baileys.mjs'
import { readListen } from './read-listen.mjs'
import { createBridge } from './server.mjs'

/** Wasla asks all the time: it takes what it does not have within a moment. */
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
if (listen.path) rmSync(listen.path, { force: true })
// A socket is made by this call, with the rights that the mask leaves: at no moment may others open it.
const mask = process.umask(0o177)
bridge.server.listen(listen, () => {
  process.stdout.write(`The bridge listens on ${listen.path ?? `${listen.host}:${listen.port}`}\n`)
})
process.umask(mask)
// Under npm one Ctrl-C comes twice, from the terminal and handed on; what is left to be given has its time either way.
let stopping = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopping ??= bridge.close(GIVE_MS).then(() => process.exit(0))
  })
}
