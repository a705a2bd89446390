/**
 * Two processes deliver from one database while events keep coming; one of them, the engine alone, is
 * killed at random moments and started again. A tenth of the answers are 500. Whatever the moment: every event arrives,
 * nothing is called delivered that did not arrive, every request that the receiver saw is in the log but
 * those whose claim was cut off, and the failures of an endpoint are counted exactly.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../src/database/transaction.ts'
import { createWorkSignal } from '../../src/database/work-signal.ts'
import { DELIVERY_LIMITS } from '../../src/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { eventIdText } from '../../src/events/event-id.ts'
import { raiseEvent } from '../../src/events/raise-event.ts'
import { createKillableService, type KillableService } from '../support/killable-service.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { connectionUrl, createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { repeatWhile } from '../support/wait.ts'
import { PATIENCE } from '../support/patience.ts'
import { createRandom } from '../support/random.ts'

const KILLS = howManyKills({ most: 10 })
/** What a claim cut off blocks its endpoint's places until its lease ends: many share the load. */
const SHOPS = 24
const LIVES_MS = 150
const RAISE_EVERY_MS = 50
/** Long enough that a kill finds something under way. */
const ANSWER_MS = 30
/** Fewer failures than switch an endpoint off, however often each is attempted. */
const EVENTS_OF_FAILING = 11
/** More than switch it off at their first attempt. */
const EVENTS_OF_GIVEN_UP = 130

/** What an attempt ends with that was given no time. */
const OUT_OF_TIME = new Set<string | null>(['timeout', 'connect_timeout', 'tls_failed'])

const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
const folder = mkdtempSync(path.join(tmpdir(), 'wasla-deliveries-kill-'))
const clock = {
  aheadMs: 0,
  now: () => new Date(new Date().getTime() + clock.aheadMs),
}
let world: World
let shops: Shop[]
let failing: Shop
let givenUp: Shop
let steady: KillableService
let killed: KillableService

