/** Since when the log has nothing more to tell of a delivery. Spec: States › Delivery. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../src/database/transaction.ts'
import { settleAttempts } from '../../src/deliveries/settle-attempts.sql.ts'
import { removeEndpoint } from '../../src/endpoints/delete-endpoint.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { switchOff } from '../support/records/endpoints.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { attemptOf, claim, copyDelivery, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let shops = 0
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await createShop(world, { phoneNumberId: `${(shops += 1)}` })
  await raisePings(world, shop)
  world.clock.advance(SECOND_MS)
})

const first = async () => (await deliveriesOf(world, shop))[0]!
async function attempted(status: number) {
  world.receiver.answerWith(status)
  await world.service.processAll()
}
const setDeleted = () =>
  world.database.db.kysely
    .updateTable('endpoint')
    .set({ deletedAt: world.clock.now(), isOn: false, offAt: world.clock.now() })
    .where('id', '=', shop.endpointId)
    .execute()
const remove = () =>
  transaction(world.database.db, (tx) => removeEndpoint(tx, world.clock.now(), shop))

/** A resend of it is delivered, and in the same batch what else there is of the endpoint fails or not. */
async function resent(besides: 'alone' | 'after a failure') {
  if (besides === 'after a failure') await attempted(500)
  const [resendId] = await copyDelivery(world, (await first()).id, 'resend')
  await world.database.db.kysely
    .updateTable('webhookDelivery')
    .set({ lane: 'again' })
    .where('id', '=', resendId!)
    .execute()
  const [resend] = await claim(world, { again: 1 })
  await settleAttempts(world.service.context, [attemptOf(world, resend!, null)])
}

test.each<[string, string, () => Promise<unknown>]>([
  ['delivered', 'by its first attempt', () => attempted(204)],
  [
    'delivered',
    'by a second',
    async () => {
      await attempted(500)
      world.clock.advance(MINUTE_MS)
      await attempted(204)
    },
  ],
  ['dead_lettered', 'by a 410', () => attempted(410)],
  ['cancelled', 'with its endpoint', remove],
  ['cancelled', 'after its endpoint', () => setDeleted().then(() => attempted(204))],
  ['superseded', 'before its first attempt', () => resent('alone')],
  ['superseded', 'between two attempts', () => resent('after a failure')],
  [
    'expired',
    'as it comes to be claimed',
    () => {
      world.clock.advance(8 * DAY_MS)
      return claim(world, { first: 1 })
    },
  ],
])('a delivery that is %s %s ended at that moment', async (state, _, end) => {
  await end()
  expect(await first()).toMatchObject({ state, endedAt: world.clock.now() })
})

test.each<[string, () => Promise<unknown>]>([
  ['pending', () => attempted(500)],
  ['held', () => switchOff(world, shop).then(() => attempted(500))],
])('a delivery that is %s has not ended', async (state, wait) => {
  await wait()
  expect(await first()).toMatchObject({ state, endedAt: null })
})
