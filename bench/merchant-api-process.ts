/** The merchant's API of `calls.ts`: answers `/slow` after 50 ms, and everything else immediately. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const SLOW_MS = 50
const ANSWER = JSON.stringify({ order: { number: '1043', status: 'shipped' } })

const server = createServer(
  { cert: process.env.CERTIFICATE, key: process.env.KEY },
  (request, response) => {
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER)
    request.resume()
    if (request.url?.endsWith('/slow')) setTimeout(answer, SLOW_MS)
    else answer()
  },
)
server.listen(0, '127.0.0.1', () => {
  console.log(`ready ${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))
