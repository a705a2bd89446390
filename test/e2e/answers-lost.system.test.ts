/**
 * A service whose database connections end again and again after a commit and before its answer. It loses nothing
 * that was accepted, sends nothing twice, and does not wait for a lease to expire: the clock does not move.
 */
import { expect, test } from 'vitest'
import { postHook, ORDER } from '../support/post-hook.ts'
import { startLosingProxy, type LosingProxy } from '../support/losing-proxy.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { createRandom } from '../support/random.ts'
import { liftAllowances } from '../support/records/allowances.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { messagesOf } from '../support/records/messages.ts'
import { runOf } from '../support/records/runs.ts'
import { newPhone } from '../support/simulator.ts'
import { repeatWhile, waitUntil } from '../support/wait.ts'

const ORDERS = 80
/** The percentage of statements that lose their answer. */
const LOST_IN_HUNDRED = 2

let proxy!: LosingProxy
const { world, whatsApp } = await openWhatsApp({
  async through(behind) {
    proxy = await startLosingProxy(behind)
    return proxy.connection
  },
})
await liftAllowances(world)

test(
  'each accepted hook makes one template promptly, while answers of the database are lost at random',
  async () => {
    const shop = await whatsApp.openShop()
    const random = createRandom('answers of the database')
    const phones = new Map<string, string>()
    let [lost, answered503] = [0, 0]
    await world.service.startDaemon()
    proxy.loseByChance(() => {
      const isLost = random() * 100 < LOST_IN_HUNDRED
      if (isLost) lost += 1
      return isLost
    })
    let nth = 0
    const order = async () => {
      nth += 1
      const [key, phone] = [`order-${nth}`, newPhone()]
      const body = { ...ORDER, customer: { ...ORDER.customer, phone } }
      const ask = () => postHook(shop.hookUrl, body, { 'idempotency-key': key })
      let id: string | null = null
      await waitUntil('the hook is taken', async () => {
        const answer = await ask()
        if (answer.http === 503) answered503 += 1
        id = answer.id
        return answer.http === 202 || answer.http === 200
      })
      phones.set(id!, phone)
    }
    await repeatWhile('orders', () => nth < ORDERS, order, { withinMs: 240_000 })
    proxy.loseByChance(null)
    console.log(`${lost} answers were lost, ${answered503} hooks were answered 503.`)

    const open = async () => {
      const runs = await Promise.all([...phones.keys()].map((id) => runOf(world, id)))
      return runs.filter(({ status, waitKind }) => status !== 'waiting' || waitKind !== 'reply')
    }
    await expect.poll(open, { timeout: 90_000 * TIMEOUT_FACTOR, interval: 200 }).toEqual([])
    const undelivered = async () =>
      (await deliveriesOf(world, shop)).filter(({ state }) => state !== 'delivered')
    await expect.poll(undelivered, { timeout: 90_000 * TIMEOUT_FACTOR, interval: 200 }).toEqual([])
    for (const phone of phones.values()) expect(whatsApp.sentTo(phone)).toHaveLength(1)
    const messages = await messagesOf(world, { companyId: shop.companyId })
    expect(messages).toHaveLength(ORDERS)
    expect(
      messages.filter(({ claimId, status }) => claimId !== null || status === 'unknown'),
    ).toEqual([])
    expect(lost).toBeGreaterThan(ORDERS / 4)
  },
  400_000 * TIMEOUT_FACTOR,
)
