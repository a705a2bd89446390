import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCall, type CompletedCall } from '../../src/modules/connections/make-call.ts'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { createOutboundClient } from '../../src/infra/egress/outbound-client.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { drip, reply, type Answer } from '../egress/support/receiver.ts'
import {
  createHostileResolver,
  startHostileReceiver,
  type Fault,
  type LookUp,
} from '../support/hostile-receiver.ts'
import { openWorld } from '../support/open-world.ts'
import { callsOf } from '../support/records/calls.ts'
import { connectApi } from '../support/shop-api.ts'
import { createShop } from '../support/shop.ts'
import { requestOf } from './call-bench.ts'

const CHUNK = `4000\r\n${'x'.repeat(0x4000)}\r\n`

type Row = {
  title: string
  answer?: Answer
  /** With a fault, or a name that leads nowhere good, no request comes in. */
  fault?: Fault
  dns?: LookUp[]
  failure: string
  httpStatus?: number
}

const OK = 'HTTP/1.1 200 OK\r\n'
const write =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text)
const end =
  (text: string): Answer =>
  (socket) =>
    void socket.end(text)

const unreadable = (title: string, answer: Answer): Row => ({
  title,
  answer,
  failure: 'bad_response',
})
const named = (what: string, dns: LookUp[], failure = 'address_refused'): Row => ({
  title: `has a name that ${what}`,
  dns,
  failure,
})
const faulty = (title: string, fault: Fault, failure = 'tls_failed'): Row => ({
  title,
  fault,
  failure,
})

const ROWS: Record<string, Row> = {
  silent: { title: 'never answers', answer: () => undefined, failure: 'timeout' },
  'drips-headers': {
    title: 'sends its headers byte by byte, without end',
    answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\nx-a: ')
      drip(socket, 50, 'x')
    },
    failure: 'timeout',
  },
  'drips-body': {
    title: 'sends its body byte by byte, beyond the time-out',
    answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
      drip(socket, 50, 'x')
    },
    failure: 'timeout',
    httpStatus: 200,
  },
  endless: {
    title: 'sends chunks without end',
    answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      drip(socket, 1, CHUNK)
    },
    failure: 'answer_too_large',
    httpStatus: 200,
  },
  'ten-gigabytes': {
    title: 'announces 10 GB and begins to send them',
    answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n')
      drip(socket, 1, 'x'.repeat(0x4000))
    },
    failure: 'answer_too_large',
    httpStatus: 200,
  },
  'resets-at-once': {
    title: 'closes the connection before it answers',
    answer: (socket) => socket.destroy(),
    failure: 'connection_reset',
  },
  'resets-in-body': {
    title: 'closes the connection in the middle of its body',
    answer: end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"a":'),
    failure: 'connection_reset',
    httpStatus: 200,
  },
  'short-length': {
    title: 'sends less than it announced, and closes',
    answer: end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a":1}'),
    failure: 'connection_reset',
    httpStatus: 200,
  },
  'long-headers': unreadable(
    'sends headers of 40 KB',
    write(`${OK}x-a: ${'x'.repeat(40_000)}\r\n\r\n`),
  ),
  'no-http': unreadable('speaks something else', write('220 smtp.example ESMTP\r\n')),
  'zero-nine': unreadable('answers without a status line, as HTTP/0.9 did', end('<h1>ok</h1>')),
  'two-lengths': unreadable(
    'sends a length and chunks at once',
    write(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  ),
  upgrade: unreadable(
    'changes the protocol',
    write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ),
  interim: unreadable('sends interim answers without end', (socket) =>
    drip(socket, 1, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20)),
  ),
  redirects: {
    title: 'redirects to the metadata address',
    answer: reply('307 Temporary Redirect', '', ['location: https://169.254.169.254/latest']),
    failure: 'redirect_refused',
    httpStatus: 307,
  },
  private: named('leads to a private address', [['10.0.0.5']]),
  mixed: named('leads to a public and a private address', [['127.0.0.1', '169.254.169.254']]),
  mapped: named('leads to a private address inside an IPv6 one', [['::ffff:10.0.0.5']]),
  nameless: named('makes its name servers fail', ['servfail'], 'dns_failed'),
  'slow-dns': named('is known to servers that never answer', ['hangs'], 'dns_failed'),
  refused: faulty('refuses the connection', 'refused', 'connect_refused'),
  unanswered: faulty('does not answer to the connection', 'unanswered', 'connect_timeout'),
  handshake: faulty('hangs in the TLS handshake', 'handshake_stalls'),
  plain: faulty('speaks HTTP without TLS', 'plain_http'),
  expired: faulty('has an expired certificate', 'expired'),
  'other-name': faulty('has the certificate of another name', 'other_name'),
  'self-signed': faulty('has a certificate of its own making', 'self_signed'),
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

const world = await openWorld()
const { companyId } = await createShop(world)
const hostile = await startHostileReceiver(world.receiver.authority, (row) =>
  row === REBINDING
    ? reply('200 OK', '{}', ['connection: close'])
    : (ROWS[row]?.answer ?? OVERFULL[row] ?? null),
)
const lookUps = Object.entries(ROWS).flatMap(([row, { dns }]) =>
  dns ? [[row, dns] as [string, LookUp[]]] : [],
)
const outbound = createOutboundClient({
  resolve: createHostileResolver({
    [REBINDING]: [['127.0.0.1'], ['10.0.0.5']],
    ...Object.fromEntries(lookUps),
  }),
  isAllowedAddress: (address) => address === '127.0.0.1',
  extraCa: [world.receiver.certificate],
})
afterAll(async () => {
  outbound.close()
  await hostile.close()
})

const made = new Map<string, CompletedCall>()
beforeAll(async () => {
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
const post = (row: string, fault?: Fault) => ask(row, 'POST', fault)

async function ask(row: string, method: 'GET' | 'POST', fault?: Fault): Promise<CompletedCall> {
  const { context, keyRing } = world.service
  const connectionId = await connectApi(world, {
    companyId,
    baseUrl: hostile.url(row, fault),
    auth: { kind: 'bearer', token: `token-of-${row}` },
    timeoutMs: CALL_LIMITS.timeoutMaxMs,
  })
  return makeCall(
    { ...context, keyRing, outbound },
    {
      companyId,
      request: requestOf(connectionId, {
        method,
        path: '/',
        body: method === 'POST' ? '{}' : null,
      }),
      fillings: {},
      source: { kind: 'step', runId: context.ids.uuid(), stepId: 'ask' },
    },
  )
}

describe('A call fails once, and tells why, when the merchant’s server', () => {
  test.each(Object.entries(ROWS).map(([row, { title }]) => [title, row]))('%s', (_, row) => {
    const { failure, httpStatus = null, fault, dns } = ROWS[row]!
    const call = made.get(row)!
    expect(call).toMatchObject({
      outcome: 'failed',
      isMade: true,
      failure,
      httpStatus,
      attempts: 1,
      answer: null,
    })
    // Where a redirect leads is what the merchant's server said itself.
    const detail = JSON.stringify(call.detail).replace('"https://169.254.169.254"', '')
    expect(detail).not.toMatch(/token-of|127\.0\.0\.1|10\.0\.0\.5|169\.254/)
    expect(hostile.requests(row)).toHaveLength(fault || dns ? 0 : 1)
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
  const logged = await callsOf(world, { companyId })
  expect(logged.length).toBeGreaterThan(Object.keys(ROWS).length)
  expect(JSON.stringify([logged, world.logged])).not.toContain('token-of')
})
