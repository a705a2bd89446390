/**
 * Receivers that speak HTTP oddly, each over TLS on loopback: what one attempt of a delivery comes to,
 * how many requests reach the receiver, and whether the connection is used again. All are asked at the
 * same time, and the deadline comes once all others have ended. Servers without manners through the whole engine are in test/deliveries/hostile.test.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutboundClient, type OutboundClient } from '../../src/outbound/outbound-client.ts'
import { attemptErrorOf } from '../../src/rules/deliveries/delivery-outcome.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { createAuthority, createCertificate } from './support/certificates.ts'
import { createReceiver, drip, type Answer, type Receiver } from './support/receiver.ts'

const DEADLINE_MS = 40_000

type Row = {
  /** Written as it is, unless it is what the server does. */
  answer: string | Answer
  status?: number
  /** What the log says; null is delivered. */
  error: string | null
  body?: string
  /** Requests that arrive; one unless told. */
  requests?: number
  /** Asked twice in a row: whether the second goes over the same connection. */
  isKept?: boolean
}

const ok = (head: string, body = '') => `HTTP/1.1 200 OK\r\n${head}\r\n${body}`
const EMPTY = 'content-length: 0\r\n'
const STALLED = ok('content-length: 9\r\n', 'ok')
const asked = new WeakMap<TLSSocket, number>()
/** One answer for the first request over a connection, another for the next. */
const firstThen =
  (first: Answer, then: Answer): Answer =>
  (socket, request) => {
    const times = (asked.get(socket) ?? 0) + 1
    asked.set(socket, times)
    return (times === 1 ? first : then)(socket, request)
  }
const write =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text, 'latin1')

