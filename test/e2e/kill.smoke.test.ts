/**
 * The service is killed at random moments of running scenarios and started again. WhatsApp and the merchant stay up,
 * as they would. At any moment of a kill, every accepted run ends, every event arrives at least once with the same
 * bytes, no template is sent twice, and a repeated request gets the id of the first.
 */
import { expect, test } from 'vitest'
import { openKillableWorld, openSimulator } from '../support/killable-world.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { eventsOf } from '../support/records/events.ts'
import { messagesOf } from '../support/records/messages.ts'
import { ofEach } from '../support/records/records.ts'
import { runsOf } from '../support/records/runs.ts'
import { eventIdText } from '../../src/modules/events/event-id.ts'
import { insistOn } from '../support/post-hook.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { numberOf } from '../support/simulator.ts'
import { createShops } from '../support/shop.ts'
import { repeatDuring, waitUntil } from '../support/wait.ts'
import { inEnglish } from '../support/in-english.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { createRandom } from '../support/random.ts'

const random = createRandom('kill')

const KILLS = howManyKills({ max: 10 })
/** Enough shops to keep every hook URL within its requests of a minute. */
const SHOPS = 10
/** Longer than every lease: what a killed process held is due at the next start. */
const LEASES_MS = 61_000
/** Leases expire a few times on the way, well within the time that a send waits for its receipt. */
const KILLS_A_LEASE = 6

const { world, serve } = await openKillableWorld()
const simulator = await openSimulator({ autoReply: { afterMs: 0 } })
const service = await serve({ SIMULATOR_URL: simulator.baseUrl })
const shops = await createShops(world, SHOPS)
for (const shop of shops) simulator.addNumber(numberOf(shop, service.url))
let orders = 0

test(
  `killed at ${KILLS} random moments, it loses nothing and sends nothing twice`,
  async () => {
    const accepted: string[] = []
    let uncut = 0
    const order = async (isAsking: () => boolean) => {
      const { hookToken } = shops[(orders += 1) % SHOPS]!
      const hookUrl = `${service.url}/hooks/${hookToken}`
      const id = await insistOn(hookUrl, orders, isAsking, killsTakeMs(KILLS))
      if (id !== null) accepted.push(id)
    }
    const killAndStart = async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        // Every other kill comes after a request was accepted, however slow the machine is.
        const before = accepted.length
        if (kill % 2 === 1) await waitUntil('an order is accepted', () => accepted.length > before)
        await new Promise((resolve) => setTimeout(resolve, random() * 250))
        await service.kill()
        await service.startLater(kill % KILLS_A_LEASE === 0 ? LEASES_MS : 0)
      }
      // No kill interrupts requests that are accepted after the last one.
      uncut = accepted.length
      await waitUntil('an order is accepted after the last kill', () => accepted.length > uncut)
    }

    await service.startLater()
    const patience = { withinMs: killsTakeMs(KILLS), workers: 2 }
    await repeatDuring('orders', order, killAndStart, patience)
    // The provider reports all it has to report before anything is given up.
    await simulator.idle()

    const readRuns = () => ofEach(shops, ({ companyId }) => runsOf(world, { companyId }))
    const isOver = async () => {
      const pending = { state: 'pending' }
      const undelivered = await ofEach(shops, (shop) => deliveriesOf(world, shop, pending))
      return undelivered.length === 0 && (await readRuns()).every(({ endedAt }) => endedAt !== null)
    }
    // Leases expire, then sends whose answer was lost are given up: each needs a later start.
    const lives = { lives: 15, waitMs: 1_500, laterMs: LEASES_MS, afterStart: simulator.idle }
    await service.restartUntil(isOver, lives)

    const runs = await readRuns()
    expect(accepted.length).toBeGreaterThan(KILLS / 3)
    // Every answer has a different id, and its run exists.
    expect(new Set(accepted).size).toBe(accepted.length)
    expect(accepted.filter((id) => !runs.some((run) => run.id === id))).toEqual([])
    expect(runs.filter((run) => run.endedAt === null)).toEqual([])
    // A run fails only if its send was interrupted before it reached the provider.
    const reached = new Set(simulator.messages().map((message) => message.ourReference))
    const messages = await ofEach(shops, ({ companyId }) =>
      messagesOf(world, { companyId, direction: 'out' }),
    )
    for (const run of runs.filter(({ status }) => status !== 'completed')) {
      expect(run).toMatchObject({ status: 'failed', endReason: 'error' })
      expect(inEnglish(run.endDetail)).toContain('never confirmed whether')
      expect(messages.some(({ id, runId }) => runId === run.id && reached.has(id))).toBe(false)
    }
    const completed = runs.filter(({ status }) => status === 'completed')
    expect(completed.length).toBeGreaterThanOrEqual(accepted.length - uncut)
    expect(completed.every((run) => JSON.parse(run.variables).answer === 'Yes, today')).toBe(true)
    console.log(`${runs.length} runs, ${runs.length - completed.length} cut off before their send`)

    const sentTo = simulator.messages().map((message) => message.to)
    expect(new Set(sentTo).size).toBe(sentTo.length)

    const events = await ofEach(shops, ({ companyId }) => eventsOf(world, { companyId }))
    const bodies = new Map<string, string>()
    for (const { event, body } of world.receiver.received) {
      const known = bodies.get(event.id)
      if (known !== undefined) expect(body.toString('hex')).toBe(known)
      bodies.set(event.id, body.toString('hex'))
    }
    expect(events.filter((event) => !bodies.has(eventIdText(event.id)))).toEqual([])
    expect(bodies.size).toBe(events.length)
    const ends = events.filter(({ type }) => type === 'flow.completed' || type === 'flow.failed')
    expect(ends.map((event) => event.runId).toSorted()).toEqual(
      runs.map((run) => run.id).toSorted(),
    )
    expect(service.logged()).not.toMatch(/whsec_[\w-]{20}|hook_[\w-]{37}/)
  },
  killsTakeMs(KILLS) * TIMEOUT_FACTOR,
)
