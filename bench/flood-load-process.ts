/**
 * The flood of `flood.ts`, in a separate process: unauthenticated clients that post to the provider's webhook, each
 * from another address, with an invalid signature. Some name an account with a thousand channels, some an unknown
 * one, some send JSON that is hard to parse; others never send their last byte.
 *
 * Input by the environment; ends after `SECONDS` and prints the responses by status, and its own share of a
 * processor.
 */
import { connect } from 'node:net'
import { constants, setPriority } from 'node:os'

const { ORIGIN = '', ACCOUNT = '' } = process.env
const SECONDS = Number(process.env.SECONDS)
const CONNECTIONS = Number(process.env.CONNECTIONS)
const UNFINISHED = Number(process.env.UNFINISHED)
const BYTES = Number(process.env.BYTES)
const port = Number(new URL(ORIGIN).port)
const until = performance.now() + SECONDS * 1_000

const fill = (start: string, piece: string) =>
  Buffer.from(start + piece.repeat(Math.ceil(BYTES / piece.length))).subarray(0, BYTES)
const named = `{"object":"whatsapp_business_account","entry":[{"id":"${ACCOUNT}","changes":[`
const BODIES = [
  fill(`${named}"`, 'x'),
  fill(`{"object":"whatsapp_business_account","entry":[{"id":"nobody"}],"x":"`, 'x'),
  fill(named, '[],'),
  fill('', '['),
  fill('{', '"a":1,'),
]

// The clients' processors are not the service's: here they get the rest.
setPriority(constants.priority.PRIORITY_LOW)

let serial = 0
let begun = 0
const statuses: Record<string, number> = {}

function head(): string {
  serial += 1
  const from = `198.${18 + ((serial >> 16) & 1)}.${(serial >> 8) & 255}.${serial & 255}`
  return `POST /webhooks/whatsapp HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\nx-hub-signature-256: sha256=${'0'.repeat(64)}\r\ncontent-length: ${BYTES}\r\n\r\n`
}

/** Sends one request after another over one slot: the next one after a response or a closed connection. */
function flood(isFinished: boolean) {
  if (performance.now() >= until) return
  const socket = connect(port, '127.0.0.1')
  const body = BODIES[(begun += 1) % BODIES.length]!
  socket.on('connect', () => {
    socket.write(head())
    socket.write(isFinished ? body : body.subarray(0, -1))
  })
  socket.on('data', (part) => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(part.toString('latin1'))?.[1]
    if (status) statuses[status] = (statuses[status] ?? 0) + 1
    socket.destroy()
  })
  socket.on('error', () => {})
  socket.on('close', () => setImmediate(() => flood(isFinished)))
}

for (let index = 0; index < CONNECTIONS; index += 1) flood(true)
for (let index = 0; index < UNFINISHED; index += 1) flood(false)
setTimeout(() => {
  const { user, system } = process.cpuUsage()
  console.log(JSON.stringify({ statuses, share: (user + system) / 1e6 / SECONDS }))
  process.exit(0)
}, SECONDS * 1_000)
