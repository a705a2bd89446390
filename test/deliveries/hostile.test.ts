/**
 * What has gone wrong at receivers, each as a delivery through the whole engine: an event, its first
 * attempt in the log, and a second one a minute later, when the receiver has been put right. All rows
 * are attempted together. The deadline of the attempts comes once all that end by themselves have ended.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readFact } from '../../src/facts/stored-fact.ts'
import { LANGUAGES } from '../../src/vocabulary/hooks.ts'
import { tellFact } from '../../src/words/tell-fact.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../src/database/transaction.ts'
import { DELIVERY_LIMITS } from '../../src/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { raiseEvent } from '../../src/events/raise-event.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { reply } from '../outbound/support/receiver.ts'
import {
  createHostileResolver,
  startHostileReceiver,
  type HostileReceiver,
  type LookUp,
} from '../support/hostile-receiver.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { ROWS, type Row } from './hostile-rows.ts'
import { PATIENCE } from '../support/patience.ts'

/** Rows that only the deadline of an attempt ends. */
const HANGING = ['ok-drip', 'header-drip', 'silent', 'too-late']
const ENDLESS = ['ok-flood', 'ok-drip']
const MUST_CLOSE = Object.entries(ROWS)
  .filter(([, { error }]) => error === 'timeout' || error === 'bad_response')
  .map(([row]) => row)
  .concat(ENDLESS)
const MESSAGE = 'مرحبا 😀 \u2028 9007199254740993 "b":1,"a":2'

type Log = Awaited<ReturnType<typeof readLog>>
const rows = new Map<string, { shopId: string; first: Log; requests: number; isOpen: boolean }>()
let world: World
let hostile: HostileReceiver

async function readLog(companyId: string) {
  const { kysely } = world.database.db
  const where = ['companyId', '=', companyId] as const
  const delivery = await kysely
    .selectFrom('webhookDelivery')
    .selectAll()
    .where(...where)
    .executeTakeFirstOrThrow()
  const attempts = await kysely
    .selectFrom('deliveryAttempt')
    .selectAll()
    .where(...where)
    .orderBy('number')
    .execute()
  return { delivery, attempts }
}

async function attemptsMade(): Promise<number> {
  const { rows: found } = await world.database.db.pool.query<{ count: number }>(
    'select count(*)::int as count from delivery_attempt',
  )
  return found[0]!.count
}

beforeAll(async () => {
  const lookUps = Object.entries(ROWS).map(([row, { lookUps: given }]) => [row, given ?? []])
  const known = lookUps.filter(([, given]) => given!.length > 0)
  world = await createWorld({
    resolve: createHostileResolver(Object.fromEntries(known) as Record<string, LookUp[]>),
  })
  hostile = await startHostileReceiver(world.receiver.authority, (row, number) => {
    const answer = ROWS[row]?.answer
    return number > 1 || answer === undefined ? reply('200 OK', 'thanks') : answer
  })
  const { db, ids, clock } = world.service.context
  for (const [row, { fault }] of Object.entries(ROWS)) {
    const receiver = { ...world.receiver, url: hostile.url(row, fault) }
    const shop = await createShop({ ...world, receiver }, { phoneNumberId: row })
    rows.set(row, { shopId: shop.companyId, first: null!, requests: 0, isOpen: false })
    const event = {
      type: 'ping' as const,
      company: { id: shop.companyId, name: 'Shop' },
      data: { message: MESSAGE },
      occurredAt: clock.now(),
    }
    await transaction(db, (tx) => raiseEvent(tx, { ids, now: clock.now() }, event))
  }
  const timers = holdTimers(DELIVERY_LIMITS.answerMs, DELIVERY_LIMITS.answerMs - 2_500)
  try {
    const attempts = world.service.processAll()
    const othersEnded = async () => (await attemptsMade()) === rows.size - HANGING.length
    await waitUntil('the others to end', othersEnded, { withinMs: 50_000 })
    const isReached = (row: string) => hostile.requests(row).length === 1
    await waitUntil('what hangs to be asked', () => HANGING.every(isReached))
    for (let turn = 0; turn < 50; turn += 1) await nextTurn()
    timers.elapse()
    await attempts
  } finally {
    timers.release()
  }
  // The network tells of an end a moment later.
  const isOpen = (row: string) => hostile.connection(row).isOpen
  await waitUntil('the connections to close', () => !MUST_CLOSE.some(isOpen)).catch(() => {})
  for (const [row, found] of rows) {
    found.first = await readLog(found.shopId)
    found.requests = hostile.requests(row).length
    found.isOpen = isOpen(row)
  }
  // A minute later every receiver has been put right.
  for (const [row, { fault }] of Object.entries(ROWS)) {
    if (!fault) continue
    await db.kysely
      .updateTable('endpoint')
      .set({ url: hostile.url(row) })
      .where('companyId', '=', rows.get(row)!.shopId)
      .execute()
  }
  world.clock.advance(MINUTE_MS)
  await world.service.processAll()
}, 90_000 * PATIENCE)
afterAll(async () => {
  await hostile?.close()
  await world?.close()
})

