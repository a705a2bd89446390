/**
 * Messages of customers start runs, or are answered by a waiting run, by a flow that starts, or not at all. Flows ›
 * Triggers; Flows › Order of answers to a message.
 */
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/core/limits/units.ts'
import { BURST_LIMITS } from '../../../src/core/limits/messaging.ts'
import { customerWrites, echoed, postWebhook, webhookOf } from '../../support/whatsapp-webhook.ts'
import { ASKING, keyword, type Story, tellStory } from './trigger-stories.ts'
import { systemDescribe, systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'
import { setPlan } from '../../support/records/accounts.ts'
import { moveChannel } from '../../support/records/credentials.ts'
import { holdLock } from '../../support/records/locks.ts'
import { putRun } from '../../support/records/runs.ts'

const { world, whatsApp } = await openWhatsApp()

const story = () => tellStory(world, whatsApp)
const FIRST = { kind: 'conversation_started' }

describe('`keyword`: a customer writes a word of the flow', () => {
  systemTest('starts a run, which answers, and whose event names the trigger', async () => {
    const { publish, write, runs, shop } = await story()
    const flowId = await publish({ trigger: keyword('menu', 'offer') })
    await write({ text: 'hello' })
    expect(await runs()).toEqual([])
    await write({ text: 'Offer' })
    expect(await runs()).toMatchObject([{ flowId, kind: 'keyword', status: 'queued' }])
    await whatsApp.settle()
    expect(shop.events('flow.completed')).toMatchObject([
      { data: { flow: { id: flowId }, run: { triggerKind: 'keyword', endReason: 'completed' } } },
    ])
    expect(whatsApp.simulator.messages().at(-1)).toMatchObject({ text: 'Here it is' })
  })

  systemTest('starts the exact word’s flow, else the longer’s, else the older', async () => {
    const { publish, say, started } = await story()
    await publish({ trigger: keyword('track'), name: 'short' })
    await publish({ trigger: keyword('track order'), name: 'long' })
    await publish({ trigger: keyword('track order', 'track'), name: 'late' })
    await publish({ trigger: keyword('track order 5'), name: 'exact' })
    for (const text of ['please track order 7', 'Track', 'track order 5']) await say(text)
    expect(await started()).toEqual(['long', 'short', 'exact'])
  })

  test('starts nothing in a caption, but does as the label of a tapped button', async () => {
    const { publish, write, runs } = await story()
    await publish({ trigger: keyword('yes') })
    await write({ content: { type: 'image', image: { id: '1', caption: 'yes' } } })
    expect(await runs()).toEqual([])
    await write({ content: { type: 'button', button: { text: 'Yes', payload: 'x' } } })
    expect(await runs()).toHaveLength(1)
  })
})

describe('`conversation_started`: a customer writes for the first time', () => {
  systemTest('starts a run once', async () => {
    const { publish, say, write, runs, shop } = await story()
    const flowId = await publish({ trigger: FIRST })
    await say('hello')
    const kind = 'conversation_started'
    expect(await runs()).toMatchObject([{ flowId, kind, status: 'completed' }])
    world.clock.advance(2 * DAY_MS)
    await write({ text: 'hello again' })
    expect(await runs()).toHaveLength(1)
    expect(shop.events('conversation.started')).toHaveLength(1)
  })

  test('starts a run with media too', async () => {
    const { publish, write, runs } = await story()
    await publish({ trigger: FIRST })
    await write({ content: { type: 'image', image: { id: '1' } } })
    expect(await runs()).toHaveLength(1)
  })

  systemTest(
    'starts a run by the first of concurrent messages, in one webhook or several',
    async () => {
      const { publish, started, shop, phone } = await story()
      await publish({ trigger: FIRST, name: 'welcome' })
      await publish({ trigger: keyword('menu'), name: 'menu' })
      // Ids of messages are random, so a wrong order by ids shows in one of several tries.
      for (let nth = 0; nth < 6; nth += 1) {
        const from = `${phone.slice(0, -1)}${nth}`
        const said = ['menu', 'hello', 'there'].map((text) => ({ from, text }))
        if (nth % 2 === 0) await customerWrites(world, shop, ...said)
        else for (const one of said) await customerWrites(world, shop, one)
      }
      expect(await started()).toEqual(Array.from({ length: 6 }, () => 'menu'))
    },
  )

  test('starts none for a conversation that a hook began', async () => {
    const { publish, runs, shop, phone } = await story()
    await publish({ trigger: FIRST })
    await shop.order(phone)
    expect(await runs()).toMatchObject([{ kind: 'webhook' }])
  })

  test('starts one by the first message of a customer after the business began in the provider’s app', async () => {
    const { publish, write, runs, shop, phone } = await story()
    await publish({ trigger: FIRST })
    const at = world.clock.now()
    await postWebhook(world, webhookOf(shop, [echoed({ to: phone.slice(1), at })]))
    world.clock.advance(25 * HOUR_MS)
    await write({ text: 'thanks' })
    expect(await runs()).toMatchObject([{ kind: 'conversation_started' }])
  })

  systemTest('belongs to one flow of a channel: a second is refused', async () => {
    const { publish, publishAgain, tryToPublish, owner, shop } = await story()
    const path = (flow: string) => `/companies/${shop.companyId}/flows/${flow}`
    const first = await publish({ trigger: FIRST, name: 'One' })
    // Publishing it again is not another flow.
    expect((await publishAgain(first, { trigger: FIRST })).status).toBe(200)
    const { id, answer } = await tryToPublish({ trigger: FIRST, name: 'Two' })
    const taken = { errors: [{ code: 'trigger_first_message_taken' }] }
    expect(answer).toMatchObject({ status: 422, body: taken })
    await owner.ask('PATCH', path(first), { isOn: false })
    expect((await owner.ask('POST', `${path(id)}/publish`)).status).toBe(200)
    const refused = await owner.ask('PATCH', path(first), { isOn: true })
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(refused.body.detail).toContain('"Two"')
  })
})

describe('`template_button`: a customer taps a button of a template', () => {
  const LATER = { kind: 'template_button', template: 'order_ready', button: 'later' }

  /** Returns a template of a run that has ended. */
  async function sentTemplate({ shop, phone, say, sent }: Story): Promise<string> {
    await shop.order(phone)
    await whatsApp.settle()
    await say('ok')
    return sent().findLast(({ template }) => template)!.wamid
  }

  systemTest('starts the flow of that button after the run has ended', async () => {
    const told = await story()
    const flowId = await told.publish({ trigger: LATER })
    const wamid = await sentTemplate(told)
    await told.tap(0, wamid)
    expect(await told.runs()).toHaveLength(1)
    await told.tap(1, wamid)
    expect((await told.runs())[1]).toMatchObject({ flowId, kind: 'template_button' })
    expect(told.shop.events('flow.completed').at(-1)).toMatchObject({
      data: { run: { triggerKind: 'template_button' } },
    })
  })

  systemTest('is not the same as writing its words, or quoting the template', async () => {
    const told = await story()
    await told.publish({ trigger: LATER })
    const wamid = await sentTemplate(told)
    await told.write({ text: 'Later', quotes: wamid })
    await told.write({ text: 'Later' })
    expect(await told.runs()).toHaveLength(1)
  })

  test('is published only if the template has the button', async () => {
    const { tryToPublish } = await story()
    const { answer } = await tryToPublish({ trigger: { ...LATER, button: 'Never' } })
    const message = expect.stringContaining('"Yes, today" or "Later"')
    const body = { errors: [{ code: 'trigger_button_missing', message }] }
    expect(answer).toMatchObject({ status: 422, body })
  })
})

const LEFT = { status: 'completed', reason: 'customer_exited' }

describe('A message that a run waits for', () => {
  /** Returns a story whose run waits for an answer, and with another flow that interrupts it or not. */
  async function waiting(interrupts: boolean) {
    const told = await story()
    await told.publish({ trigger: keyword('order'), steps: ASKING, name: 'asks' })
    await told.publish({ trigger: { ...keyword('menu'), interrupts }, name: 'menu' })
    await told.say('order')
    return told
  }

  test('ends the run if it interrupts it, even while a worker claims it', async () => {
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

  systemTest('is its reply if the interrupting keyword is one word among others', async () => {
    const { write, started } = await waiting(true)
    await write({ text: 'the menu please' })
    expect(await started()).toEqual(['asks'])
  })

  systemTest('starts the flow again if it interrupts that flow itself', async () => {
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

  test('does not include messages without text', async () => {
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
  test('by STOP, or by START of a customer who opted out; START of any other is a usual word', async () => {
    const { publish, write, runs } = await story()
    await publish({ trigger: keyword('stop', 'start') })
    await write({ text: 'STOP' })
    await write({ text: 'START' })
    expect(await runs()).toEqual([])
    await write({ text: 'start' })
    expect(await runs()).toHaveLength(1)
  })

  systemTest('without automations in the plan, or beyond the plan’s number of flows', async () => {
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

  systemTest('by a flow that is off or deleted, or by a word of an older version', async () => {
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
  })

  test('by a message on another channel of the company', async () => {
    const told = await story()
    await told.publish({ trigger: keyword('menu') })
    const other = await whatsApp.openShop()
    await moveChannel(world, other, told.shop)
    await customerWrites(world, other, { from: told.phone, text: 'menu' })
    expect(await told.runs()).toEqual([])
  })
})

test('Concurrent messages start only one run of a flow while that run continues', async () => {
  const { publish, runs, shop, phone } = await story()
  await publish({ trigger: keyword('menu'), steps: ASKING })
  const menu = { from: phone, text: 'menu', at: world.clock.now() }
  await Promise.all([1, 2, 3, 4].map(() => customerWrites(world, shop, menu)))
  expect(await runs()).toHaveLength(1)
})
