import { afterEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/core/limits/units.ts'
import { addFlow } from '../support/add-flow.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { allowTemplates, setPlan } from '../support/records/accounts.ts'
import { runOf } from '../support/records/runs.ts'
import { newPhone } from '../support/simulator.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp({ databasePool: '8' })
const shop = await whatsApp.openShop()
afterEach(() => allowTemplates(world, shop, null))

const run = (id: string | null) => runOf(world, id!)
const sentTo = (phone: string) => whatsApp.sentTo(phone).length
/** Posts to the hook, which starts a run for the customer. */
const ask = (phone: string, hookUrl = shop.hookUrl) =>
  postHook(hookUrl, { ...ORDER, customer: { ...ORDER.customer, phone } })
/** Posts to the hook, and processes all that follows. Returns the run's id if it was accepted. */
async function order(phone: string, hookUrl = shop.hookUrl): Promise<string | null> {
  const answer = await ask(phone, hookUrl)
  expect(answer).toMatchObject({ http: 202 })
  await whatsApp.settle()
  return answer.id
}
/** Posts that many concurrent requests for one customer, all of which are accepted. Returns the runs. */
async function orderAtOnce(count: number, phone: string) {
  const answers = await Promise.all(Array.from({ length: count }, () => ask(phone)))
  expect(answers.every(({ http }) => http === 202)).toBe(true)
  await whatsApp.settle()
  return Promise.all(answers.map(({ id }) => run(id)))
}

const CUSTOMER_LIMIT = { http: 429, status: 'customer_limit_reached', id: null }

describe('Automated templates to one customer: 3 in any 24 hours', () => {
  test('the fourth request answers 429 customer_limit_reached, and 202 again when the first is 24 hours old', async () => {
    const phone = newPhone()
    for (let sent = 0; sent < 3; sent += 1) {
      await order(phone)
      world.clock.advance(HOUR_MS)
    }
    expect(await ask(phone)).toMatchObject(CUSTOMER_LIMIT)
    world.clock.advance(DAY_MS - 3 * HOUR_MS)
    await order(phone)
    expect(sentTo(phone)).toBe(4)
  })

  systemTest('let three of runs accepted together send; the others fail', async () => {
    const phone = newPhone()
    const runs = await orderAtOnce(6, phone)
    expect(sentTo(phone)).toBe(3)
    const over = runs.filter(({ endReason }) => endReason === 'limit_exceeded')
    expect(over).toHaveLength(3)
    expect(over[0]).toMatchObject({
      status: 'failed',
      endDetail: serializeFact(fact('customer_templates_used_up', { max: 3 })),
    })
  })

  systemTest('count per customer of one company, over all of its flows', async () => {
    const phone = newPhone()
    const other = await addFlow(world, shop)
    for (const url of [shop.hookUrl, other.hookUrl, shop.hookUrl]) await order(phone, url)
    expect(sentTo(phone)).toBe(3)
    for (const url of [shop.hookUrl, other.hookUrl]) {
      expect(await ask(phone, url)).toMatchObject(CUSTOMER_LIMIT)
    }
    await order(phone, (await whatsApp.openShop()).hookUrl)
    expect(sentTo(phone)).toBe(4)
  })
})

describe('Automated templates per day, shared by account and projects', () => {
  /** Begins a new day, with that allowance. */
  async function allowFromToday(max: number): Promise<void> {
    world.clock.advance(DAY_MS)
    await allowTemplates(world, shop, max)
  }

  systemTest('answer 429 template_limit_reached once used up, until the next UTC day', async () => {
    await allowFromToday(2)
    for (const phone of [newPhone(), newPhone()]) await order(phone)
    const phone = newPhone()
    const used = { http: 429, status: 'template_limit_reached' }
    expect(await ask(phone)).toMatchObject(used)
    const now = world.clock.now().getTime()
    world.clock.advance((Math.floor(now / DAY_MS) + 1) * DAY_MS - now)
    await order(phone)
  })

  test('a day that is used up between acceptance and the send ends the run failed, limit_exceeded', async () => {
    await allowFromToday(1)
    const answers = [await ask(newPhone()), await ask(newPhone())]
    await whatsApp.settle()
    const runs = await Promise.all(answers.map(({ id }) => run(id)))
    const over = runs.filter(({ endReason }) => endReason === 'limit_exceeded')
    expect(over).toMatchObject([{ status: 'failed' }])
  })

  test('a template that the provider refuses immediately does not count', async () => {
    await allowFromToday(1)
    const refused = await order('+966503131030')
    expect(await run(refused)).toMatchObject({ status: 'failed', endReason: 'error' })
    const phone = newPhone()
    await order(phone)
    expect(sentTo(phone)).toBe(1)
  })

  systemTest('a template that its customer’s own limit prevents does not count', async () => {
    await allowFromToday(4)
    const [phone, other] = [newPhone(), newPhone()]
    await orderAtOnce(6, phone)
    expect(sentTo(phone)).toBe(3)
    await order(other)
    expect(sentTo(other)).toBe(1)
  })

  systemTest('a template whose customer opts out before its next try does not count', async () => {
    await allowFromToday(1)
    const phone = '+966504131056'
    const waiting = await order(phone)
    expect(await run(waiting)).toMatchObject({ status: 'running' })
    const { phoneNumberId } = shop
    whatsApp.simulator.sendText({ from: phone, phoneNumberId, text: 'STOP' })
    await whatsApp.settle()
    expect(await run(waiting)).toMatchObject({ endReason: 'customer_exited' })
    expect(await ask(newPhone())).toMatchObject({ http: 202 })
  })

  test('a plan without automated templates answers 403 not_in_plan', async () => {
    await allowTemplates(world, shop, 0)
    expect(await ask(newPhone())).toMatchObject({ http: 403, status: 'not_in_plan' })
  })

  test('are none on Pro: a run in progress when the account leaves Business sends none', async () => {
    const phone = newPhone()
    const { id, http } = await ask(phone)
    expect(http).toBe(202)
    await setPlan(world, shop, 'pro')
    await whatsApp.settle()
    await setPlan(world, shop, 'business')
    expect(await run(id)).toMatchObject({ status: 'failed', endReason: 'limit_exceeded' })
    expect(sentTo(phone)).toBe(0)
  })
})
