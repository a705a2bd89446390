/**
 * Receivers that speak unusual HTTP, each over TLS on loopback. The tests check the outcome of one attempt, the
 * number of requests that reach the receiver, and whether the connection is used again. All requests are made
 * concurrently, and the deadline passes once all others have ended. Faulty servers through the whole service are in
 * test/deliveries/hostile.test.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createOutboundClient } from '../../src/infra/egress/outbound-client.ts'
import { attemptErrorOf } from '../../src/rules/deliveries/delivery-outcome.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { createAuthority, createCertificate } from './support/certificates.ts'
import { createReceiver, drip, firstThen, type Answer } from './support/receiver.ts'

const DEADLINE_MS = 40_000

type Row = {
  /** A text that is written unchanged, or the behaviour of the server. */
  answer: string | Answer
  status?: number
  /** The error in the log; null for a delivered one. */
  error: string | null
  body?: string
  /** Makes a second request, which goes over the same connection if this is true. */
  isKept?: boolean
}

const EMPTY = 'content-length: 0\r\n'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const SWITCHING = 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'
const say = (status: string, head = EMPTY, body = '') => `HTTP/1.1 ${status}\r\n${head}\r\n${body}`
const ok = (head: string, body = '') => say('200 OK', head, body)
const NO_CONTENT = say('204 No Content', '')
const CHUNKED = 'transfer-encoding: chunked\r\n'
const length = (said: number | string) => `content-length: ${said}\r\n`
const STALLED = ok(length(9), 'ok')

const DELIVERED = { status: 200, error: null }
const KEPT = { ...DELIVERED, isKept: true }
const KEPT_OK = { ...KEPT, body: 'ok' }
const KEPT_204 = { ...KEPT, status: 204 }
const NOT_KEPT = { ...DELIVERED, isKept: false }
const BAD = { error: 'bad_response' }
const RESET = { error: 'connection_reset' }

const write =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text, 'latin1')
const end =
  (text: string): Answer =>
  (socket) =>
    void socket.end(text)
const slowly =
  (pieces: readonly string[], everyMs: number): Answer =>
  (socket) => {
    const left = [...pieces]
    const timer = setInterval(() => {
      const piece = left.shift()
      if (piece === undefined) clearInterval(timer)
      else socket.write(piece)
    }, everyMs)
    socket.once('close', () => clearInterval(timer))
  }

