/** Who answers a message of a customer: a run that waits, a flow that starts, nobody. Flows › Who answers a message. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BURST_LIMITS } from '../../../src/limits/messaging.ts'
import { HOUR_MS } from '../../../src/limits/units.ts'
import { waitUntilBlocked } from '../../support/blocked.ts'
import { createWorld, type World } from '../../support/service.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from '../../support/simulator.ts'
import {
  echoed,
  newWamid,
  postWebhook,
  webhookOf,
  written,
} from '../../support/whatsapp-webhook.ts'
import { ASKING, SAYING, tellStory, type Story } from './trigger-stories.ts'
import { systemDescribe, systemTest } from '../../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})
const story = () => tellStory(world, whatsApp)
const keyword = (...words: string[]) => ({ kind: 'keyword', words })
const FIRST = { kind: 'conversation_started' }

describe('A message that a run waits for', () => {
  test('and that interrupts it just as a worker claims it ends it all the same', async () => {
    const { publish, write, runs } = await story()
    await publish({ trigger: keyword('order'), steps: ASKING, name: 'asks' })
    await publish({ trigger: { ...keyword('menu'), interrupts: true }, name: 'menu' })
    await write({ text: 'order' })
    await whatsApp.settle()
    const { id } = (await runs())[0]!
    const { pool } = world.database.db
    const worker = await pool.connect()
    try {
      await worker.query('begin')
      await worker.query('update flow_run set claim_id = $2, claimed_until = $3 where id = $1', [
        id,
        world.service.context.ids.uuid(),
        world.clock.now(),
      ])
      const writing = write({ text: 'menu', at: world.clock.now() })
      await waitUntilBlocked('the message waits for the run', pool, worker)
      await worker.query('commit')
      await writing
    } finally {
      worker.release()
    }
    expect(await runs()).toMatchObject([
      { status: 'completed', reason: 'customer_exited' },
      { status: 'queued', reason: null },
    ])
  })

  systemTest('is its reply, also when it is a keyword', async () => {
    const { publish, write, started, runs, shop } = await story()
    await publish({ trigger: keyword('order'), steps: ASKING, name: 'asks' })
    await publish({ trigger: keyword('menu'), name: 'menu' })
    await write({ text: 'order' })
    await whatsApp.settle()
    await write({ text: 'menu' })
    await whatsApp.settle()
    expect(await started()).toEqual(['asks'])
    expect(await runs()).toMatchObject([{ status: 'completed', reason: 'completed' }])
    expect(shop.events('flow.completed')).toMatchObject([
      { data: { run: { variables: { answer: 'menu' } } } },
    ])
  })

  systemTest(
    'and is only the keyword of a flow that interrupts: the run ends as left, and the flow starts',
    async () => {
      const { publish, write, started, runs, shop } = await story()
      await publish({ trigger: keyword('order'), steps: ASKING, name: 'asks' })
      await publish({ trigger: { ...keyword('menu'), interrupts: true }, name: 'menu' })
      await write({ text: 'order' })
      await whatsApp.settle()
      await write({ text: 'MENU' })
      expect(await runs()).toMatchObject([
        { status: 'completed', reason: 'customer_exited' },
        { status: 'queued', reason: null },
      ])
      await whatsApp.settle()
      expect(await started()).toEqual(['asks', 'menu'])
      const reasons = shop
        .events('flow.completed')
        .map(({ data }) => (data.run as { endReason: string }).endReason)
      expect(reasons).toEqual(['customer_exited', 'completed'])
    },
  )

  systemTest('and has that keyword among others is its reply', async () => {
    const { publish, write, started } = await story()
    await publish({ trigger: keyword('order'), steps: ASKING, name: 'asks' })
    await publish({ trigger: { ...keyword('menu'), interrupts: true }, name: 'menu' })
    await write({ text: 'order' })
    await whatsApp.settle()
    await write({ text: 'the menu please' })
    expect(await started()).toEqual(['asks'])
  })

  systemTest('and is the keyword that interrupts of its own flow: it begins again', async () => {
    const { publish, write, runs } = await story()
    await publish({ trigger: { ...keyword('menu'), interrupts: true }, steps: ASKING })
    await write({ text: 'menu' })
    await whatsApp.settle()
    await write({ text: 'menu' })
    await whatsApp.settle()
    expect(await runs()).toMatchObject([
      { status: 'completed', reason: 'customer_exited' },
      { status: 'waiting' },
    ])
  })
})

systemDescribe('A burst', () => {
  const bursts = ({ shop }: Story) => shop.events('conversation.handover')

  test('is the 61st text within ten minutes too', async () => {
    const told = await story()
    const { textsInMinute, textsInMinutes } = BURST_LIMITS
    for (let nth = 1; nth <= textsInMinutes; nth += 1) {
      await told.write({ text: `text ${nth}`, at: world.clock.now() })
      if (nth % textsInMinute === 0) world.clock.advance(BURST_LIMITS.minuteMs + 1_000)
    }
    await whatsApp.settle()
    expect(bursts(told)).toEqual([])
    await told.write({ text: 'one more', at: world.clock.now() })
    await whatsApp.settle()
    expect(bursts(told)).toMatchObject([{ data: { reason: 'message_burst' } }])
  })

  test('is none of what is no text', async () => {
    const told = await story()
    const location = { type: 'location', location: { latitude: 24.7, longitude: 46.6 } }
    for (let nth = 0; nth <= BURST_LIMITS.textsInMinute; nth += 1) {
      await told.write({ content: location, at: world.clock.now() })
    }
    await told.write({ text: 'There we are', at: world.clock.now() })
    await whatsApp.settle()
    expect(bursts(told)).toEqual([])
  })
})

describe('Nothing starts', () => {
  const setPlan = ({ shop }: Story, plan: string) =>
    world.database.db.kysely
      .updateTable('account')
      .set({ plan })
      .where('id', '=', shop.accountId)
      .execute()

  test('by STOP, and by START of a customer who is out; START of any other is a word', async () => {
    const { publish, write, runs } = await story()
    await publish({ trigger: keyword('stop', 'start') })
    await write({ text: 'STOP' })
    await write({ text: 'START' })
    expect(await runs()).toEqual([])
    await write({ text: 'start' })
    expect(await runs()).toHaveLength(1)
  })

  test('for a customer who is opted out', async () => {
    const { publish, write, runs } = await story()
    await publish({ trigger: keyword('menu') })
    await write({ text: 'stop' })
    world.clock.advance(1_000)
    await write({ text: 'menu' })
    expect(await runs()).toEqual([])
  })

  test('while staff handles the conversation', async () => {
    const { publish, write, runs, shop, phone } = await story()
    await publish({ trigger: keyword('menu') })
    await publish({ trigger: FIRST })
    const at = world.clock.now()
    await postWebhook(world, webhookOf(shop, [echoed({ to: phone.slice(1), at })]))
    await write({ text: 'menu' })
    expect(await runs()).toEqual([])
    world.clock.advance(24 * HOUR_MS)
    await write({ text: 'menu' })
    expect(await runs()).toHaveLength(1)
  })

  systemTest('without automations in the plan, nor beyond the plan’s number of flows', async () => {
    const told = await story()
    for (const word of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await told.publish({ trigger: keyword(word), name: word })
    }
    await setPlan(told, 'starter')
    await told.write({ text: 'a' })
    expect(await told.started()).toEqual([])
    // The hook's flow is the oldest of the five.
    await setPlan(told, 'pro')
    for (const text of ['f', 'e', 'd']) await told.write({ text })
    expect(await told.started()).toEqual(['d'])
  })

  systemTest(
    'of a flow that is switched off or deleted, nor by a word of an older version',
    async () => {
      const { publish, write, started, owner, shop } = await story()
      const [off, deleted, changed] = [
        await publish({ trigger: keyword('one') }),
        await publish({ trigger: keyword('two') }),
        await publish({ trigger: keyword('three'), name: 'changed' }),
      ]
      const path = (flow: string) => `/companies/${shop.companyId}/flows/${flow}`
      await owner.ask('PATCH', path(off), { isOn: false })
      await owner.ask('DELETE', path(deleted))
      const draft = {
        channelId: shop.channelId,
        trigger: keyword('four'),
        start: 'hello',
        steps: SAYING,
      }
      await owner.ask('PUT', `${path(changed)}/draft`, draft)
      await owner.ask('POST', `${path(changed)}/publish`)
      for (const text of ['one', 'two', 'three']) await write({ text })
      expect(await started()).toEqual([])
      await write({ text: 'four' })
      expect(await started()).toEqual(['changed'])
      await owner.ask('PATCH', path(off), { isOn: true })
      await write({ text: 'one' })
      expect(await started()).toHaveLength(2)
    },
  )

  test('by a message on another channel of the company', async () => {
    const told = await story()
    await told.publish({ trigger: keyword('menu') })
    const other = await whatsApp.openShop()
    const { kysely } = world.database.db
    await kysely
      .updateTable('channel')
      .set({ companyId: told.shop.companyId })
      .where('id', '=', other.channelId)
      .execute()
    const menu = webhookOf(other, [written({ from: told.phone.slice(1), text: 'menu' })])
    await postWebhook(world, menu)
    expect(await told.runs()).toEqual([])
  })
})

describe('A message that the provider delivers twice', () => {
  systemTest('starts one run, also when both come at the same moment', async () => {
    const { publish, runs, shop, phone } = await story()
    await publish({ trigger: keyword('menu') })
    await publish({ trigger: FIRST })
    const menu = webhookOf(shop, [
      written({ from: phone.slice(1), text: 'menu', id: newWamid(), at: world.clock.now() }),
    ])
    const answers = await Promise.all([1, 2, 3, 4].map(() => postWebhook(world, menu)))
    expect(answers).toEqual([200, 200, 200, 200])
    await whatsApp.settle()
    expect(await postWebhook(world, menu)).toBe(200)
    expect(await runs()).toHaveLength(1)
  })

  test('is not started of by two messages at once either while the run goes on', async () => {
    const { publish, runs, shop, phone } = await story()
    await publish({ trigger: keyword('menu'), steps: ASKING })
    const menus = [1, 2, 3, 4].map(() =>
      webhookOf(shop, [written({ from: phone.slice(1), text: 'menu', at: world.clock.now() })]),
    )
    await Promise.all(menus.map((menu) => postWebhook(world, menu)))
    expect(await runs()).toHaveLength(1)
  })
})
