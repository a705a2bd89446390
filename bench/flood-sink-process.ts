/**
 * The cheapest possible server: it answers the first bytes of a connection with 503 and closes it. The effect of a
 * flood against it on the machine is the flood's cost, not the service's.
 */
import { createServer } from 'node:net'

const ANSWER = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'

const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => socket.end(ANSWER, () => socket.destroy()))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') console.log(`ready ${address.port}`)
})
