/**
 * Faults of receivers, each as a delivery through the whole service: an event, its first attempt in the log, and a
 * second one a minute later, when the receiver works. All rows are attempted together. The deadline of the attempts
 * passes once all that end without it have ended.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fact } from '../../src/core/facts/fact.ts'
import { parseFact } from '../../src/core/facts/stored-fact.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { formatFact } from '../../src/i18n/format-fact.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { drip, reply, type Answer } from '../egress/support/receiver.ts'
import {
  createHostileResolver,
  startHostileReceiver,
  type Fault,
  type LookUp,
} from '../support/hostile-receiver.ts'
import { raisePings } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { putEndpoint } from '../support/records/endpoints.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const LONG = 'x'.repeat(10_240)
/** Bytes that PostgreSQL accepts in no text. */
const BYTES = Buffer.from([0, 0xff, 0xd8, 0x00, 0x41])
const PAGE = '<script>alert(1)</script>'
const ELSEWHERE = ['location: https://user:pw@other.example:8443/x?key=secret']
const LATER = ['retry-after: 86400']
const WELL = ['127.0.0.1']

const writes =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text)
const drips =
  (text: string): Answer =>
  (socket) => {
    socket.write(text)
    drip(socket, 150, 'x')
  }
/** Writes as much as the other side accepts. */
const flood: Answer = (socket) => {
  const piece = Buffer.alloc(65_536, 'x')
  const pour = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', pour)
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n')
  pour()
}

/** The first answer (null: none, for ever), and what the log shows: error, status, kept beginning. */
type Answered = [
  what: string,
  answer: Answer | null,
  error: string | null,
  status?: number,
  head?: Buffer | string,
]
const DRIPPED = 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'
/** Rows by the first label of the receiver's host name, one for each outcome: test/egress has the other causes. */
const DELIVERED: Record<string, Answered> = {
  'ok-206': ['206', reply('206 Partial Content'), null, 206],
  'ok-long': ['200 and 10 KB', reply('200 OK', LONG), null, 200, LONG.slice(0, 2_048)],
  'ok-flood': ['200 and a terabyte announced', flood, null, 200, Buffer.alloc(2_048, 'x')],
  'ok-drip': ['200 immediately and a body that drips for ever', drips(DRIPPED), null, 200],
  'ok-bytes': ['200 with NUL and bytes that are no text', reply('200 OK', BYTES), null, 200, BYTES],
}
const FAILED: Record<string, Answered> = {
  script: ['500 with a page of scripts', reply('500 Oh', PAGE), 'http_error', 500, PAGE],
  later: ['429 and when to come back', reply('429 Slow', '', LATER), 'http_error', 429],
  'moved-301': ['301', reply('301 Moved', '', ['location: /target']), 'redirect_refused', 301],
  'moved-302': ['302, elsewhere', reply('302 Found', '', ELSEWHERE), 'redirect_refused', 302],
  garbage: ['no HTTP', writes('SSH-2.0-OpenSSH_9.2\r\n'), 'bad_response'],
  drips: ['headers that drip, byte by byte', drips('HTTP/1.1 200 OK\r\nx-long: '), 'timeout'],
  silent: ['silence', null, 'timeout'],
  reset: ['a reset before the headers', (socket) => void socket.destroy(), 'connection_reset'],
}
type Unreached = [what: string, error: string, fault: Fault | null, leadsTo?: LookUp]
/** Receivers that the first attempt does not reach: a fault, or the first address of the name. */
const UNREACHED: Record<string, Unreached> = {
  refused: ['nothing that listens', 'connect_refused', 'refused'],
  unanswered: ['a connection that hangs', 'connect_timeout', 'unanswered'],
  expired: ['an expired certificate', 'tls_failed', 'expired'],
  private: ['a name that is private now', 'address_refused', null, ['10.0.0.1']],
  odd: ['an odd spelling of an address', 'address_refused', null, ['2130706433']],
  servfail: ['name servers that fail', 'dns_failed', null, 'servfail'],
}

