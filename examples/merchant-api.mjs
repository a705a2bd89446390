#!/usr/bin/env node
/**
 * A minimal but complete API of a merchant. It returns the status of an order, accepts a note about it and cancels it.
 * Wasla calls it from a flow's step or for the assistant, with the key of an API connection.
 *
 *   node examples/merchant-api.mjs --port=4444 --certificate=cert.pem --key=key.pem --key-file=api-key
 *
 *   GET  /api/orders/1043         {"order":{"number":"1043","status":"shipped"}}
 *   POST /api/orders/1043/notes   {"text":"…"}
 *   POST /api/orders/1044/cancel  {"order":{"number":"1044","status":"cancelled"}}
 *
 * The key file holds the API key that callers send as `Authorization: Bearer …`. Only Node is needed.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

const options = Object.fromEntries(
  process.argv.slice(2).map((argument) => {
    const [name, ...value] = argument.replace(/^--/, '').split('=')
    return [name, value.join('=')]
  }),
)
const MOST_BYTES = 65_536

/** The orders of the example. A real merchant reads a database here. */
const orders = new Map([
  ['1043', { number: '1043', status: 'shipped', notes: [] }],
  ['1044', { number: '1044', status: 'being packed', notes: [] }],
])

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
      const { status, body } = answer(request, Buffer.concat(parts).toString('utf8'))
      console.log(`${request.method} ${request.url}  ${status}`)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  },
)

function answer(request, text) {
  if (!isAllowed(request.headers.authorization))
    return { status: 401, body: { error: 'no valid key' } }
  const [, number, act] = /^\/api\/orders\/([^/?]+)(?:\/(notes|cancel))?$/.exec(request.url) ?? []
  const order = orders.get(number)
  if (!order) return { status: 404, body: { error: 'no such order' } }
  if (request.method === 'GET' && !act) return { status: 200, body: viewOf(order) }
  if (request.method === 'POST' && act === 'cancel') return cancel(order)
  if (request.method === 'POST' && act === 'notes') {
    try {
      order.notes.push(JSON.parse(text))
    } catch {
      return { status: 400, body: { error: 'not JSON' } }
    }
    return { status: 201, body: { notes: order.notes.length } }
  }
  return { status: 405, body: { error: 'not that method' } }
}

/** Cancels an order that has not been shipped. A second cancellation changes nothing. */
function cancel(order) {
  if (order.status === 'shipped') return { status: 409, body: { error: 'already shipped' } }
  order.status = 'cancelled'
  return { status: 200, body: viewOf(order) }
}

function viewOf({ number, status }) {
  return { order: { number, status } }
}

/** Checks the API key in constant time. The key is read at each request, so that a new one applies immediately. */
function isAllowed(header = '') {
  const hash = (value) => createHash('sha256').update(value).digest()
  const key = readFileSync(options['key-file'], 'utf8').trim()
  return key !== '' && timingSafeEqual(hash(header), hash(`Bearer ${key}`))
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
