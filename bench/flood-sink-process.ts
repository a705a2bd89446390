/**
 * The cheapest server there could be: it answers the first bytes of a connection with 503 and closes it.
 * What a flood against it takes from everybody else on the machine is the flood's own cost, not ours.
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
