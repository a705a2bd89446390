/**
 * Two processes deliver from one database while events keep coming; one of them, which only runs the workers, is
 * killed at random moments and started again. A tenth of the answers are 500. At any moment of a kill, every event
 * arrives, a delivery marked as delivered did arrive, the log has every request that the receiver saw except those
 * of interrupted claims, and the failures of an endpoint are counted exactly.
 */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openKillableWorld } from '../support/killable-world.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { endpointOf } from '../support/records/endpoints.ts'
import { eventsOf } from '../support/records/events.ts'
import { watchCutOffClaims } from '../support/records/faults.ts'
import { noticesOf } from '../support/records/notices.ts'
import { ofEach } from '../support/records/records.ts'
import { createCrossProcessNotify } from '../../src/infra/database/cross-process-notify.ts'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { eventIdText } from '../../src/modules/events/event-id.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { createOwnShop, createShops, type Shop } from '../support/shop.ts'
import { repeatDuring, waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { createRandom } from '../support/random.ts'
import { raisePings } from '../support/deliveries.ts'

const KILLS = howManyKills({ max: 10 })
/**
 * Enough shops to share the load, because an interrupted claim blocks the slots of its endpoint until its lease
 * expires.
 */
const SHOPS = 24
const LIVES_MS = 150
const RAISE_EVERY_MS = 50
/** The answer takes long enough that a kill often interrupts an attempt. */
const ANSWER_MS = 30
/** The first answer takes longer than a slow machine needs to see a request and to kill its process. */
const FIRST_ANSWER_MS = 8_000
/** Fewer failures than switch an endpoint off, however often each event is attempted. */
const EVENTS_OF_FAILING = 11
/** More events than switch the endpoint off at their first attempt. */
const EVENTS_OF_GIVEN_UP = 130

/** Errors of an attempt that ran out of time. */
const OUT_OF_TIME = new Set<string | null>(['timeout', 'connect_timeout', 'tls_failed'])

const clock = { aheadMs: 0, now: () => new Date(new Date().getTime() + clock.aheadMs) }
// The world gives the database and the receiver, and raises the events; its service does no work yet.
const { world, serve } = await openKillableWorld({ clock })
const receivingAt = (name: string) => {
  const url = world.receiver.url.replace('/events', `/${name}`)
  return { ...world, receiver: { ...world.receiver, url } }
}
const shops = await createShops(receivingAt('sometimes'), SHOPS)
const failing = await createOwnShop(receivingAt('never'))
const givenUp = await createOwnShop(receivingAt('never'))
const readCutOff = await watchCutOffClaims(world)
const steady = await serve()
const killed = await serve({}, 'delivery-process.ts')
// A killed process leaves no compiled code for its next start; a stopped one does.
await killed.start()
await killed.stop()

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
    const signal = createCrossProcessNotify(world.database.db, pino({ level: 'silent' }))
    const raise = async (raising: readonly Shop[]) => {
      for (const shop of raising) await raisePings(world, shop)
      signal.notify()
    }
    let turn = 0
    const raiseTwo = async () => {
      const two = [turn * 2, turn * 2 + 1]
      await raise(two.map((nth) => shops[nth % SHOPS]!))
      turn += 1
    }

    // The first kill comes during an unanswered request that only the killed process can have made.
    world.receiver.answerAfter(FIRST_ANSWER_MS)
    await killed.start()
    const moment = createRandom('moments')
    const killAndStart = async () => {
      await waitUntil('a request arrives', () => world.receiver.received.length > 0)
      await killed.kill()
      world.receiver.answerAfter(ANSWER_MS)
      await Promise.all([steady, killed].map((service) => service.start()))
      await raise(Array.from({ length: EVENTS_OF_FAILING }, () => failing))
      await raise(Array.from({ length: EVENTS_OF_GIVEN_UP }, () => givenUp))
      for (let kill = 1; kill < KILLS; kill += 1) {
        await new Promise((resolve) => setTimeout(resolve, moment() * LIVES_MS))
        await killed.kill()
        await killed.start()
      }
    }
    const patience = { withinMs: killsTakeMs(KILLS), everyMs: RAISE_EVERY_MS }
    await repeatDuring('raising of events', raiseTwo, killAndStart, patience)
    const stopped = await Promise.all([steady, killed].map((service) => service.stop()))
    expect(stopped).toEqual([0, 0])
    await signal.close()

    world.receiver.answerAfter(0)
    // Time passes from here on: leases expire, and retries become due one after the other.
    for (const delayMs of DELIVERY_LIMITS.retryDelaysMs) {
      clock.aheadMs += Math.max(delayMs, MINUTE_MS) + 1_000
      await world.service.processAll()
    }
    isKind = true
    await raise(shops)
    await world.service.processAll()

    const all = [...shops, failing, givenUp]
    const deliveries = await ofEach(all, (shop) => deliveriesOf(world, shop))
    const log = await ofEach(deliveries, ({ id }) => attemptsOf(world, id))
    const events = await ofEach(all, ({ companyId }) => eventsOf(world, { companyId }))
    const endpoints = await ofEach(all, async (shop) => [await endpointOf(world, shop)])
    const cutOff = await readCutOff()
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

    // Each delivery marked as delivered arrived, and no claim is left.
    const answersTo = (id: string) => answered.get(id) ?? []
    const delivered = deliveries.filter(({ state }) => state === 'delivered')
    expect(delivered.filter(({ id }) => !answersTo(id).includes(204))).toEqual([])
    expect(deliveries.filter(({ claimId }) => claimId !== null)).toEqual([])

    // Each attempt in the log was seen, with its answer; a seen request that is missing in the log was interrupted.
    const logOf = Map.groupBy(log, ({ deliveryId }) => deliveryId)
    const cutOffOf = Map.groupBy(cutOff, (id) => id)
    const wrong = deliveries.filter(({ id, attempts }) => {
      const seen = answersTo(id)
      const logged = logOf.get(id) ?? []
      const counted = logged.filter(({ isLate }) => !isLate)
      const unlogged = seen.length - logged.length
      const isCounted = counted.length === attempts
      // An attempt may run out of time before it reads its answer on an overloaded machine.
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
      logged: logOf.get(id),
      cutOff: cutOffOf.get(id)?.length ?? 0,
    })
    expect(wrong.map(tellOf)).toEqual([])

    // The failures of an endpoint are counted exactly.
    const healthOf = (shop: Shop) =>
      endpoints.find(({ id }) => id === shop.endpointId)!.failuresInRow
    const countedOf = (shop: Shop) =>
      deliveries
        .filter(({ endpointId }) => endpointId === shop.endpointId)
        .flatMap(({ id }) => logOf.get(id) ?? [])
        .filter(({ isLate }) => !isLate).length
    expect(shops.map(healthOf)).toEqual(shops.map(() => 0))
    expect(countedOf(failing)).toBe(EVENTS_OF_FAILING * DELIVERY_LIMITS.attempts)
    expect(healthOf(failing)).toBe(countedOf(failing))
    // The endpoint is off at the hundredth failure; attempts in flight ended and were counted, and nothing was sent
    // after.
    expect(endpoints.filter(({ offReason }) => offReason !== null)).toMatchObject([
      { id: givenUp.endpointId, offReason: 'failures_in_row' },
    ])
    expect(countedOf(givenUp)).toBeGreaterThanOrEqual(DELIVERY_LIMITS.switchOffAfterFailuresInRow)
    expect(countedOf(givenUp)).toBeLessThan(EVENTS_OF_GIVEN_UP)
    const notices = await ofEach(all, ({ accountId }) =>
      noticesOf(world, { accountId, kind: 'endpoint_switched_off' }),
    )
    expect(notices.map(({ subjectId }) => subjectId)).toEqual([givenUp.endpointId])
    const logged = [steady, killed].map((service) => service.logged()).join('')
    expect(logged).not.toMatch(/whsec_[\w-]{20}|"level":50/)
  },
  killsTakeMs(KILLS) * TIMEOUT_FACTOR,
)

/** Tells whether every item of `part`, with its count, is in `whole`; both are sorted. */
function isPartOf(part: readonly unknown[], whole: readonly unknown[]): boolean {
  let at = 0
  for (const item of part) {
    while (at < whole.length && whole[at] !== item) at += 1
    if (at === whole.length) return false
    at += 1
  }
  return true
}
