import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authColumns } from '../../src/connections/create-connection.ts'
import { makeCall, type CallMade } from '../../src/connections/make-call.ts'
import { CALL_LIMITS } from '../../src/limits/calls.ts'
import { createOutboundClient, type OutboundClient } from '../../src/outbound/outbound-client.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { drip, reply, type Answer } from '../outbound/support/receiver.ts'
import {
  createHostileResolver,
  startHostileReceiver,
  type Fault,
  type HostileReceiver,
  type LookUp,
} from '../support/hostile-receiver.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'

const CHUNK = `4000\r\n${'x'.repeat(0x4000)}\r\n`

type Row = {
  title: string
  answer?: Answer
  fault?: Fault
  dns?: LookUp[]
  expect: { failure: string; httpStatus?: number; requests?: number }
}

const ROWS: Record<string, Row> = {
  silent: { title: 'never answers', answer: () => undefined, expect: { failure: 'timeout' } },
  'drips-headers': {
    title: 'sends its headers byte by byte, without end',
    answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\nx-a: ')
      drip(socket, 50, 'x')
    },
    expect: { failure: 'timeout' },
  },
  'drips-body': {
    title: 'sends its body byte by byte, beyond the time-out',
    answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
      drip(socket, 50, 'x')
    },
    expect: { failure: 'timeout', httpStatus: 200 },
  },
  endless: {
    title: 'sends chunks without end',
    answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      drip(socket, 1, CHUNK)
    },
    expect: { failure: 'answer_too_large', httpStatus: 200 },
  },
  'ten-gigabytes': {
    title: 'announces 10 GB and begins to send them',
    answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n')
      drip(socket, 1, 'x'.repeat(0x4000))
    },
    expect: { failure: 'answer_too_large', httpStatus: 200 },
  },
  'resets-at-once': {
    title: 'closes the connection before it answers',
    answer: (socket) => socket.destroy(),
    expect: { failure: 'connection_reset' },
  },
  'resets-in-body': {
    title: 'closes the connection in the middle of its body',
    answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"a":'),
    expect: { failure: 'connection_reset', httpStatus: 200 },
  },
  'long-headers': {
    title: 'sends headers of 40 KB',
    answer: (socket) => socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'x'.repeat(40_000)}\r\n\r\n`),
    expect: { failure: 'bad_response' },
  },
  'no-http': {
    title: 'speaks something else',
    answer: (socket) => socket.write('220 smtp.example ESMTP\r\n'),
    expect: { failure: 'bad_response' },
  },
  'zero-nine': {
    title: 'answers without a status line, as HTTP/0.9 did',
    answer: (socket) => socket.end('<h1>ok</h1>'),
    expect: { failure: 'bad_response' },
  },
  'short-length': {
    title: 'sends less than it announced, and closes',
    answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a":1}'),
    expect: { failure: 'connection_reset', httpStatus: 200 },
  },
  'two-lengths': {
    title: 'sends a length and chunks at once',
    answer: (socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      ),
    expect: { failure: 'bad_response' },
  },
  upgrade: {
    title: 'changes the protocol',
    answer: (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    expect: { failure: 'bad_response' },
  },
  interim: {
    title: 'sends interim answers without end',
    answer: (socket) => drip(socket, 1, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20)),
    expect: { failure: 'bad_response' },
  },
  redirects: {
    title: 'redirects to the metadata address',
    answer: reply('307 Temporary Redirect', '', ['location: https://169.254.169.254/latest']),
    expect: { failure: 'redirect_refused', httpStatus: 307 },
  },
  packed: {
    title: 'answers compressed',
    answer: reply('200 OK', Buffer.from([0x1f, 0x8b, 8, 0]), ['Content-Encoding: br, gzip']),
    expect: { failure: 'answer_unreadable', httpStatus: 200 },
  },
  private: {
    title: 'has a name that leads to a private address',
    dns: [['10.0.0.5']],
    expect: { failure: 'address_refused', requests: 0 },
  },
  mixed: {
    title: 'has a name that leads to a public and a private address',
    dns: [['127.0.0.1', '169.254.169.254']],
    expect: { failure: 'address_refused', requests: 0 },
  },
  mapped: {
    title: 'has a name that leads to a private address inside an IPv6 one',
    dns: [['::ffff:10.0.0.5']],
    expect: { failure: 'address_refused', requests: 0 },
  },
  nameless: {
    title: 'has a name whose servers are in trouble',
    dns: ['servfail'],
    expect: { failure: 'dns_failed', requests: 0 },
  },
  'slow-dns': {
    title: 'has a name whose servers never answer',
    dns: ['hangs'],
    expect: { failure: 'dns_failed', requests: 0 },
  },
  refused: {
    title: 'refuses the connection',
    fault: 'refused',
    expect: { failure: 'connect_refused', requests: 0 },
  },
  unanswered: {
    title: 'does not answer to the connection',
    fault: 'unanswered',
    expect: { failure: 'connect_timeout', requests: 0 },
  },
  handshake: {
    title: 'hangs in the TLS handshake',
    fault: 'handshake_stalls',
    expect: { failure: 'tls_failed', requests: 0 },
  },
  plain: {
    title: 'speaks HTTP without TLS',
    fault: 'plain_http',
    expect: { failure: 'tls_failed', requests: 0 },
  },
  expired: {
    title: 'has an expired certificate',
    fault: 'expired',
    expect: { failure: 'tls_failed', requests: 0 },
  },
  'other-name': {
    title: 'has the certificate of another name',
    fault: 'other_name',
    expect: { failure: 'tls_failed', requests: 0 },
  },
  'self-signed': {
    title: 'has a certificate of its own making',
    fault: 'self_signed',
    expect: { failure: 'tls_failed', requests: 0 },
  },
}

/** Rows that only the time-out of the call ends. */
const HANGING = ['silent', 'drips-headers', 'drips-body']

/** Public at the first connection, then not. */
const REBINDING = 'rebinds'

/** 2xx answers with more behind them than they announced. */
const OVERFULL: Record<string, Answer> = {
  'full-204': (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n{"extra":1}'),
  'long-200': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{"a":1}HTTP/1.1 200 OK\r\n'),
}

let world: World
let hostile: HostileReceiver
let outbound: OutboundClient
let companyId: string
const made = new Map<string, CallMade>()
beforeAll(async () => {
  world = await createWorld()
  hostile = await startHostileReceiver(world.receiver.authority, (row) =>
    row === REBINDING
      ? reply('200 OK', '{}', ['connection: close'])
      : (ROWS[row]?.answer ?? OVERFULL[row] ?? null),
  )
  outbound = createOutboundClient({
    resolve: createHostileResolver({
      [REBINDING]: [['127.0.0.1'], ['10.0.0.5']],
      ...Object.fromEntries(
        Object.entries(ROWS).flatMap(([row, { dns }]) => (dns ? [[row, dns]] : [])),
      ),
    }),
    isAllowedAddress: (address) => address === '127.0.0.1',
    extraCa: [world.receiver.certificate],
  })
  companyId = (await createShop(world)).companyId
  const rows = Object.entries(ROWS)
  const timers = holdTimers(CALL_LIMITS.timeoutMaxMs)
  try {
    const all = rows.map(async ([row, { fault }]) => made.set(row, await post(row, fault)))
    const othersEnded = () => made.size === rows.length - HANGING.length
    await waitUntil('the others to end', othersEnded, { withinMs: 50_000 })
    const isReached = (row: string) => hostile.requests(row).length === 1
    await waitUntil('what hangs to be asked', () => HANGING.every(isReached))
    for (let turn = 0; turn < 50; turn += 1) await nextTurn()
    timers.elapse()
    await Promise.all(all)
  } finally {
    timers.release()
  }
})
afterAll(async () => {
  outbound.close()
  await hostile.close()
  await world.close()
})

const post = (row: string, fault?: Fault) => ask(row, 'POST', fault)

async function ask(row: string, method: 'GET' | 'POST', fault?: Fault): Promise<CallMade> {
  const { context, keyRing } = world.service
  const id = context.ids.uuid()
  const now = world.clock.now()
  await context.db.kysely
    .insertInto('apiConnection')
    .values({
      id,
      companyId,
      name: row,
      baseUrl: hostile.url(row, fault),
      ...authColumns(keyRing, { id, companyId }, { kind: 'bearer', token: `token-of-${row}` }),
      timeoutMs: CALL_LIMITS.timeoutMaxMs,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  return makeCall(
    { ...context, keyRing, outbound },
    {
      companyId,
      request: {
        connectionId: id,
        method,
        path: '/',
        query: [],
        headers: [],
        body: method === 'POST' ? '{}' : null,
      },
      fillings: {},
      source: { kind: 'step', runId: context.ids.uuid(), stepId: 'ask' },
    },
  )
}

describe('A call fails once, and tells why, when the merchant’s server', () => {
  test.each(Object.entries(ROWS).map(([row, { title }]) => [title, row]))('%s', (_, row) => {
    const { failure, httpStatus = null, requests = 1 } = ROWS[row]!.expect
    const call = made.get(row)!
    expect(call).toMatchObject({
      outcome: 'failed',
      isMade: true,
      failure,
      httpStatus,
      attempts: 1,
      answer: null,
    })
    expect(JSON.stringify(call.detail)).not.toMatch(/token-of|127\.0\.0\.1|10\.0\.0\.5|169\.254/)
    expect(hostile.requests(row)).toHaveLength(requests)
  })
})

test.each(['endless', 'ten-gigabytes'])(
  'of an answer without end (%s) little more than 256 KB is read, and the connection is closed',
  async (row) => {
    await expect.poll(() => hostile.connection(row).isOpen).toBe(false)
    // What the two systems keep between them has a size of its own.
    expect(hostile.connection(row).bytesWritten).toBeLessThan(CALL_LIMITS.answerBytes + 16_000_000)
  },
)

test.each(['expired', 'refused', 'nameless'])(
  'a GET that cannot connect (%s) is tried once more; an address that is refused stays refused',
  async (row) => {
    expect(await ask(row, 'GET', ROWS[row]!.fault)).toMatchObject({ attempts: 2 })
    expect(await ask('private', 'GET')).toMatchObject({ attempts: 1 })
  },
)

test('a name that leads elsewhere at the next connection is judged again', async () => {
  expect(await post(REBINDING)).toMatchObject({ outcome: 'success' })
  expect(await post(REBINDING)).toMatchObject({ failure: 'address_refused', httpStatus: null })
  expect(hostile.requests(REBINDING)).toHaveLength(1)
})

test.each([
  ['full-204', 204, null],
  ['long-200', 200, '{"a":1}'],
])(
  'what comes behind an answer (%s) is no part of it and spoils no other',
  async (row, httpStatus, answerText) => {
    const expected = { outcome: 'success', httpStatus, answerText }
    expect(await post(row)).toMatchObject(expected)
    expect(await post(row)).toMatchObject(expected)
    expect(hostile.requests(row)).toHaveLength(2)
  },
)

test('no word of a credential is in the log of calls or of the service', async () => {
  const { rows } = await world.database.db.pool.query('select * from call_log')
  expect(rows.length).toBeGreaterThan(Object.keys(ROWS).length)
  expect(JSON.stringify([rows, world.logged])).not.toContain('token-of')
})
