/** The confirmation that a customer gives before an action, through a conversation. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { COULD_NOT_CHECK, REFUSED_BY_SERVER } from '../../src/rules/calls/action-answer.ts'
import { openAssisted, toldTo, type Customer } from '../support/assistant.ts'
import { call, say } from '../support/model-turns.ts'
import { startNowhere } from '../support/sink-server.ts'
import { proposalsOf } from '../support/records/assistant.ts'
import { API_TOKEN, json, startShopApi } from '../support/shop-api.ts'
import type { AskedOfModel } from '../support/model-server.ts'
import { waitUntil } from '../support/wait.ts'
import { customerWrites } from '../support/whatsapp-webhook.ts'
import { connectActions, POST_ORDER } from './tooled-shop.ts'

const assisted = await openAssisted()
const { world, model } = assisted
const shop = await assisted.openShop()
const nowhere = await startNowhere()
const api = await startShopApi(world)
const { add } = await connectActions(world, shop, api)
const shown = [{ label: 'Status', path: 'order.status' }]
await add({
  toolName: 'cancel_order',
  request: POST_ORDER,
  shown,
  statement: { en: 'I will cancel order {{args.order}}. Is that right?', ar: null },
})
await add({ toolName: 'order_status', shown })
/** All requests to the model in all tests. */
const wires: string[] = []
afterAll(async () => {
  await api.close()
  await nowhere.close()
})
beforeEach(() => {
  api.requests.length = 0
  api.reply(json(200, { order: { status: 'cancelled' } }))
})
afterEach(() => {
  wires.push(...model.asked.map(({ wire }) => wire))
})

const REQUEST = 'Please cancel order 1043'
const STATEMENT = 'I will cancel order 1043. Is that right?'
const CANCEL = call('action_cancel_order', { order: '1043' })
const SURE = say('Of course.')
const sent = () => api.requests.map(({ body }) => body)

/** The model has proposed to cancel an order, and the customer got the confirmation text. */
async function proposeCancellation(sara = shop.customer(), order = '1043'): Promise<Customer> {
  await sara.asks(`Please cancel order ${order}`, call('action_cancel_order', { order }), SURE)
  await assisted.pass(SECOND_MS)
  return sara
}

async function proposedTo(sara: Customer) {
  const { id: conversationId } = await sara.conversation()
  return proposalsOf(world, { conversationId })
}
const NOT_STATED = [{ state: 'withdrawn', withdrawnBecause: 'not_stated' }]

/** The customer writes `text`, and `more` while the model writes the answer. */
async function interrupts(sara: Customer, text: string, more: string): Promise<void> {
  const asks = model.asked.length
  await sara.says(text)
  world.clock.advance(3 * SECOND_MS)
  const release = model.hold()
  const settled = assisted.whatsApp.settle()
  await waitUntil('the model words it', () => model.asked.length === asks + 1)
  world.clock.advance(1)
  await sara.says(more)
  release()
  await settled
  await assisted.pass(3 * SECOND_MS)
}

test('the confirmation has the order’s number and two buttons, and yes makes one call with these arguments', async () => {
  const sara = await proposeCancellation()
  expect(await sara.got()).toEqual(['Of course.', STATEMENT])
  expect(sent()).toEqual([])
  model.script(say('-'))
  await sara.taps(0)
  expect(sent()).toEqual(['{"order":"1043"}'])
  expect(toldTo(model.asked.at(-1)!)).toContain('Status: cancelled')
  expect((await sara.got()).slice(2)).toEqual(['Done: cancel order 1043.'])
})

test('after a no, nothing is called and nothing is said to be done, whatever the model claims', async () => {
  const sara = await proposeCancellation()
  await sara.asks('لا', say('قلت نعم، وتم إلغاء طلبك.'))
  expect(sent()).toEqual([])
  expect((await sara.got()).at(-1)).toBe('حسنًا، لم أنفّذ هذا: cancel order (order: 1043).')
  await sara.asks('yes', say('There is nothing to agree to.'))
  expect(sent()).toEqual([])
})

