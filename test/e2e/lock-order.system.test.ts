/**
 * Two processes of the service on one database work on the same few customers: hooks, messages of customers, STOP
 * and START, receipts, advances, sends and deliveries. All take their locks in one order, so they only wait for each
 * other, and the database reports no deadlock.
 *
 * `SECONDS=60` sets another duration.
 */
import { expect, test } from 'vitest'
import { openKillableWorld, openSimulator } from '../support/killable-world.ts'
import { liftAllowances } from '../support/records/allowances.ts'
import { countDeadlocks } from '../support/records/locks.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { createShops } from '../support/shop.ts'
import { numberOf } from '../support/simulator.ts'
import { repeatWhile } from '../support/wait.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { createRandom } from '../support/random.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'

const random = createRandom('lock-order')

const SECONDS = Number(process.env.SECONDS) || (IS_FULL_SIZE ? 10 : 4)
const SHOPS = 4
/** Few enough customers that their requests collide all the time. */
const CUSTOMERS = 30

const { world, serve } = await openKillableWorld()
// The limits of requests in a minute and of templates in a day are not tested here.
await liftAllowances(world)
const simulator = await openSimulator({ autoReply: { afterMs: 0 } })
const settings = { SIMULATOR_URL: simulator.baseUrl }
const services = [await serve(settings), await serve(settings)]
const shops = await createShops(world, SHOPS)
for (const [nth, shop] of shops.entries()) {
  simulator.addNumber(numberOf(shop, services[nth % 2]!.url))
}
await Promise.all(services.map((service) => service.start()))

let turns = 0
const any = (below: number) => Math.floor(random() * below)
const somebody = () => `96650${String(1_000_000 + any(CUSTOMERS))}`

async function order() {
  turns += 1
  const { url } = services[turns % 2]!
  const shop = shops[any(SHOPS)]!
  const customer = { ...ORDER.customer, phone: `+${somebody()}` }
  const from = { 'x-forwarded-for': `198.18.${any(250)}.${any(250)}` }
  return postHook(`${url}/hooks/${shop.hookToken}`, { ...ORDER, customer }, from)
}

/** Posts messages of several customers together, in any order. */
async function write() {
  turns += 1
  const messages = Array.from({ length: 1 + any(4) }, () =>
    written({ from: somebody(), text: ['hello', 'hello', 'STOP', 'START'][any(4)]! }),
  )
  return postWebhook(services[turns % 2]!, webhookOf(shops[any(SHOPS)]!, messages))
}

test(
  `over ${SECONDS} s of concurrent work of every kind, no transaction is aborted`,
  async () => {
    const before = await countDeadlocks(world)
    const endsAt = performance.now() + SECONDS * 1_000
    const isGoingOn = () => performance.now() < endsAt
    const outcomes = { accepted: 0, taken: 0 }
    const patience = { withinMs: SECONDS * 1_000 + 60_000 }
    const orderOnce = async () => {
      const { http } = await order()
      if (http === 202) outcomes.accepted += 1
    }
    const writeOnce = async () => {
      if ((await write()) === 200) outcomes.taken += 1
    }
    const goOn = (doIt: () => Promise<void>) =>
      repeatWhile('concurrent work of every kind', isGoingOn, doIt, patience)
    await Promise.all(
      [orderOnce, writeOnce].flatMap((one) => Array.from({ length: 8 }, () => goOn(one))),
    )
    // A session that ends has reported what it counted.
    await Promise.all(services.map((service) => service.stop()))
    expect((await countDeadlocks(world)) - before).toBe(0)
    expect(outcomes.accepted).toBeGreaterThan(SECONDS)
    expect(outcomes.taken).toBeGreaterThan(SECONDS)
    expect(services.map((service) => service.logged()).join('')).not.toMatch(/deadlock/)
  },
  SECONDS * 1_000 + 120_000,
)
