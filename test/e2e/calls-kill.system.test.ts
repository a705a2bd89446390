/**
 * The service is killed at many moments while its runs call the merchant's API, and started again. The API stays up,
 * as it would. At any moment of a kill, no POST is sent twice, no GET more than twice, and every run ends.
 */
import { afterAll, expect, test } from 'vitest'
import { openKillableWorld } from '../support/killable-world.ts'
import { ofEach } from '../support/records/records.ts'
import { runsOf, runStepsOf } from '../support/records/runs.ts'
import { insistOn } from '../support/post-hook.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { callStep, connectApi, json, startShopApi } from '../support/shop-api.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { repeatDuring } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const KILLS = howManyKills({ max: 8 })
/** Enough shops to keep every hook URL within its requests of a minute. */
const SHOPS = 10
/** The number of orders in progress at the same time. */
const ASKERS = 4
/** Longer than every lease: what a killed process held is due at the next start. */
const LEASES_MS = 61_000
const KILLS_A_LEASE = 5
/** An answer takes up to this long, so that most kills come during a call. */
const ANSWER_MS = 40

const shops: Shop[] = []

const { world, serve } = await openKillableWorld()
const api = await startShopApi(world)
api.reply((request, response) => {
  const answerMs = (api.requests.length * 7) % ANSWER_MS
  setTimeout(() => json(200)(request, response), answerMs)
})
for (let shop = 0; shop < SHOPS; shop += 1) {
  const id = world.service.context.ids.uuid()
  const steps = {
    look: callStep(id, {}, { next: 'note', onFailure: 'note' }),
    note: callStep(id, { method: 'POST' }, { next: 'finish', onFailure: 'finish' }),
    finish: { kind: 'end' },
  }
  const made = await createOwnShop(world, { steps, start: 'look', eventTypes: ['ping'] })
  await connectApi(world, { id, companyId: made.companyId, baseUrl: api.baseUrl })
  shops.push(made)
}
const service = await serve()
afterAll(() => api.close())

test(
  `killed at ${KILLS} moments, it sends no POST twice and no GET more than twice`,
  async () => {
    let orders = 0
    const order = (isAsking: () => boolean) => {
      const { hookToken } = shops[(orders += 1) % SHOPS]!
      return insistOn(`${service.url}/hooks/${hookToken}`, orders, isAsking, killsTakeMs(KILLS))
    }
    const killAndStart = async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await api.hasReceived(api.requests.length + 1 + (kill % 4))
        await service.kill()
        await service.startLater(kill % KILLS_A_LEASE === 0 ? LEASES_MS : 0)
      }
    }
    await service.startLater()
    const patience = { withinMs: killsTakeMs(KILLS), workers: ASKERS }
    await repeatDuring('orders', order, killAndStart, patience)

    const read = () => ofEach(shops, ({ companyId }) => runsOf(world, { companyId }))
    const isOver = async () => (await read()).every(({ endedAt }) => endedAt !== null)
    await service.restartUntil(isOver, { lives: 5, waitMs: 5_000, laterMs: LEASES_MS })
    const runs = await read()
    expect(runs.filter(({ status }) => status !== 'completed')).toEqual([])
    const sent = new Map<string, number>()
    for (const { method, url } of api.requests) {
      const call = `${method} ${url}`
      sent.set(call, (sent.get(call) ?? 0) + 1)
    }
    const more = (method: string, than: number) =>
      [...sent].filter(([call, times]) => call.startsWith(`${method} `) && times > than)
    expect(more('POST', 1)).toEqual([])
    expect(more('GET', 2)).toEqual([])

    const taken = await ofEach(runs, ({ id }) => runStepsOf(world, id))
    const steps = taken.filter(({ kind }) => kind === 'http_request')
    // Each request that arrived was recorded before it was sent, and each that was recorded as done arrived. A GET
    // that was interrupted twice leaves no time for the POST, which then has no attempt.
    for (const run of runs) {
      const number = (JSON.parse(run.variables) as { order: string }).order
      const of = (stepId: string) =>
        steps.find((step) => step.runId === run.id && step.stepId === stepId)!
      const gets = sent.get(`GET /api/orders/${number}`) ?? 0
      const posts = sent.get(`POST /api/orders/${number}`) ?? 0
      expect(gets).toBeLessThanOrEqual(of('look').callAttempts ?? 0)
      expect(posts).toBeLessThanOrEqual(of('note').callAttempts ?? 0)
      if (of('note').status === 'done') expect(posts).toBe(1)
      if (of('look').status === 'done') expect(gets).toBeGreaterThanOrEqual(1)
    }
    const cutOff = steps.filter(({ status }) => status === 'interrupted').length
    const twice = more('GET', 1).length
    console.log(`${runs.length} runs; ${cutOff} calls cut off for good, ${twice} GETs sent again`)
    expect(runs.length).toBeGreaterThan(KILLS)
    expect(cutOff + twice).toBeGreaterThan(0)
  },
  killsTakeMs(KILLS) * TIMEOUT_FACTOR,
)
