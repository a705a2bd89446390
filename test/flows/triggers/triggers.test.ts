/** What starts a run when a customer writes. Flows › Triggers; Flows › Who answers a message. */
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/core/limits/units.ts'
import { customerWrites, echoed, postWebhook, webhookOf } from '../../support/whatsapp-webhook.ts'
import { ASKING, keyword, tellStory, type Story } from './trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const story = () => tellStory(world, whatsApp)
const FIRST = { kind: 'conversation_started' }

describe('`keyword`: a customer writes a word of the flow', () => {
  systemTest(
    'and a run starts, answers in the open window, and tells of itself by its trigger',
    async () => {
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
    },
  )

  systemTest.each([
    ['letter case and space', 'offer', ' OFFER '],
    ['tatweel and hamza', 'إلغاء', 'الغـاء'],
    ['vowel marks', 'عرض', 'عَرْض'],
    ['ta marbuta, ya and marks of direction', 'القائمة الأولى', '\u200fالقائمه الاولي\u200e'],
    ['digits', 'عرض 25', 'عرض ٢٥'],
  ])('read without %s', async (_, word, text) => {
    const { publish, write, runs } = await story()
    await publish({ trigger: keyword(word) })
    await write({ text })
    expect(await runs()).toHaveLength(1)
  })

  systemTest('as a whole word within a message, and not within a word', async () => {
    const { publish, write, started } = await story()
    await publish({ trigger: keyword('عرض'), name: 'Offer' })
    await write({ text: 'عندي عرضان ومعرض' })
    expect(await started()).toEqual([])
    await write({ text: 'أريد العرض، أو عرض!' })
    expect(await started()).toEqual(['Offer'])
  })

  systemTest(
    'of several flows the exact word goes first, then the longer one, then the flow first published',
    async () => {
      const { publish, say, started } = await story()
      await publish({ trigger: keyword('track'), name: 'short' })
      await publish({ trigger: keyword('track order'), name: 'long' })
      await publish({ trigger: keyword('track order', 'track'), name: 'late' })
      await publish({ trigger: keyword('track order 5'), name: 'exact' })
      for (const text of ['please track order 7', 'Track', 'track order 5']) await say(text)
      expect(await started()).toEqual(['long', 'short', 'exact'])
    },
  )

  test('that another flow has too is published, and switched off and on', async () => {
    const { publish, owner, shop } = await story()
    await publish({ trigger: keyword('menu') })
    const second = await publish({ trigger: keyword('menu') })
    const path = `/companies/${shop.companyId}/flows/${second}`
    for (const isOn of [false, true]) {
      expect((await owner.ask('PATCH', path, { isOn })).status).toBe(200)
    }
  })

  test('in a caption starts nothing; as the label of a tapped button it does', async () => {
    const { publish, write, runs } = await story()
    await publish({ trigger: keyword('yes') })
    await write({ content: { type: 'image', image: { id: '1', caption: 'yes' } } })
    expect(await runs()).toEqual([])
    await write({ content: { type: 'button', button: { text: 'Yes', payload: 'x' } } })
    expect(await runs()).toHaveLength(1)
  })

  systemTest('with a run of the flow under way there starts no second', async () => {
    const { publish, write, started } = await story()
    const trigger = { ...keyword('menu'), interrupts: false }
    await publish({ trigger, steps: { wait: { ...ASKING.ask, next: null } }, start: 'wait' })
    await publish({ trigger: keyword('the menu'), name: 'other' })
    await write({ text: 'menu' })
    await write({ text: 'menu' })
    expect(await started()).toEqual(['Flow'])
  })
})