const isKind = ([, { error }]: [string, Row]) => error === null
const named = (entries: [string, Row][]) => entries.map(([row, { what }]) => [what, row] as const)

describe('delivered, and asked for once, is what is answered with', () => {
  test.each(named(Object.entries(ROWS).filter(isKind)))('%s', async (_, row) => {
    const { first, requests } = rows.get(row)!
    const { status, head } = ROWS[row]!
    expect(first.delivery).toMatchObject({ state: 'delivered', attempts: 1, claimId: null })
    expect(first.attempts).toMatchObject([{ number: 1, error: null, httpStatus: status }])
    if (head !== undefined) expect(first.attempts[0]!.answerHead).toEqual(Buffer.from(head))
    expect(first.attempts[0]!.answerHead!.length).toBeLessThanOrEqual(2_048)
    expect(requests).toBe(1)
    const later = await readLog(rows.get(row)!.shopId)
    expect(later).toEqual(first)
  })

  test('an answer that does not end, and its connection is gone by the deadline', () => {
    for (const row of ENDLESS) expect(rows.get(row)!.isOpen).toBe(false)
    // What the network holds between the two, of the terabyte.
    expect(hostile.connection('ok-flood').bytesWritten).toBeLessThan(100_000_000)
  })
})

describe('failed, and delivered a minute later by the second attempt, is what meets', () => {
  const failing = Object.entries(ROWS).filter((entry) => !isKind(entry))
  test.each(named(failing))('%s', async (_, row) => {
    const { first, requests } = rows.get(row)!
    const { error, status = null, head } = ROWS[row]!
    expect(first.attempts).toMatchObject([{ number: 1, error, httpStatus: status }])
    if (head !== undefined) expect(first.attempts[0]!.answerHead).toEqual(Buffer.from(head))
    expect(first.delivery).toMatchObject({ state: 'pending', attempts: 1, claimId: null })
    expect(requests).toBe(ROWS[row]!.requests ?? 1)
    const { delivery, attempts } = await readLog(rows.get(row)!.shopId)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2 })
    expect(attempts).toMatchObject([{ number: 1 }, { number: 2, error: null, httpStatus: 200 }])
    expect(attempts[1]!.startedAt.getTime() - attempts[0]!.startedAt.getTime()).toBe(MINUTE_MS)
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

test('what an attempt says of an error helps the merchant and names no address', async () => {
  for (const { first } of rows.values()) {
    const [attempt] = first.attempts
    if (attempt!.error === null || attempt!.httpStatus !== null) continue
    const detail = readFact(attempt!.errorDetail!)
    for (const language of LANGUAGES) expect(tellFact(detail, language)).toMatch(/[.]$/)
    expect(attempt!.errorDetail).not.toMatch(/\d+\.\d+\.\d+\.\d+|whsec_/)
  }
})