const ANSWERS: Record<string, Answered> = { ...DELIVERED, ...FAILED }
const ROWS = [...Object.keys(ANSWERS), ...Object.keys(UNREACHED)]
const faultOf = (row: string) => UNREACHED[row]?.[2] ?? undefined
/** Rows that only the deadline of an attempt ends. */
const HANGING = ['ok-drip', 'drips', 'silent']
const ENDLESS = ['ok-flood', 'ok-drip']
const MUST_CLOSE = [...ENDLESS, 'garbage', 'drips', 'silent']
const MESSAGE = 'مرحبا 😀 \u2028 9007199254740993 "b":1,"a":2'

type Log = Awaited<ReturnType<typeof readLog>>
const rows = new Map<string, { shop: Shop; first: Log; requests: number; isOpen: boolean }>()

const lookUps = Object.entries(UNREACHED).flatMap(([row, [, , , leadsTo]]) =>
  leadsTo ? [[row, [leadsTo, WELL]] as [string, LookUp[]]] : [],
)
const world = await openWorld({ resolve: createHostileResolver(Object.fromEntries(lookUps)) })
const hostile = await startHostileReceiver(world.receiver.authority, (row, number) => {
  const answer = ANSWERS[row]?.[1]
  return number > 1 || answer === undefined ? reply('200 OK', 'thanks') : answer
})
afterAll(() => hostile.close())

async function readLog(shop: Shop) {
  const [delivery] = await deliveriesOf(world, shop)
  return { delivery: delivery!, attempts: await attemptsOf(world, delivery!.id) }
}

async function attemptsMade(): Promise<number> {
  let made = 0
  for (const { shop } of rows.values()) made += (await deliveriesOf(world, shop))[0]!.attempts
  return made
}

beforeAll(async () => {
  for (const row of ROWS) {
    const receiver = { ...world.receiver, url: hostile.url(row, faultOf(row)) }
    const shop = await createOwnShop({ ...world, receiver })
    rows.set(row, { shop, first: null!, requests: 0, isOpen: false })
    await raisePings(world, shop, 1, { message: MESSAGE })
  }
  const timers = holdTimers(DELIVERY_LIMITS.answerMs, DELIVERY_LIMITS.answerMs - 2_500)
  try {
    const attempts = world.service.processAll()
    const othersEnded = async () => (await attemptsMade()) === rows.size - HANGING.length
    await waitUntil('the others to end', othersEnded, { withinMs: 50_000, everyMs: 50 })
    const isReached = (row: string) => hostile.requests(row).length === 1
    await waitUntil('the hanging requests', () => HANGING.every(isReached))
    for (let turn = 0; turn < 50; turn += 1) await nextTurn()
    timers.elapse()
    await attempts
  } finally {
    timers.release()
  }
  // The network reports an end a moment later.
  const isOpen = (row: string) => hostile.connection(row).isOpen
  await waitUntil('the connections to close', () => !MUST_CLOSE.some(isOpen)).catch(() => {})
  for (const [row, found] of rows) {
    found.first = await readLog(found.shop)
    found.requests = hostile.requests(row).length
    found.isOpen = isOpen(row)
  }
  // Every receiver works a minute later.
  for (const row of ROWS) {
    if (faultOf(row)) await putEndpoint(world, rows.get(row)!.shop, { url: hostile.url(row) })
  }
  world.clock.advance(MINUTE_MS)
  await world.service.processAll()
}, 90_000 * TIMEOUT_FACTOR)

const named = (of: Record<string, [string, ...unknown[]]>) =>
  Object.entries(of).map(([row, [what]]) => [what, row] as const)