describe('`conversation_started`: a customer writes for the first time', () => {
  systemTest('and never again', async () => {
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

  test('with media too', async () => {
    const { publish, write, runs } = await story()
    await publish({ trigger: FIRST })
    await write({ content: { type: 'image', image: { id: '1' } } })
    expect(await runs()).toHaveLength(1)
  })

  test('a keyword goes before it', async () => {
    const { publish, write, started } = await story()
    await publish({ trigger: FIRST, name: 'welcome' })
    await publish({ trigger: keyword('menu'), name: 'menu' })
    await write({ text: 'menu' })
    await write({ text: 'hello' })
    expect(await started()).toEqual(['menu'])
  })

  systemTest(
    'of messages that come in one moment only the first, in one webhook and in several',
    async () => {
      const { publish, started, shop, phone } = await story()
      await publish({ trigger: FIRST, name: 'welcome' })
      await publish({ trigger: keyword('menu'), name: 'menu' })
      // Ids of messages are random: what is decided by them shows in one of several tries.
      for (let nth = 0; nth < 6; nth += 1) {
        const from = `${phone.slice(0, -1)}${nth}`
        const said = ['menu', 'hello', 'there'].map((text) => ({ from, text }))
        if (nth % 2 === 0) await customerWrites(world, shop, ...said)
        else for (const one of said) await customerWrites(world, shop, one)
      }
      expect(await started()).toEqual(Array.from({ length: 6 }, () => 'menu'))
    },
  )

  test('a conversation that a hook begins starts none', async () => {
    const { publish, runs, shop, phone } = await story()
    await publish({ trigger: FIRST })
    await shop.order(phone)
    expect(await runs()).toMatchObject([{ kind: 'webhook' }])
  })

  test('one that the business began in the provider’s app starts it with the customer’s first message', async () => {
    const { publish, write, runs, shop, phone } = await story()
    await publish({ trigger: FIRST })
    const at = world.clock.now()
    await postWebhook(world, webhookOf(shop, [echoed({ to: phone.slice(1), at })]))
    world.clock.advance(25 * HOUR_MS)
    await write({ text: 'thanks' })
    expect(await runs()).toMatchObject([{ kind: 'conversation_started' }])
  })

  systemTest('cannot be two flows of a channel: neither published nor switched on', async () => {
    const { publish, publishAgain, tryToPublish, owner, shop } = await story()
    const path = (flow: string) => `/companies/${shop.companyId}/flows/${flow}`
    const first = await publish({ trigger: FIRST, name: 'One' })
    // Again it is no other flow.
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

  /** A template of a run that has ended. */
  async function sentTemplate({ shop, phone, say, sent }: Story): Promise<string> {
    await shop.order(phone)
    await whatsApp.settle()
    await say('ok')
    return sent().findLast(({ template }) => template)!.wamid
  }

  systemTest('of a run that has ended: the flow of that button starts', async () => {
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

  systemTest('of a run that still waits: the run gets it, and nothing starts', async () => {
    const { publish, runs, shop, phone, tap } = await story()
    await publish({ trigger: LATER })
    await shop.order(phone)
    await whatsApp.settle()
    await tap(1)
    expect(await runs()).toMatchObject([{ kind: 'webhook', status: 'completed' }])
  })

  systemTest('goes before a keyword, and before a run that waits for something else', async () => {
    const told = await story()
    await told.publish({ trigger: keyword('later'), name: 'keyword' })
    await told.publish({ trigger: LATER, name: 'button' })
    const wamid = await sentTemplate(told)
    await told.shop.order(told.phone)
    await whatsApp.settle()
    await told.tap(1, wamid)
    expect(await told.started()).toEqual(['the hook’s', 'the hook’s', 'button'])
    expect((await told.runs())[1]).toMatchObject({ status: 'waiting' })
  })

  systemTest('the same words written, or a quote of the template, are no tap', async () => {
    const told = await story()
    await told.publish({ trigger: LATER })
    const wamid = await sentTemplate(told)
    await told.write({ text: 'Later', quotes: wamid })
    await told.write({ text: 'Later' })
    expect(await told.runs()).toHaveLength(1)
  })

  test('is published only where the template has the button', async () => {
    const { tryToPublish } = await story()
    const { answer } = await tryToPublish({ trigger: { ...LATER, button: 'Never' } })
    const message = expect.stringContaining('"Yes, today" or "Later"')
    const body = { errors: [{ code: 'trigger_button_missing', message }] }
    expect(answer).toMatchObject({ status: 422, body })
  })
})