const ROWS: Record<string, Row> = {
  '100 and then 200': { answer: CONTINUE + ok(EMPTY), ...KEPT },
  '100 and then a body that looks like 100': {
    answer: CONTINUE + ok(length(CONTINUE.length), CONTINUE),
    ...KEPT,
    body: CONTINUE,
  },
  '100 five times, with headers, and then 204': {
    answer: 'HTTP/1.1 100 Go on\r\nx-a: b\r\n\r\n'.repeat(5) + NO_CONTENT,
    ...KEPT_204,
  },
  '100 a hundred times and then 204': { answer: CONTINUE.repeat(100) + NO_CONTENT, ...KEPT_204 },
  'a header that goes on in the next line, by a space or a tab, in one piece': {
    answer: ok('x-a: b\r\n c\r\n\td\r\ncontent-length: 2\r\n', 'ok'),
    ...KEPT_OK,
  },
  'the same of interim answers, and a body that looks folded': {
    answer: say('103 Hints', 'link: </a>;\r\n rel=preload\r\n') + ok(length(5), '\r\n \r\n'),
    ...KEPT,
    body: '\r\n \r\n',
  },
  'the same in single bytes': {
    answer: slowly([...ok('x-a: b\r\n c\r\ncontent-length: 2\r\nx-b: \r\n  \t d\r\n', 'ok')], 1),
    ...KEPT_OK,
  },
  'a length that is folded': { answer: ok('content-length:\r\n 2\r\n', 'ok'), ...KEPT_OK },
  'a first header that begins with a space': { answer: ok(' x-a: b\r\n'), ...BAD },
  '100 with a length': { answer: say('100 Continue', length(5)) + ok(length(2), 'ok'), ...KEPT_OK },
  '100, 103 and 100 in single bytes, with headers or without a reason': {
    answer: slowly(
      [
        ...`${say('100 ', 'link: </a>\r\nx-b: c\r\n')}${say('103 Hints', '')}${say('100', '')}${ok(EMPTY)}`,
      ],
      1,
    ),
    ...KEPT,
  },
  '100, 102, 103 and 199 and then 201': {
    answer: [100, 102, 103, 199].map((at) => say(`${at} X`, '')).join('') + say('201 Created'),
    ...KEPT,
    status: 201,
  },
  '100 and then 500': { answer: CONTINUE + say('500 Oh'), status: 500, error: 'http_error' },
  '100 and then 410': { answer: CONTINUE + say('410 Gone'), status: 410, error: 'gone' },
  '100 without a reason': { answer: say('100', '') + ok(EMPTY), ...DELIVERED },
  '102 again and again': {
    answer: slowly([...Array<string>(3).fill(say('102 Processing', '')), ok(EMPTY)], 300),
    ...DELIVERED,
  },
  '100 and nothing more': { answer: CONTINUE, error: 'timeout' },
  '100 for ever, one a second': {
    answer: (socket) => drip(socket, 1_000, CONTINUE),
    error: 'timeout',
  },
  '100 in a flood': { answer: (socket) => drip(socket, 1, CONTINUE.repeat(100)), ...BAD },
  '102 in a flood': {
    answer: (socket) => drip(socket, 1, say('102 Processing', '').repeat(50)),
    ...BAD,
  },
  '100 and the end': { answer: end(CONTINUE), ...RESET },
  '101': { answer: SWITCHING, ...BAD },
  '101 after 100': { answer: CONTINUE + SWITCHING, ...BAD },
  'chunks with trailers': {
    answer: ok(
      'transfer-encoding: chunked\r\ntrailer: x-sum\r\n',
      '2\r\nok\r\n0\r\nx-sum: 1\r\n\r\n',
    ),
    ...KEPT_OK,
  },
  'chunks with extensions, lengths in capitals and zeros before them': {
    answer: ok('Transfer-Encoding: CHUNKED\r\n', '0000A;name=value\r\n0123456789\r\n0\r\n\r\n'),
    ...DELIVERED,
    body: '0123456789',
  },
  'a chunk whose length is no number': {
    answer: ok(CHUNKED, 'zz\r\nok\r\n0\r\n\r\n'),
    ...NOT_KEPT,
  },
  'chunks that do not end': {
    answer: end(ok(CHUNKED, '5\r\nhello\r\n')),
    ...NOT_KEPT,
    body: 'hello',
  },
  'a length and chunks': { answer: ok(length(2) + CHUNKED, '2\r\nok\r\n0\r\n\r\n'), ...BAD },
  'two lengths that differ': { answer: ok(length(2) + length(3), 'ok'), ...BAD },
  'a length that is no number': { answer: ok(length('two'), 'ok'), ...BAD },
  'a length below zero': { answer: ok(length(-1)), ...BAD },
  'a length longer than the body': { answer: end(ok(length(9), 'ok')), ...NOT_KEPT, body: 'ok' },
  'a length shorter than the body, which is no answer to anything': {
    answer: firstThen(write(ok(length(2), 'okHTTP/1.1 500 Oh\r\n\r\n')), write(ok(EMPTY))),
    ...NOT_KEPT,
    body: 'ok',
  },
  'no length, until the connection ends': {
    answer: end(ok('', 'until the end')),
    ...NOT_KEPT,
    body: 'until the end',
  },
  'an end without a word of TLS': {
    answer: (socket) => {
      socket.write(ok(length(9), 'ok'), () => socket.destroy())
    },
    ...NOT_KEPT,
  },
  '204': { answer: NO_CONTENT, ...KEPT_204 },
  '204 with a body all the same': {
    answer: say('204 No Content', length(2), 'ok'),
    ...NOT_KEPT,
    status: 204,
  },
  '205 with a length of none': { answer: say('205 Reset Content'), ...KEPT, status: 205 },
  'HTTP/1.0': { answer: end('HTTP/1.0 200 OK\r\n\r\nold'), ...NOT_KEPT, body: 'old' },
  'no reason': { answer: say('200'), ...KEPT },
  'a reason in Arabic': { answer: (socket) => void socket.write(say('200 حسنا')), ...DELIVERED },
  'empty lines before the status': { answer: `\r\n\r\n${ok(EMPTY)}`, ...DELIVERED },
  'a header twice, one without a value, one of bytes that are no text': {
    answer: ok(`x-a: 1\r\nx-a: 2\r\nx-b:\r\nx-c: \xff\xfe\r\n${EMPTY}`),
    ...KEPT,
  },
  'line feeds alone': { answer: 'HTTP/1.1 200 OK\ncontent-length: 0\n\n', ...BAD },
  'a space before the colon': { answer: ok(`x-a : 1\r\n${EMPTY}`), ...BAD },
  'a header without a colon': { answer: ok(`nonsense\r\n${EMPTY}`), ...BAD },
  'NUL in a header': { answer: ok(`x-a: \x00\r\n${EMPTY}`), ...BAD },
  '15 KB of headers': { answer: ok(`x-a: ${'h'.repeat(15_000)}\r\n${EMPTY}`), ...DELIVERED },
  '17 KB of headers': { answer: ok(`x-a: ${'h'.repeat(17_000)}\r\n${EMPTY}`), ...BAD },
  'HTTP/2 unasked': { answer: '\x00\x00\x12\x04\x00\x00\x00\x00\x00', ...BAD },
  'HTTP/3.7': { answer: `HTTP/3.7 200 OK\r\n${EMPTY}\r\n`, ...BAD },
  'the greeting of SSH': { answer: 'SSH-2.0-OpenSSH_9.2\r\n', ...BAD },
  '299': { answer: say('299 Fine'), status: 299, error: null },
  '300': { answer: say('300 Multiple Choices'), status: 300, error: 'redirect_refused' },
  '304': { answer: say('304 Not Modified', ''), status: 304, error: 'redirect_refused' },
  '306': { answer: say('306 Unused'), status: 306, error: 'redirect_refused' },
  '399': { answer: say('399 Odd'), status: 399, error: 'redirect_refused' },
  '451': { answer: say('451 No'), status: 451, error: 'http_error' },
  '500': { answer: say('500 Oh'), status: 500, error: 'http_error' },
  '599': { answer: say('599 No'), status: 599, error: 'http_error' },
  '600': { answer: say('600 No'), status: 600, error: 'http_error' },
  '999': { answer: say('999 No'), status: 999, error: 'http_error' },
  '099': { answer: say('099 No'), ...BAD },
  'a status of four digits': { answer: say('2000 OK'), ...BAD },
  'a status in words': { answer: say('OK', ''), ...BAD },
  '200 in one byte every 20 ms': {
    answer: slowly([...ok(length(2), 'ok')], 20),
    ...DELIVERED,
    body: 'ok',
  },
  'headers that never end': {
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-a: ')
      drip(socket, 100, 'x')
    },
    error: 'timeout',
  },
  silence: { answer: () => undefined, error: 'timeout' },
  'a body that stalls after 200': { answer: STALLED, ...NOT_KEPT, body: 'ok' },
  'a cut before the status': { answer: (socket) => void socket.destroy(), ...RESET },
  'an end before the status': { answer: end(''), ...RESET },
  'an end inside the status': { answer: end('HTTP/1.1 2'), ...RESET },
  'an end inside the headers': { answer: end('HTTP/1.1 200 OK\r\ncontent-le'), ...RESET },
  'close, said and done': { answer: end(ok(`connection: close\r\n${EMPTY}`)), ...NOT_KEPT },
  'a kept-alive connection that swallows the next request': {
    answer: firstThen(write(ok(EMPTY)), (socket) => void socket.destroy()),
    ...NOT_KEPT,
  },
}

