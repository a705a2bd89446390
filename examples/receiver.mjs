#!/usr/bin/env node
/**
 * A minimal but complete receiver of webhook events. It reads the raw bytes, verifies the signature, answers
 * immediately, drops duplicates, and then processes the event.
 *
 *   node examples/receiver.mjs --port=4443 --certificate=cert.pem --key=key.pem --secret-file=secret
 *
 * The secret file holds the endpoint's signing secret; during a rotation it may hold both, one per line.
 * Only Node is needed.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { verifySignature } from './verify-signature.mjs'

const options = Object.fromEntries(
  process.argv.slice(2).map((argument) => {
    const [name, ...value] = argument.replace(/^--/, '').split('=')
    return [name, value.join('=')]
  }),
)
const MOST_BYTES = 65_536

/** Ids of processed events. A real receiver stores them in its database for 30 days. */
const seen = new Set()

const server = createServer(
  { cert: readFileSync(options.certificate), key: readFileSync(options.key) },
  (request, response) => {
    const parts = []
    let size = 0
    request.on('data', (part) => {
      size += part.length
      if (size > MOST_BYTES) request.destroy()
      else parts.push(part)
    })
    request.on('end', () => {
      const body = Buffer.concat(parts)
      // The secret is read at each request, so that a rotated one applies immediately.
      const secrets = readFileSync(options['secret-file'], 'utf8').split('\n').filter(Boolean)
      const header = request.headers['x-service-signature']
      if (request.method !== 'POST' || !verifySignature({ header, body, secrets })) {
        console.log('refused: no valid signature')
        response.writeHead(401).end()
        return
      }
      // The response comes before the processing, because the service waits for at most 10 seconds.
      response.writeHead(204).end()
      receive(JSON.parse(body.toString('utf8')))
    })
  },
)

function receive(event) {
  if (event.test) return console.log(`test event ${event.type}, not worked on`)
  if (seen.has(event.id)) return console.log(`${event.type}  ${event.id}  came again, dropped`)
  seen.add(event.id)
  console.log(`${event.type}  ${event.id}  verified  ${JSON.stringify(event.data)}`)
}

server.on('error', (error) => {
  console.error(
    error.code === 'EADDRINUSE'
      ? `Port ${options.port} is in use. Stop what listens there, or choose another --port.`
      : error.message,
  )
  process.exit(1)
})
server.listen(Number(options.port), '127.0.0.1', () => {
  console.log(`listening on https://127.0.0.1:${server.address().port}`)
})

if ('until-input-ends' in options) {
  process.stdin.resume()
  process.stdin.on('end', () => process.exit(0))
}
