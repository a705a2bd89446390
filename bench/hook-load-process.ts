/**
 * The load of `hooks.ts`, in a separate process: 64 connections without pause. With `FLOOD`, ten times as many
 * connections send requests that are refused: too large, of a wrong type, with an unknown token, over the limit of
 * one address.
 *
 * Input by the environment, one line of JSON as output.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Pool } from 'undici'

const { ORIGIN = '', TOKENS_FILE = '', PREFIX = '' } = process.env
const REQUESTS = Number(process.env.REQUESTS)
const CONNECTIONS = 64
const FLOOD_CONNECTIONS = 10 * CONNECTIONS
const tokens = readFileSync(TOKENS_FILE, 'utf8').trim().split('\n')
const pool = new Pool(ORIGIN, { connections: CONNECTIONS, pipelining: 1 })

let sent = 0
const times: number[] = []
const answers = new Map<number, number>()

async function askOn() {
  while (sent < REQUESTS) {
    sent += 1
    const number = sent
    const began = performance.now()
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: `/hooks/${tokens[number % tokens.length]}`,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `${PREFIX}-${number}`,
        'x-forwarded-for': `198.18.${(number >> 8) & 255}.${number & 255}`,
      },
      body: JSON.stringify({
        customer: {
          phone: `+9665${PREFIX}${String(number).padStart(6, '0')}`,
          name: 'سارة الحداد',
          language: 'en',
          email: 'sara@shop.example',
        },
        order: {
          number: `A-${number}`,
          total: 125.5,
          items: [{ sku: 'AB-1', qty: 2, name: 'Abaya' }],
        },
      }),
    })
    await body.dump()
    times.push(performance.now() - began)
    answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1)
  }
}

let refused = 0
/** Requests that are refused, as bytes: the flood costs this process as little as it can. */
const REFUSED = [
  // Announced as too large: refused before it is read.
  () => raw(tokens[0]!, address(), 'content-type: application/json\r\ncontent-length: 70000', ''),
  () => raw(tokens[0]!, address(), 'content-type: text/plain\r\ncontent-length: 1', 'x'),
  () => raw(`hook_${'x'.repeat(43)}`, address(), JSON_HEADERS, '{}'),
  // Always the same address: over its limit.
  () => raw(tokens[0]!, '198.19.0.1', JSON_HEADERS, '{}'),
]
const JSON_HEADERS = 'content-type: application/json\r\ncontent-length: 2'

function raw(token: string, from: string, headers: string, body: string): string {
  return `POST /hooks/${token} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n${headers}\r\n\r\n${body}`
}

function address() {
  return `198.19.${(refused >> 8) & 255}.${refused & 255}`
}

/** Runs one connection of the flood: the next request after each response, and a new connection after a close. */
function floodOn() {
  if (times.length >= REQUESTS) return
  const socket = connect(Number(new URL(ORIGIN).port), '127.0.0.1')
  const send = () => {
    socket.write(REFUSED[refused % REFUSED.length]!())
    refused += 1
  }
  socket.on('connect', send)
  socket.on('data', () => (times.length < REQUESTS ? send() : socket.destroy()))
  socket.on('error', () => {})
  socket.on('close', floodOn)
}

const began = performance.now()
if (process.env.FLOOD) for (let index = 0; index < FLOOD_CONNECTIONS; index += 1) floodOn()
await Promise.all(Array.from({ length: CONNECTIONS }, askOn))
const seconds = (performance.now() - began) / 1_000
times.sort((a, b) => a - b)
const at = (part: number) => times[Math.floor(times.length * part)]!
console.log(
  JSON.stringify({
    rate: REQUESTS / seconds,
    p50: at(0.5),
    p99: at(0.99),
    accepted: answers.get(202) ?? 0,
    answers: Object.fromEntries(answers),
    refused,
  }),
)
process.exit(0)