const rows = Object.entries(ROWS)
const found = new Map<string, Record<string, unknown>>()
const pathOf = (index: number) => `/${index}`

afterAll(() => receiver.close())

/** Tells whether only the deadline ends the request: a body that stalls does not affect the status. */
const isHanging = ({ error, answer }: Row) => error === 'timeout' || answer === STALLED

const authority = await createAuthority()
const pair = await createCertificate(['receiver.example'], { authority })
const receiver = await createReceiver(
  pair,
  Object.fromEntries(
    rows.map(([, { answer }], index) => [
      pathOf(index),
      typeof answer === 'string' ? write(answer) : answer,
    ]),
  ),
)
const timers = holdTimers(DEADLINE_MS)
try {
  const all = Promise.all(rows.map(([what, row], index) => ask(what, row, index)))
  const hanging = rows.flatMap(([, row], index) => (isHanging(row) ? [index] : []))
  // A hanging request does not delay others: these end before any deadline.
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

/** Waits until this many requests of each of these rows have arrived, and the beginnings of their answers. */
async function reached(indices: readonly number[], times: number): Promise<void> {
  const requestsOf = (index: number) =>
    receiver.requests.filter(({ path }) => path === pathOf(index)).length
  await waitUntil('the requests that hang', () =>
    indices.every((index) => requestsOf(index) === times),
  )
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
}

async function ask(what: string, { isKept }: Row, index: number) {
  // Each row has a separate client, so none uses the connection of another.
  const client = createOutboundClient({
    resolve: async () => ['127.0.0.1'],
    isAllowedAddress: (address) => address === '127.0.0.1',
    extraCa: [authority.cert],
  })
  const send = () =>
    client.send({
      method: 'POST',
      url: receiver.url(pathOf(index)),
      headers: [['content-type', 'application/json']],
      body: Buffer.from('{}'),
      deadlineMs: DEADLINE_MS,
      connectMs: DEADLINE_MS,
      answerBytes: 2_048,
      readWholeAnswer: false,
    })
  const answer = await send()
  const requests = receiver.requests.filter(({ path }) => path === pathOf(index)).length
  const { sockets, waiting } = client.stats()
  const again = isKept === undefined ? null : await send()
  client.close()
  found.set(what, {
    error: attemptErrorOf(answer),
    requests,
    ...(answer.kind === 'answer'
      ? { status: answer.status, body: answer.head.toString() }
      : { sockets, waiting }),
    ...(again && { isKept: again.timings.connectMs === null }),
    ...(again?.kind === 'answer' && { nextBody: again.head.toString() }),
  })
}

test.each(rows)('%s', (what, { status, error, body, isKept }) => {
  expect(found.get(what)).toMatchObject({
    error,
    requests: 1,
    // A failed attempt leaves no connection, and no request that waits for one.
    ...(status === undefined ? { sockets: 0, waiting: 0 } : { status }),
    ...(body !== undefined && { body }),
    ...(body !== undefined && isKept && { nextBody: body }),
    ...(isKept !== undefined && { isKept }),
  })
})
