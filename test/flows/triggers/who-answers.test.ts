/** Who answers a message of a customer: a run that waits, a flow that starts, nobody. Flows › Who answers a message. */
import { describe, expect, test } from 'vitest'
import { BURST_LIMITS } from '../../../src/core/limits/messaging.ts'
import { HOUR_MS } from '../../../src/core/limits/units.ts'
import { setPlan } from '../../support/records/accounts.ts'
import { moveChannel } from '../../support/records/credentials.ts'
import { holdLock } from '../../support/records/locks.ts'
import { putRun } from '../../support/records/runs.ts'
import {
  customerWrites,
  echoed,
  newWamid,
  postWebhook,
  webhookOf,
} from '../../support/whatsapp-webhook.ts'
import { ASKING, keyword, tellStory, type Story } from './trigger-stories.ts'
import { systemDescribe, systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const story = () => tellStory(world, whatsApp)
const FIRST = { kind: 'conversation_started' }

const LEFT = { status: 'completed', reason: 'customer_exited' }

describe('A message that a run waits for', () => {
  /** A run of a flow waits for an answer, beside a flow that interrupts it, or does not. */
  async function waiting(interrupts: boolean) {
    const told = await story()
    await told.publish({ trigger: keyword('order'), steps: ASKING, name: 'asks' })
    await told.publish({ trigger: { ...keyword('menu'), interrupts }, name: 'menu' })
    await told.say('order')
    return told
  }

  test('and that interrupts it just as a worker claims it ends it all the same', async () => {
    const { write, runs } = await waiting(true)
    const { id } = (await runs())[0]!
    await using worker = await holdLock(world, { runId: id })
    const claim = { claimId: world.service.context.ids.uuid(), leaseExpiresAt: world.clock.now() }
    await putRun(worker.inside, id, claim)
    const writing = write({ text: 'menu', at: world.clock.now() })
    await worker.blocks('the message waits for the run')
    await worker.release()
    await writing
    expect(await runs()).toMatchObject([LEFT, { status: 'queued', reason: null }])
  })

  systemTest('is its reply, also when it is a keyword', async () => {
    const { say, started, runs, shop } = await waiting(false)
    await say('menu')
    expect(await started()).toEqual(['asks'])
    expect(await runs()).toMatchObject([{ status: 'completed', reason: 'completed' }])
    expect(shop.events('flow.completed')).toMatchObject([
      { data: { run: { variables: { answer: 'menu' } } } },
    ])
  })

  systemTest(
    'and is only the keyword of a flow that interrupts: the run ends as left, and the flow starts',
    async () => {
      const { write, started, runs, shop } = await waiting(true)
      await write({ text: 'MENU' })
      expect(await runs()).toMatchObject([LEFT, { status: 'queued', reason: null }])
      await whatsApp.settle()
      expect(await started()).toEqual(['asks', 'menu'])
      expect(shop.events('flow.completed')).toMatchObject([
        { data: { run: { endReason: 'customer_exited' } } },
        { data: { run: { endReason: 'completed' } } },
      ])
    },
  )

  systemTest('and has that keyword among others is its reply', async () => {
    const { write, started } = await waiting(true)
    await write({ text: 'the menu please' })
    expect(await started()).toEqual(['asks'])
  })

  systemTest('and is the keyword that interrupts of its own flow: it begins again', async () => {
    const { publish, say, runs } = await story()
    await publish({ trigger: { ...keyword('menu'), interrupts: true }, steps: ASKING })
    await say('menu')
    await say('menu')
    expect(await runs()).toMatchObject([LEFT, { status: 'waiting' }])
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
    await setPlan(world, told.shop, 'starter')
    await told.write({ text: 'a' })
    expect(await told.started()).toEqual([])
    // The hook's flow is the oldest of the five.
    await setPlan(world, told.shop, 'pro')
    for (const text of ['f', 'e', 'd']) await told.write({ text })
    expect(await told.started()).toEqual(['d'])
  })

  systemTest(
    'of a flow that is switched off or deleted, nor by a word of an older version',
    async () => {
      const { publish, publishAgain, write, started, owner, shop } = await story()
      const off = await publish({ trigger: keyword('one') })
      const deleted = await publish({ trigger: keyword('two') })
      const changed = await publish({ trigger: keyword('three'), name: 'changed' })
      const path = (flow: string) => `/companies/${shop.companyId}/flows/${flow}`
      await owner.ask('PATCH', path(off), { isOn: false })
      await owner.ask('DELETE', path(deleted))
      await publishAgain(changed, { trigger: keyword('four') })
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
    await moveChannel(world, other, told.shop)
    await customerWrites(world, other, { from: told.phone, text: 'menu' })
    expect(await told.runs()).toEqual([])
  })
})

describe('A message that the provider delivers twice', () => {
  systemTest('starts one run, also when both come at the same moment', async () => {
    const { publish, runs, shop, phone } = await story()
    await publish({ trigger: keyword('menu') })
    await publish({ trigger: FIRST })
    const menu = { from: phone, text: 'menu', id: newWamid(), at: world.clock.now() }
    await Promise.all([1, 2, 3, 4].map(() => customerWrites(world, shop, menu)))
    await whatsApp.settle()
    await customerWrites(world, shop, menu)
    expect(await runs()).toHaveLength(1)
  })

  test('is not started of by two messages at once either while the run goes on', async () => {
    const { publish, runs, shop, phone } = await story()
    await publish({ trigger: keyword('menu'), steps: ASKING })
    const menu = { from: phone, text: 'menu', at: world.clock.now() }
    await Promise.all([1, 2, 3, 4].map(() => customerWrites(world, shop, menu)))
    expect(await runs()).toHaveLength(1)
  })
})
