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

type Row = {
  title: string
  answer?: Answer
  /** A fault, or a name that resolves to no public address, keeps the request from arriving. */
  fault?: Fault
  dns?: LookUp[]
  failure: string
  httpStatus?: number
}

const OK = 'HTTP/1.1 200 OK\r\n'
/** Writes the text, then more text without end. */
const drips =
  (text: string, everyMs: number, more: string): Answer =>
  (socket) => {
    socket.write(OK + text)
    drip(socket, everyMs, more)
  }
const BODY_DRIPS = drips('content-length: 1000\r\n\r\n', 50, 'x')
const CHUNK = `4000\r\n${'x'.repeat(0x4000)}\r\n`
const ENDLESS = drips('transfer-encoding: chunked\r\n\r\n', 1, CHUNK)
const BREAKS: Answer = (socket) => socket.end(`${OK}content-length: 50\r\n\r\n{"a":`)
const SMTP: Answer = (socket) => socket.write('220 smtp.example ESMTP\r\n')
const METADATA = 'https://169.254.169.254/latest'
const MOVED = reply('307 Temporary Redirect', '', [`location: ${METADATA}`])

/** One row for each failure. Other causes of a failure are in test/egress. */
const ROWS: Record<string, Row> = {
  silent: { title: 'never answers', answer: () => undefined, failure: 'timeout' },
  drips: { title: 'drips its body', answer: BODY_DRIPS, failure: 'timeout', httpStatus: 200 },
  endless: {
    title: 'sends chunks without end',
    answer: ENDLESS,
    failure: 'answer_too_large',
    httpStatus: 200,
  },
  breaks: {
    title: 'closes the connection in the middle of its body',
    answer: BREAKS,
    failure: 'connection_reset',
    httpStatus: 200,
  },
  'no-http': { title: 'speaks something else', answer: SMTP, failure: 'bad_response' },
  redirects: {
    title: 'redirects to the metadata address',
    answer: MOVED,
    failure: 'redirect_refused',
    httpStatus: 307,
  },
  private: { title: 'has a private address', dns: [['10.0.0.5']], failure: 'address_refused' },
  nameless: { title: 'has no name servers', dns: ['servfail'], failure: 'dns_failed' },
  refused: { title: 'refuses the connection', fault: 'refused', failure: 'connect_refused' },
  unanswered: { title: 'accepts none', fault: 'unanswered', failure: 'connect_timeout' },
  expired: { title: 'has an expired certificate', fault: 'expired', failure: 'tls_failed' },
}

/** The rows that only the timeout of the call ends. */
const HANGING = ['silent', 'drips']

/** A name with a public address at the first connection, and a private one at the next. */
const REBINDING = 'rebinds'

/** 2xx answers with more bytes after them than they announced. */
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

describe('A call fails once, with the reason, when the merchant’s server', () => {
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
    // The target of the redirect comes from the merchant's server.
    const detail = JSON.stringify(call.detail).replace('"https://169.254.169.254"', '')
    expect(detail).not.toMatch(/token-of|127\.0\.0\.1|10\.0\.0\.5|169\.254/)
    expect(hostile.requests(row)).toHaveLength(fault || dns ? 0 : 1)
  })
})

test('an endless answer is read up to little more than 256 KB, and the connection is closed', async () => {
  await expect.poll(() => hostile.connection('endless').isOpen).toBe(false)
  // The operating systems at both ends buffer an amount that they choose.
  const { bytesWritten } = hostile.connection('endless')
  expect(bytesWritten).toBeLessThan(CALL_LIMITS.answerBytes + 16_000_000)
})

const UNCONNECTED = ['expired', 'refused', 'nameless']
test.each(UNCONNECTED)('a GET that cannot connect is retried once: %s', async (row) => {
  expect(await ask(row, 'GET', ROWS[row]!.fault)).toMatchObject({ attempts: 2 })
  expect(await ask('private', 'GET')).toMatchObject({ attempts: 1 })
})

test('a name that resolves differently at the next connection is checked again', async () => {
  expect(await post(REBINDING)).toMatchObject({ outcome: 'success' })
  expect(await post(REBINDING)).toMatchObject({ failure: 'address_refused', httpStatus: null })
  expect(hostile.requests(REBINDING)).toHaveLength(1)
})

test.each([
  ['full-204', 204, null],
  ['long-200', 200, '{"a":1}'],
])(
  'surplus bytes after an answer (%s) do not affect the next one',
  async (row, httpStatus, answerText) => {
    const expected = { outcome: 'success', httpStatus, answerText }
    expect(await post(row)).toMatchObject(expected)
    expect(await post(row)).toMatchObject(expected)
    expect(hostile.requests(row)).toHaveLength(2)
  },
)

test('no part of a credential is in the log of calls or of the service', async () => {
  const logged = await callsOf(world, { companyId })
  expect(logged.length).toBeGreaterThan(Object.keys(ROWS).length)
  expect(JSON.stringify([logged, world.logged])).not.toContain('token-of')
})
