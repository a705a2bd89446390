/**
 * The merchants of `deliveries.ts`: one server that answers every POST immediately, and one that never answers. On
 * any message it sends the time of each receipt.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const MESSAGE = /"message":"(\d+)"/
let received: [message: number, at: number][] = []
const identity = {
  key: readFileSync(process.env.KEY_FILE!),
  cert: readFileSync(process.env.CERT_FILE!),
}
const answering = createServer(identity, (request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now()
    response.writeHead(204).end()
    const message = MESSAGE.exec(Buffer.concat(parts).toString('latin1'))
    received.push([Number(message?.[1] ?? -1), at])
  })
})
answering.keepAliveTimeout = 30_000
const hanging = createServer(identity, (request) => request.resume())
const ports = await Promise.all(
  [answering, hanging].map(async (server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }),
)
process.send!(ports)
process.on('message', () => {
  process.send!(received)
  received = []
})
process.on('disconnect', () => process.exit(0))