describe('An agreed action', () => {
  test.each([
    [
      'yes',
      'Done: your order is cancelled.',
      'The shop’s system did not accept this, and nothing was changed: cancel order 1043.',
    ],
    ['نعم', 'تم إلغاء طلبك.', 'لم يقبله نظام المتجر، ولم يتغيّر شيء: cancel order (order: 1043).'],
  ])(
    "refused by the shop's system after «%s» is reported as refused, and not as done",
    async (yes, claim, words) => {
      const sara = await proposeCancellation()
      api.reply(json(409, { error: 'already shipped' }))
      await sara.asks(yes, say(claim))
      expect(sent()).toHaveLength(1)
      expect(toldTo(model.asked.at(-1)!)).toContain(REFUSED_BY_SERVER)
      expect((await sara.got()).slice(2)).toEqual([words])
      expect(await proposedTo(sara)).toMatchObject([{ state: 'failed' }])
      // Another yes makes a new proposal, and the refused call is not repeated.
      await sara.asks(yes, say('What else?'))
      expect(sent()).toHaveLength(1)
    },
  )

  test('is reported as unchecked when it fails, and never called again', async () => {
    const sara = await proposeCancellation()
    api.reply(json(500))
    const asks = model.asked.length
    await sara.asks('yes')
    const got = (await sara.got()).slice(2)
    expect(got).toEqual([
      expect.stringContaining('I could not find out whether this went through: cancel order 1043.'),
    ])
    expect(got[0]).toContain('team')
    expect(model.asked).toHaveLength(asks)
    await sara.asks('yes')
    expect(sent()).toHaveLength(1)
  })
})

test('after an unclear answer the shop asks once more, and after a second one says that nothing changed', async () => {
  const sara = await proposeCancellation()
  await sara.asks('hmm', say('Your order is cancelled.'), say('It is cancelled now.'))
  expect((await sara.got()).slice(2)).toEqual([STATEMENT])
  await assisted.pass(SECOND_MS)
  await sara.asks('hmm', say('We open at 10.'))
  expect((await sara.got()).slice(3)).toEqual([
    'I had no clear yes, so nothing was changed: cancel order 1043.\n\nWe open at 10.',
  ])
  expect(sent()).toEqual([])
})

test('after an answer that comes too late, the shop says so', async () => {
  const sara = await proposeCancellation()
  await assisted.pass(16 * MINUTE_MS)
  await sara.asks('yes', say('All done!'))
  expect((await sara.got()).slice(2)).toEqual([
    'Your answer came too late for this, and nothing was changed: cancel order 1043.',
  ])
  expect(sent()).toEqual([])
})

test("a yes in the same second as the confirmation counts, and follows it in the model's messages", async () => {
  const sara = shop.customer()
  model.script(CANCEL, SURE)
  await sara.says(REQUEST)
  // Both parts are sent well within a second, away from its ends.
  await assisted.pass(4 * SECOND_MS + 200 - (world.clock.now().getTime() % SECOND_MS))
  expect((await sara.got()).at(-1)).toBe(STATEMENT)
  world.clock.advance(300)
  await sara.asks('yes', say('Done.'))
  expect(sent()).toEqual(['{"order":"1043"}'])
  const told = model.asked.at(-1)!.body.messages.filter(({ role }) => role !== 'system')
  expect(told.map(({ content }) => content).slice(-2)).toEqual([STATEMENT, 'yes'])
})