beforeAll(async () => {
  // The world gives the database and the receiver, and raises the events; its service does no work yet.
  world = await createWorld({ encryptionKeys, clock })
  const at = (row: string) => ({
    ...world,
    receiver: { ...world.receiver, url: world.receiver.url.replace('/events', `/${row}`) },
  })
  shops = []
  for (let shop = 0; shop < SHOPS; shop += 1) {
    shops.push(await createShop(at('sometimes'), { phoneNumberId: `1000${shop}` }))
  }
  failing = await createShop(at('never'), { phoneNumberId: '2000' })
  givenUp = await createShop(at('never'), { phoneNumberId: '3000' })
  // Every claim that ends without its attempt in the log, by the hand of the database.
  await sql`create table cut_off (delivery_id uuid not null)`.execute(world.database.db.kysely)
  await sql`create function note_cut_off() returns trigger language plpgsql as $$
    begin insert into cut_off values (old.id); return null; end $$`.execute(
    world.database.db.kysely,
  )
  await sql`create trigger cut_off after update on webhook_delivery for each row
    when (old.claim_id is not null and new.claim_id is distinct from old.claim_id
      and new.attempts = old.attempts) execute function note_cut_off()`.execute(
    world.database.db.kysely,
  )
  const caFile = path.join(folder, 'ca.pem')
  writeFileSync(caFile, world.receiver.certificate)
  const env = {
    DATABASE_URL: connectionUrl(world.database.connection),
    DATABASE_POOL: '6',
    DEMONSTRATION: 'off',
    EGRESS_ALLOW: '127.0.0.0/8',
    EXTRA_CA_FILE: caFile,
    ENCRYPTION_KEYS: encryptionKeys,
    PORT: '0',
    LOG_LEVEL: 'warn',
  }
  steady = createKillableService({ ...env, DATA_FOLDER: path.join(folder, 'steady') })
  killed = createKillableService(
    { ...env, DATA_FOLDER: path.join(folder, 'killed') },
    'delivery-process.ts',
  )
  // Who is killed leaves no compiled code behind for its next start; who stops does.
  await killed.start()
  await killed.stop()
}, 90_000 * PATIENCE)
afterAll(async () => {
  await Promise.all([steady, killed].map((service) => service.stop()))
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

test(
  `killed at ${KILLS} random moments, no event is lost and no attempt is invented`,
  async () => {
    const answered = new Map<string, number[]>()
    let isKind = false
    const random = createRandom('answers')
    world.receiver.answerWith(({ path: at, headers }) => {
      const status = at === '/never' || (!isKind && random() < 0.1) ? 500 : 204
      const id = headers['x-service-delivery']!
      answered.set(id, [...(answered.get(id) ?? []), status])
      return status
    })
    world.receiver.answerAfter(ANSWER_MS)
    const signal = createWorkSignal(world.database.db.pool, pino({ level: 'silent' }))
    const raise = async (raising: readonly Shop[]) => {
      const { db, ids } = world.service.context
      await transaction(db, async (tx) => {
        for (const { companyId } of raising) {
          const company = { id: companyId, name: 'Shop' }
          const data = { message: 'hello' }
          const occurredAt = clock.now()
          await raiseEvent(
            tx,
            { ids, now: occurredAt },
            { type: 'ping', company, data, occurredAt },
          )
        }
      })
      signal.tell()
    }
    let isRaising = true
    async function raiseOn() {
      let turn = 0
      const raiseTwo = async () => {
        await raise([shops[(turn * 2) % SHOPS]!, shops[(turn * 2 + 1) % SHOPS]!])
        turn += 1
      }
      const patience = { withinMs: killsTakeMs(KILLS), everyMs: RAISE_EVERY_MS }
      await repeatWhile('raising of events', () => isRaising, raiseTwo, patience)
    }

    await Promise.all([steady, killed].map((service) => service.start()))
    const raising = raiseOn()
    await raise(Array.from({ length: EVENTS_OF_FAILING }, () => failing))
    await raise(Array.from({ length: EVENTS_OF_GIVEN_UP }, () => givenUp))
    const moment = createRandom('moments')
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await new Promise((resolve) => setTimeout(resolve, moment() * LIVES_MS))
        await killed.kill()
        await killed.start()
      }
    } finally {
      isRaising = false
    }
    await raising
    const stopped = await Promise.all([steady, killed].map((service) => service.stop()))
    expect(stopped).toEqual([0, 0])
    await signal.close()

    world.receiver.answerAfter(0)
    // From here on time is moved: leases end, and retries come due one after the other.
    for (const delayMs of DELIVERY_LIMITS.retryDelaysMs) {
      clock.aheadMs += Math.max(delayMs, MINUTE_MS) + 1_000
      await world.service.processAll()
    }
    isKind = true
    await raise(shops)
    await world.service.processAll()

    const { kysely } = world.database.db
    const deliveries = await kysely.selectFrom('webhookDelivery').selectAll().execute()
    const log = await kysely
      .selectFrom('deliveryAttempt')
      .select(['deliveryId', 'endpointId', 'number', 'httpStatus', 'error', 'isLate'])
      .execute()
    const events = await kysely.selectFrom('event').select('id').execute()
    const health = await kysely.selectFrom('endpointHealth').selectAll().execute()
    const { rows: cutOff } = await sql<{ deliveryId: string }>`select * from cut_off`.execute(
      kysely,
    )
    console.log(
      `${events.length} events, ${log.length} attempts, ${cutOff.length} claims cut off by ${KILLS} kills`,
    )
    expect(cutOff.length).toBeGreaterThan(0)

    // Every committed event arrived.
    const arrived = new Set(world.receiver.received.map(({ event }) => event.id))
    const given = new Set([failing.endpointId, givenUp.endpointId])
    const ofOthers = deliveries.filter(({ endpointId }) => !given.has(endpointId))
    expect(events.length).toBe(deliveries.length)
    expect(ofOthers.length).toBeGreaterThan(KILLS)
    expect(ofOthers.filter(({ eventId }) => !arrived.has(eventIdText(eventId)))).toEqual([])
    expect(ofOthers.filter(({ state }) => state !== 'delivered')).toEqual([])

    // Nothing is called delivered that did not arrive; no claim is left.
    const answersTo = (id: string) => answered.get(id) ?? []
    const delivered = deliveries.filter(({ state }) => state === 'delivered')
    expect(delivered.filter(({ id }) => !answersTo(id).includes(204))).toEqual([])
    expect(deliveries.filter(({ claimId }) => claimId !== null)).toEqual([])

    // Each attempt in the log was seen, with its answer; what was seen and is not in the log was cut off.
    const attemptsOf = Map.groupBy(log, ({ deliveryId }) => deliveryId)
    const cutOffOf = Map.groupBy(cutOff, ({ deliveryId }) => deliveryId)
    const wrong = deliveries.filter(({ id, attempts }) => {
      const seen = answersTo(id)
      const logged = attemptsOf.get(id) ?? []
      const counted = logged.filter(({ isLate }) => !isLate)
      const unlogged = seen.length - logged.length
      const isCounted = counted.length === attempts
      // On a starved machine an attempt may run out of time before it reads its answer.
      const statuses = logged
        .filter(({ error }) => !OUT_OF_TIME.has(error))
        .map(({ httpStatus }) => httpStatus)
        .toSorted()
      const isSeen = isPartOf(statuses, seen.toSorted())
      return !isCounted || !isSeen || unlogged > (cutOffOf.get(id)?.length ?? 0)
    })
    const tellOf = ({ id, attempts }: { id: string; attempts: number }) => ({
      attempts,
      seen: answersTo(id),
      logged: attemptsOf.get(id),
      cutOff: cutOffOf.get(id)?.length ?? 0,
    })
    expect(wrong.map(tellOf)).toEqual([])

    // The failures of an endpoint are counted exactly.
    const healthOf = (shop: Shop) =>
      health.find(({ endpointId }) => endpointId === shop.endpointId)!.failuresInRow
    const countedOf = (shop: Shop) =>
      log.filter(({ endpointId, isLate }) => endpointId === shop.endpointId && !isLate).length
    expect(shops.map(healthOf)).toEqual(shops.map(() => 0))
    expect(countedOf(failing)).toBe(EVENTS_OF_FAILING * DELIVERY_LIMITS.attempts)
    expect(healthOf(failing)).toBe(countedOf(failing))
    // Off at the hundredth; what was in flight then ended and was counted, and nothing was sent after.
    const endpoints = await kysely.selectFrom('endpoint').select(['id', 'offReason']).execute()
    expect(endpoints.filter(({ offReason }) => offReason !== null)).toEqual([
      { id: givenUp.endpointId, offReason: 'failures_in_row' },
    ])
    expect(countedOf(givenUp)).toBeGreaterThanOrEqual(DELIVERY_LIMITS.switchOffAfterFailuresInRow)
    expect(countedOf(givenUp)).toBeLessThan(EVENTS_OF_GIVEN_UP)
    const notices = await kysely.selectFrom('notice').select(['kind', 'subjectId']).execute()
    expect(notices.filter(({ kind }) => kind === 'endpoint_switched_off')).toEqual([
      { kind: 'endpoint_switched_off', subjectId: givenUp.endpointId },
    ])
    const logged = [steady, killed].map((service) => service.logged()).join('')
    expect(logged).not.toMatch(/whsec_[\w-]{20}|"level":50/)
  },
  killsTakeMs(KILLS) * PATIENCE,
)

/** Whether every item of `part`, with its count, is in `whole`; both sorted. */
function isPartOf(part: readonly unknown[], whole: readonly unknown[]): boolean {
  let at = 0
  for (const item of part) {
    while (at < whole.length && whole[at] !== item) at += 1
    if (at === whole.length) return false
    at += 1
  }
  return true
}