describe('delivered, and posted once, with the answer of', () => {
  test.each(named(DELIVERED))('%s', async (_, row) => {
    const { first, requests } = rows.get(row)!
    const [, , , status, head] = DELIVERED[row]!
    expect(first.delivery).toMatchObject({ state: 'delivered', attempts: 1, claimId: null })
    expect(first.attempts).toMatchObject([{ number: 1, error: null, httpStatus: status }])
    if (head !== undefined) expect(first.attempts[0]!.answerHead).toEqual(Buffer.from(head))
    expect(first.attempts[0]!.answerHead!.length).toBeLessThanOrEqual(2_048)
    expect(requests).toBe(1)
    const later = await readLog(rows.get(row)!.shop)
    expect(later).toEqual(first)
  })

  test('an answer without end, whose connection is closed by the deadline', () => {
    for (const row of ENDLESS) expect(rows.get(row)!.isOpen).toBe(false)
    // The network buffers hold some of the terabyte.
    expect(hostile.connection('ok-flood').bytesWritten).toBeLessThan(100_000_000)
  })
})

describe('failed, and delivered a minute later by the second attempt, after', () => {
  test.each(named({ ...FAILED, ...UNREACHED }))('%s', async (_, row) => {
    const { first, requests } = rows.get(row)!
    const [, , error, httpStatus = null, head] = FAILED[row] ?? ['', null, UNREACHED[row]![1]]
    expect(first.attempts).toMatchObject([{ number: 1, error, httpStatus }])
    if (head !== undefined) expect(first.attempts[0]!.answerHead).toEqual(Buffer.from(head))
    expect(first.delivery).toMatchObject({ state: 'pending', attempts: 1, claimId: null })
    expect(requests).toBe(row in UNREACHED ? 0 : 1)
    const { delivery, attempts } = await readLog(rows.get(row)!.shop)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2 })
    expect(attempts).toMatchObject([{ number: 1 }, { number: 2, error: null, httpStatus: 200 }])
    expect(attempts[1]!.startedAt.getTime() - attempts[0]!.startedAt.getTime()).toBe(MINUTE_MS)
  })

  test('a redirect names the server that it leads to, and nothing else of its target', async () => {
    const detailOf = async (row: string) => {
      const { attempts } = await readLog(rows.get(row)!.shop)
      return parseFact(attempts[0]!.errorDetail!)
    }
    const origin = 'https://other.example:8443'
    expect(await detailOf('moved-302')).toEqual(fact('redirects_to', { origin }))
    expect(await detailOf('moved-301')).toEqual(fact('redirects_within'))
  })

  test('no redirect was followed', () => {
    for (const row of rows.keys()) {
      expect(hostile.requests(row).map(({ path }) => path)).not.toContain('/target')
    }
  })

  test('no connection of a failed attempt stays open', () => {
    for (const row of MUST_CLOSE) expect(rows.get(row)!.isOpen).toBe(false)
  })
})

test('the body is the same bytes at every attempt, in UTF-8, and its length counts bytes', () => {
  for (const row of rows.keys()) {
    const bodies = hostile.requests(row).map(({ body }) => body)
    expect(new Set(bodies.map((body) => body.toString('hex'))).size).toBe(1)
    const text = bodies[0]!.toString('utf8')
    expect(text).toContain('مرحبا 😀')
    expect((JSON.parse(text) as { data: { message: string } }).data.message).toBe(MESSAGE)
    for (const { headers, body } of hostile.requests(row)) {
      expect(Number(headers['content-length'])).toBe(body.length)
      expect(headers['transfer-encoding']).toBeUndefined()
    }
  }
})

test('the error of an attempt helps the merchant and names no address', async () => {
  for (const { first } of rows.values()) {
    const [attempt] = first.attempts
    if (attempt!.error === null || attempt!.httpStatus !== null) continue
    const detail = parseFact(attempt!.errorDetail!)
    for (const language of LANGUAGES) expect(formatFact(detail, language)).toMatch(/[.]$/)
    expect(attempt!.errorDetail).not.toMatch(/\d+\.\d+\.\d+\.\d+|whsec_/)
  }
})