test.each([
  ['is refused for good', '+966502131030'],
  ['has no answer', '+966502000000'],
])(
  'when the send of the confirmation %s, the proposal is withdrawn, and yes calls nothing',
  async (_how, phone) => {
    const sara = shop.customer(phone)
    // Receipts go elsewhere, so that none reports the send.
    shop.sendWebhooksTo(nowhere.url)
    model.script(CANCEL, SURE)
    const at = world.clock.now()
    await customerWrites(world, shop, { from: phone, text: 'Please cancel 1043', at })
    await assisted.pass(3 * SECOND_MS)
    await assisted.pass(MINUTE_MS)
    shop.sendWebhooksTo(`${world.url}/webhooks/whatsapp`)
    expect(await proposedTo(sara)).toMatchObject(NOT_STATED)
    await sara.staff('give-back')
    await sara.asks('yes', say('One moment.'))
    expect(sent()).toEqual([])
  },
)

test('a takeover by staff while the model is still writing withdraws the draft', async () => {
  const sara = shop.customer()
  model.script(CANCEL)
  let release = () => {}
  model.otherwise = () => {
    release = model.hold()
    return SURE
  }
  await sara.says(REQUEST)
  world.clock.advance(3 * SECOND_MS)
  const settled = assisted.whatsApp.settle()
  try {
    await waitUntil('the model is asked again', () => model.asked.length === 2)
    await sara.staff('take-over', { turn: await sara.turn() })
  } finally {
    release()
    await settled
  }
  model.otherwise = say('How can I help?')
  expect(await proposedTo(sara)).toMatchObject(NOT_STATED)
  expect(await sara.got()).toEqual([])
})

describe('A text that arrives while the model writes', () => {
  test('a proposal makes it propose again, and the confirmation is sent', async () => {
    const sara = shop.customer()
    let release = () => {}
    const isTold = ({ body }: AskedOfModel) => body.messages.some(({ role }) => role === 'tool')
    model.otherwise = (asking) => {
      if (!isTold(asking)) return CANCEL
      if (model.asked.length === 2) release = model.hold()
      return SURE
    }
    await sara.says(REQUEST)
    world.clock.advance(3 * SECOND_MS)
    const settled = assisted.whatsApp.settle()
    await waitUntil('the model is asked again', () => model.asked.length === 2)
    world.clock.advance(1)
    await sara.says('As soon as you can')
    release()
    await settled
    await assisted.pass(3 * SECOND_MS)
    await assisted.pass(SECOND_MS)
    model.otherwise = say('Done.')
    expect(await sara.got()).toEqual(['Of course.', STATEMENT])
    await sara.asks('yes')
    expect(sent()).toEqual(['{"order":"1043"}'])
  })

  test('the result of an agreed lookup does not lose that result', async () => {
    const looksUp = call('action_order_status', { order: '1043' })
    const sara = await shop.asked('Where is order 1043?', looksUp, SURE)
    await assisted.pass(SECOND_MS)
    api.reply(json(200, { order: { status: 'on its way' } }))
    model.otherwise = say('It is on its way.')
    await interrupts(sara, 'yes', 'thanks a lot')
    expect(api.requests).toHaveLength(1)
    const told = toldTo(model.asked.at(-1)!)
    expect(told).toContain('Status: on its way')
    expect(told).not.toContain(COULD_NOT_CHECK)
    expect((await sara.got()).at(-1)).toBe('It is on its way.')
  })

  test('the answer to a refusal does not lose the refusal', async () => {
    const sara = await proposeCancellation()
    const before = model.asked.length
    await interrupts(sara, 'no', 'I will think about it')
    expect(model.asked).toHaveLength(before + 2)
    expect(toldTo(model.asked.at(-1)!)).toContain(
      'All right, I did not do this: cancel order 1043.',
    )
    expect(sent()).toEqual([])
  })
})

test('STOP after the confirmation withdraws it, also when START and a yes follow', async () => {
  const sara = await proposeCancellation()
  await sara.asks('STOP')
  await sara.asks('START')
  await sara.asks('yes', say('How can I help?'))
  expect(sent()).toEqual([])
})

test('the model gets no credential, number or internal id', () => {
  expect(wires.length).toBeGreaterThan(20)
  expect(wires.join('\n')).not.toContain(API_TOKEN)
  expect(wires.join('\n')).not.toContain(shop.companyId)
})
