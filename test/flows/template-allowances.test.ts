import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/limits/units.ts'
import { addFlow } from '../support/add-flow.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

let world: World
let shop: ConnectedShop
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld({ databasePool: '8' })
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const order = (phone: string) => ({ ...ORDER, customer: { ...ORDER.customer, phone } })
const run = (id: string | null) =>
  world.database.db.kysely
    .selectFrom('flowRun')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const allow = (perDay: number | null) =>
  world.database.db.kysely
    .updateTable('account')
    .set({ templatesPerDay: perDay })
    .where('id', '=', shop.accountId)
    .execute()
const sentTo = (phone: string) =>
  whatsApp.simulator.messages().filter((message) => message.to === phone.slice(1)).length

describe('Automated templates to one customer: 3 in any 24 hours', () => {
  test('the fourth request answers 429 customer_limit_reached, and 202 again when the first is 24 hours old', async () => {
    const phone = '+966501110001'
    for (let sent = 0; sent < 3; sent += 1) {
      expect(await askHook(shop.hookUrl, order(phone))).toMatchObject({ http: 202 })
      await whatsApp.settle()
      world.clock.advance(HOUR_MS)
    }
    expect(await askHook(shop.hookUrl, order(phone))).toMatchObject({
      http: 429,
      status: 'customer_limit_reached',
      id: null,
    })
    world.clock.advance(DAY_MS - 3 * HOUR_MS)
    expect(await askHook(shop.hookUrl, order(phone))).toMatchObject({ http: 202 })
    await whatsApp.settle()
    expect(sentTo(phone)).toBe(4)
  })

  systemTest(
    'runs that were accepted together send three: the others end failed, limit_exceeded',
    async () => {
      const phone = '+966501110002'
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => askHook(shop.hookUrl, order(phone))),
      )
      expect(answers.every(({ http }) => http === 202)).toBe(true)
      await whatsApp.settle()
      expect(sentTo(phone)).toBe(3)
      const runs = await Promise.all(answers.map(({ id }) => run(id)))
      const over = runs.filter(({ endReason }) => endReason === 'limit_exceeded')
      expect(over).toHaveLength(3)
      expect(over[0]).toMatchObject({
        status: 'failed',
        endDetail: storeFact(fact('customer_templates_used_up', { most: 3 })),
      })
    },
  )
})

systemDescribe('Automated templates to one customer', () => {
  test('count per customer of a company, over all of its flows, and not over other companies', async () => {
    const phone = '+966501110003'
    const other = await addFlow(world, shop)
    for (const url of [shop.hookUrl, other.hookUrl, shop.hookUrl]) {
      expect(await askHook(url, order(phone))).toMatchObject({ http: 202 })
      await whatsApp.settle()
    }
    expect(sentTo(phone)).toBe(3)
    for (const url of [shop.hookUrl, other.hookUrl]) {
      expect(await askHook(url, order(phone))).toMatchObject({
        http: 429,
        status: 'customer_limit_reached',
      })
    }
    const elsewhere = await whatsApp.openShop()
    expect(await askHook(elsewhere.hookUrl, order(phone))).toMatchObject({ http: 202 })
    await whatsApp.settle()
    expect(sentTo(phone)).toBe(4)
  })
})

describe('Automated templates per day, shared by account and projects', () => {
  systemTest(
    'a day’s number used up answers 429 template_limit_reached until the next UTC day',
    async () => {
      world.clock.advance(DAY_MS)
      await allow(2)
      const ask = (last: number) => askHook(shop.hookUrl, order(`+96650222000${last}`))
      await ask(1)
      await ask(2)
      await whatsApp.settle()
      expect(await ask(3)).toMatchObject({ http: 429, status: 'template_limit_reached' })
      const now = world.clock.now()
      world.clock.advance(
        Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime(),
      )
      expect(await ask(3)).toMatchObject({ http: 202 })
      await whatsApp.settle()
      await allow(null)
    },
  )

  test('a day that is used up between acceptance and the send ends the run failed, limit_exceeded', async () => {
    world.clock.advance(DAY_MS)
    await allow(1)
    const answers = [
      await askHook(shop.hookUrl, order('+966503330001')),
      await askHook(shop.hookUrl, order('+966503330002')),
    ]
    await whatsApp.settle()
    const reasons = (await Promise.all(answers.map(({ id }) => run(id)))).map(
      (one) => one.endReason,
    )
    expect(reasons.filter((reason) => reason === 'limit_exceeded')).toHaveLength(1)
    await allow(null)
  })

  test('a template that the provider refuses at once does not count', async () => {
    world.clock.advance(DAY_MS)
    await allow(1)
    const refused = await askHook(shop.hookUrl, order('+966503131030'))
    await whatsApp.settle()
    expect(await run(refused.id)).toMatchObject({ status: 'failed', endReason: 'error' })
    expect(await askHook(shop.hookUrl, order('+966503330004'))).toMatchObject({ http: 202 })
    await whatsApp.settle()
    expect(sentTo('+966503330004')).toBe(1)
    await allow(null)
  })

  systemTest('nor does one that its customer’s own limit keeps back', async () => {
    world.clock.advance(DAY_MS)
    await allow(4)
    const phone = '+966503330011'
    await Promise.all(Array.from({ length: 6 }, () => askHook(shop.hookUrl, order(phone))))
    await whatsApp.settle()
    expect(sentTo(phone)).toBe(3)
    expect(await askHook(shop.hookUrl, order('+966503330012'))).toMatchObject({ http: 202 })
    await whatsApp.settle()
    expect(sentTo('+966503330012')).toBe(1)
    await allow(null)
  })

  systemTest('nor one that waits for its next try as its customer opts out', async () => {
    world.clock.advance(DAY_MS)
    await allow(1)
    const phone = '+966504131056'
    const waiting = await askHook(shop.hookUrl, order(phone))
    await whatsApp.settle()
    expect(await run(waiting.id)).toMatchObject({ status: 'running' })
    const { phoneNumberId } = shop
    whatsApp.simulator.sendText({ from: phone, phoneNumberId, text: 'STOP' })
    await whatsApp.settle()
    expect(await run(waiting.id)).toMatchObject({ endReason: 'customer_exited' })
    expect(await askHook(shop.hookUrl, order('+966503330013'))).toMatchObject({ http: 202 })
    await allow(null)
  })

  test('a plan without automated templates answers 403 not_in_plan', async () => {
    await allow(0)
    expect(await askHook(shop.hookUrl, order('+966503330005'))).toMatchObject({
      http: 403,
      status: 'not_in_plan',
    })
    await allow(null)
  })

  test('are none on Pro: a run that is at work when the account leaves Business sends none', async () => {
    const phone = '+966503330006'
    const answer = await askHook(shop.hookUrl, order(phone))
    expect(answer).toMatchObject({ http: 202 })
    const setPlan = (plan: string) =>
      world.database.db.kysely
        .updateTable('account')
        .set({ plan })
        .where('id', '=', shop.accountId)
        .execute()
    await setPlan('pro')
    await whatsApp.settle()
    await setPlan('business')
    expect(await run(answer.id)).toMatchObject({ status: 'failed', endReason: 'limit_exceeded' })
    expect(sentTo(phone)).toBe(0)
  })
})
