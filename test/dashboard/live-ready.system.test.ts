/** What changes while a page is opened, before its stream has begun, is shown. Spec: Dashboard › Live updates. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDashboard } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  await world.close()
})

async function openHeld(shop: Shop) {
  const opened = await openDashboard(world, shop)
  const held = Promise.withResolvers<void>()
  await opened.page.route('**/live', async (route) => {
    await held.promise
    await route.continue()
  })
  const rename = async (name: string) => {
    const path = `/companies/${shop.companyId}/flows/${shop.flowId}`
    expect((await opened.member.ask('PATCH', path, { name })).status).toBe(200)
  }
  return { ...opened, rename, begin: () => held.resolve() }
}

test('what changed after a page was read, and before its stream had begun', async () => {
  const shop = await createShop(world)
  const { page, close, faults, go, begin, rename } = await openHeld(shop)
  await go('flows')
  await page.getByRole('link', { name: 'Order is ready' }).waitFor()
  await rename('Named anew')
  begin()
  await page.getByRole('link', { name: 'Named anew' }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('what changed while the first answer was on its way, and with it the begin of the stream', async () => {
  const own = world.service.context.ids.token(6)
  const shop = await createShop(world, { phoneNumberId: own, businessAccountId: own })
  const { page, close, faults, begin, rename } = await openHeld(shop)
  const read = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  await page.route(
    '**/flows?*',
    async (route) => {
      const response = await route.fetch()
      read.resolve()
      await answer.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.goto(`${world.url}/p/${shop.companyId}/flows`)
  await read.promise
  await rename('Named anew')
  // What the side bar counts is read anew when the stream begins.
  const counted = page.waitForRequest('**/conversations/counts')
  begin()
  await counted
  answer.resolve()
  await page.getByRole('link', { name: 'Named anew' }).waitFor()
  expect(faults).toEqual([])
  await close()
})
