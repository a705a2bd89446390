/** A load balancer in front of several processes of the service. */
import { createServer, request as ask } from 'node:http'
import { listenLocally } from './local-server.ts'

/** Starts a server that gives each request to the next of these ports. A process that is dead answers no client. */
export function startBalancer(ports: readonly number[]) {
  let turn = 0
  const server = createServer((request, response) => {
    turn += 1
    const { method, headers } = request
    const node = `http://127.0.0.1:${ports[turn % ports.length]!}`
    const on = ask(node + request.url!, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.on('error', () => response.destroy()).pipe(response)
    })
    on.on('error', () => response.destroy())
    request.pipe(on)
  })
  return listenLocally(server)
}