const ROWS: Record<string, Row> = {
  '100 and then 200': {
    answer: `HTTP/1.1 100 Continue\r\n\r\n${ok(EMPTY)}`,
    status: 200,
    error: null,
    isKept: true,
  },
  '100 five times, with headers, and then 204': {
    answer: `${'HTTP/1.1 100 Go on\r\nx-a: b\r\n\r\n'.repeat(5)}HTTP/1.1 204 No Content\r\n\r\n`,
    status: 204,
    error: null,
    isKept: true,
  },
  '100, 102, 103 and 199 and then 201': {
    answer: `${[100, 102, 103, 199].map((status) => `HTTP/1.1 ${status} X\r\n\r\n`).join('')}HTTP/1.1 201 Created\r\n${EMPTY}\r\n`,
    status: 201,
    error: null,
    isKept: true,
  },
  '100 and then 500': {
    answer: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Oh\r\n${EMPTY}\r\n`,
    status: 500,
    error: 'http_error',
  },
  '100 and then 410': {
    answer: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 410 Gone\r\n${EMPTY}\r\n`,
    status: 410,
    error: 'gone',
  },
  '100 without a reason': { answer: `HTTP/1.1 100\r\n\r\n${ok(EMPTY)}`, status: 200, error: null },
  '102 again and again': {
    answer: (socket, request) => {
      let left = 3
      const timer = setInterval(() => {
        if (left-- > 0) return void socket.write('HTTP/1.1 102 Processing\r\n\r\n')
        clearInterval(timer)
        write(ok(EMPTY))(socket, request)
      }, 300)
      socket.once('close', () => clearInterval(timer))
    },
    status: 200,
    error: null,
  },
  '100 and nothing more': { answer: 'HTTP/1.1 100 Continue\r\n\r\n', error: 'timeout' },
  '100 for ever, one a second': {
    answer: (socket) => drip(socket, 1_000, 'HTTP/1.1 100 Continue\r\n\r\n'),
    error: 'timeout',
  },
  '100 in a flood': {
    answer: (socket) => drip(socket, 1, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
    error: 'bad_response',
  },
  '101 after 100': {
    answer:
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    error: 'bad_response',
  },
  'chunks with trailers': {
    answer: ok(
      'transfer-encoding: chunked\r\ntrailer: x-sum\r\n',
      '2\r\nok\r\n0\r\nx-sum: 1\r\n\r\n',
    ),
    status: 200,
    error: null,
    body: 'ok',
    isKept: true,
  },
  'chunks with extensions, lengths in capitals and zeros before them': {
    answer: ok('Transfer-Encoding: CHUNKED\r\n', '0000A;name=value\r\n0123456789\r\n0\r\n\r\n'),
    status: 200,
    error: null,
    body: '0123456789',
  },
  'a chunk whose length is no number': {
    answer: ok('transfer-encoding: chunked\r\n', 'zz\r\nok\r\n0\r\n\r\n'),
    status: 200,
    error: null,
    isKept: false,
  },
  'chunks that do not end': {
    answer: (socket) => void socket.end(ok('transfer-encoding: chunked\r\n', '5\r\nhello\r\n')),
    status: 200,
    error: null,
    body: 'hello',
    isKept: false,
  },
  'a length and chunks': {
    answer: ok('content-length: 2\r\ntransfer-encoding: chunked\r\n', '2\r\nok\r\n0\r\n\r\n'),
    error: 'bad_response',
  },
  'two lengths that differ': {
    answer: ok('content-length: 2\r\ncontent-length: 3\r\n', 'ok'),
    error: 'bad_response',
  },
  'a length that is no number': {
    answer: ok('content-length: two\r\n', 'ok'),
    error: 'bad_response',
  },
  'a length below zero': { answer: ok('content-length: -1\r\n'), error: 'bad_response' },
  'a length longer than the body': {
    answer: (socket) => void socket.end(ok('content-length: 9\r\n', 'ok')),
    status: 200,
    error: null,
    body: 'ok',
    isKept: false,
  },
  'a length shorter than the body, which is no answer to anything': {
    answer: firstThen(
      write(ok('content-length: 2\r\n', 'okHTTP/1.1 500 Oh\r\n\r\n')),
      write(ok(EMPTY)),
    ),
    status: 200,
    error: null,
    body: 'ok',
    isKept: false,
  },
  'no length, until the connection ends': {
    answer: (socket) => void socket.end(ok('', 'until the end')),
    status: 200,
    error: null,
    body: 'until the end',
    isKept: false,
  },
  'an end without a word of TLS': {
    answer: (socket) => {
      socket.write(ok('content-length: 9\r\n', 'ok'), () => socket.destroy())
    },
    status: 200,
    error: null,
    isKept: false,
  },
  '204 with a body all the same': {
    answer: 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok',
    status: 204,
    error: null,
    isKept: false,
  },
  '205 with a length of none': {
    answer: `HTTP/1.1 205 Reset Content\r\n${EMPTY}\r\n`,
    status: 205,
    error: null,
    isKept: true,
  },
  'HTTP/1.0': {
    answer: (socket) => void socket.end('HTTP/1.0 200 OK\r\n\r\nold'),
    status: 200,
    error: null,
    body: 'old',
    isKept: false,
  },
  'no reason': { answer: `HTTP/1.1 200\r\n${EMPTY}\r\n`, status: 200, error: null, isKept: true },
  'a reason in Arabic': {
    answer: (socket) => void socket.write(`HTTP/1.1 200 حسنا\r\n${EMPTY}\r\n`),
    status: 200,
    error: null,
  },
  'empty lines before the status': { answer: `\r\n\r\n${ok(EMPTY)}`, status: 200, error: null },
  'a header twice, one without a value, one of bytes that are no text': {
    answer: ok(`x-a: 1\r\nx-a: 2\r\nx-b:\r\nx-c: \xff\xfe\r\n${EMPTY}`),
    status: 200,
    error: null,
    isKept: true,
  },
  'line feeds alone': { answer: 'HTTP/1.1 200 OK\ncontent-length: 0\n\n', error: 'bad_response' },
  'a folded header': { answer: ok(`x-a: one\r\n two\r\n${EMPTY}`), error: 'bad_response' },
  'a space before the colon': { answer: ok(`x-a : 1\r\n${EMPTY}`), error: 'bad_response' },
  'a header without a colon': { answer: ok(`nonsense\r\n${EMPTY}`), error: 'bad_response' },
  'NUL in a header': { answer: ok(`x-a: \x00\r\n${EMPTY}`), error: 'bad_response' },
  '15 KB of headers': {
    answer: ok(`x-a: ${'h'.repeat(15_000)}\r\n${EMPTY}`),
    status: 200,
    error: null,
  },
  '17 KB of headers': {
    answer: ok(`x-a: ${'h'.repeat(17_000)}\r\n${EMPTY}`),
    error: 'bad_response',
  },
  'HTTP/2 unasked': { answer: '\x00\x00\x12\x04\x00\x00\x00\x00\x00', error: 'bad_response' },
  'HTTP/3.7': { answer: `HTTP/3.7 200 OK\r\n${EMPTY}\r\n`, error: 'bad_response' },
  '299': { answer: `HTTP/1.1 299 Fine\r\n${EMPTY}\r\n`, status: 299, error: null },
  '306': { answer: `HTTP/1.1 306 Unused\r\n${EMPTY}\r\n`, status: 306, error: 'redirect_refused' },
  '399': { answer: `HTTP/1.1 399 Odd\r\n${EMPTY}\r\n`, status: 399, error: 'redirect_refused' },
  '451': { answer: `HTTP/1.1 451 No\r\n${EMPTY}\r\n`, status: 451, error: 'http_error' },
  '599': { answer: `HTTP/1.1 599 No\r\n${EMPTY}\r\n`, status: 599, error: 'http_error' },
  '600': { answer: `HTTP/1.1 600 No\r\n${EMPTY}\r\n`, status: 600, error: 'http_error' },
  '999': { answer: `HTTP/1.1 999 No\r\n${EMPTY}\r\n`, status: 999, error: 'http_error' },
  '099': { answer: `HTTP/1.1 099 No\r\n${EMPTY}\r\n`, error: 'bad_response' },
  'a status of four digits': { answer: `HTTP/1.1 2000 OK\r\n${EMPTY}\r\n`, error: 'bad_response' },
  'a status in words': { answer: 'HTTP/1.1 OK\r\n\r\n', error: 'bad_response' },
  '200 in one byte every 20 ms': {
    answer: (socket) => {
      const left = [...ok('content-length: 2\r\n', 'ok')]
      const timer = setInterval(() => {
        const byte = left.shift()
        if (byte === undefined) clearInterval(timer)
        else socket.write(byte)
      }, 20)
      socket.once('close', () => clearInterval(timer))
    },
    status: 200,
    error: null,
    body: 'ok',
  },
  'headers that never end': {
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-a: ')
      drip(socket, 100, 'x')
    },
    error: 'timeout',
  },
  'a body that stalls after 200': {
    answer: STALLED,
    status: 200,
    error: null,
    body: 'ok',
    isKept: false,
  },
  'a cut before the status': {
    answer: (socket) => void socket.destroy(),
    error: 'connection_reset',
  },
  'an end before the status': { answer: (socket) => void socket.end(), error: 'connection_reset' },
  'an end inside the status': {
    answer: (socket) => void socket.end('HTTP/1.1 2'),
    error: 'connection_reset',
  },
  'an end inside the headers': {
    answer: (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
    error: 'connection_reset',
  },
  'close, said and done': {
    answer: (socket) => void socket.end(ok(`connection: close\r\n${EMPTY}`)),
    status: 200,
    error: null,
    isKept: false,
  },
  'a kept-alive connection that swallows the next request': {
    answer: firstThen(write(ok(EMPTY)), (socket) => void socket.destroy()),
    status: 200,
    error: null,
    isKept: false,
    requests: 1,
  },
}

const rows = Object.entries(ROWS)
const found = new Map<string, Record<string, unknown>>()
const pathOf = (index: number) => `/${index}`
let client: OutboundClient
let receiver: Receiver

beforeAll(async () => {
  const authority = await createAuthority()
  const pair = await createCertificate(['*.receiver.example'], { authority })
  receiver = await createReceiver(
    pair,
    Object.fromEntries(
      rows.map(([, { answer }], index) => [
        pathOf(index),
        typeof answer === 'string' ? write(answer) : answer,
      ]),
    ),
  )
  client = createOutboundClient({
    resolve: async () => ['127.0.0.1'],
    isAllowedAddress: (address) => address === '127.0.0.1',
    extraCa: [authority.cert],
  })
  const timers = holdTimers(DEADLINE_MS)
  try {
    const all = Promise.all(rows.map(([what, row], index) => ask(what, row, index)))
    const hanging = rows.flatMap(([, row], index) => (isHanging(row) ? [index] : []))
    // Who hangs keeps nobody else waiting: the others end before any deadline.
    await waitUntil('the others to end', () => found.size === rows.length - hanging.length)
    await reached(hanging, 1)
    timers.elapse()
    const twice = hanging.filter((index) => rows[index]![1].isKept !== undefined)
    await reached(twice, 2)
    timers.elapse()
    await all
  } finally {
    timers.release()
  }
})
afterAll(async () => {
  client?.close()
  await receiver?.close()
})

/** Whether only the deadline ends the request: a body that stalls changes nothing about a status. */
const isHanging = ({ error, answer }: Row) => error === 'timeout' || answer === STALLED

/** Waits until this many requests of each of these rows have arrived, and what there is of their answers. */
async function reached(indices: readonly number[], times: number): Promise<void> {
  const requestsOf = (index: number) =>
    receiver.requests.filter(({ path }) => path === pathOf(index)).length
  await waitUntil('the requests that hang', () =>
    indices.every((index) => requestsOf(index) === times),
  )
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
}

async function ask(what: string, { isKept }: Row, index: number) {
  const send = () =>
    client.send({
      method: 'POST',
      // A host of its own: no row uses another's connection.
      url: receiver.url(pathOf(index), `r${index}.receiver.example`),
      headers: [['content-type', 'application/json']],
      body: Buffer.from('{}'),
      deadlineMs: DEADLINE_MS,
      connectMs: DEADLINE_MS,
      answerBytes: 2_048,
      readWholeAnswer: false,
    })
  const answer = await send()
  const requests = receiver.requests.filter(({ path }) => path === pathOf(index)).length
  const again = isKept === undefined ? null : await send()
  found.set(what, {
    error: attemptErrorOf(answer),
    status: answer.kind === 'answer' ? answer.status : undefined,
    requests,
    ...(answer.kind === 'answer' && { body: answer.head.toString() }),
    ...(again && { isKept: again.timings.connectMs === null }),
  })
}

test.each(rows)('%s', (what, row) => {
  const { status, error, body, requests = 1, isKept } = row
  const told = { ...(body !== undefined && { body }), ...(isKept !== undefined && { isKept }) }
  expect(found.get(what)).toMatchObject({ status, error, requests, ...told })
})
