/**
 * The whole way of a run with real parts: a hook, WhatsApp as the simulator plays it, and a merchant's
 * receiver, whose every delivery is verified by two verifiers that are not ours.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_DATA, WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import { fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'
import { DAY_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { createWorld, type World } from '../support/service.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import {
  approved,
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { verifyDeliveries } from '../support/verify-deliveries.ts'
import { inEnglish } from '../support/in-english.ts'

let world: World
let whatsApp: SimulatedWhatsApp
const shops: ConnectedShop[] = []
let verified = 0

beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

async function openShop(options: Parameters<SimulatedWhatsApp['openShop']>[0] = {}) {
  const shop = await whatsApp.openShop(options)
  shops.push(shop)
  return shop
}

/** Lets everything come to rest and verifies what was delivered, before the clock moves on. */
async function settle() {
  await whatsApp.settle()
  for (const delivery of world.receiver.received.slice(verified)) {
    const shop = shops.find(({ companyId }) => companyId === delivery.event.company.id)
    await verifyDeliveries([delivery], shop!.secret, world.clock.now())
    const { type, data } = WebhookEnvelope.parse(delivery.event)
    EVENT_DATA[type as keyof typeof EVENT_DATA].parse(data)
    verified += 1
  }
}

const runOf = (id: string) =>
  world.database.db.kysely
    .selectFrom('flowRun')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const messagesOf = (runId: string) =>
  world.database.db.kysely
    .selectFrom('message')
    .selectAll()
    .where('runId', '=', runId)
    .orderBy('id')
    .execute()
const sentTo = (phone: string) =>
  whatsApp.simulator.messages().filter(({ to }) => `+${to}` === phone)

describe('a run that a hook starts', () => {
  test('sends its template, takes the tapped button as the answer and tells of its end', async () => {
    const shop = await openShop()
    const phone = newPhone()
    const startedAt = world.clock.now().toISOString()
    const runId = await shop.order(phone, { order: { number: 1043 } })
    await settle()
    expect(sentTo(phone)).toMatchObject([
      { template: 'order_ready', language: 'en', params: ['Sara', '1043'], status: 'delivered' },
    ])
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
    expect(shop.events('flow.completed')).toEqual([])

    world.clock.advance(5 * MINUTE_MS)
    whatsApp.simulator.tapButton({ from: phone, buttonIndex: 1 })
    await settle()
    const [completed, ...more] = shop.events('flow.completed')
    expect(more).toEqual([])
    const [started] = shop.events('conversation.started')
    expect(completed).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'flow.completed',
      apiVersion: '2026-10',
      createdAt: world.clock.now().toISOString(),
      test: false,
      company: { id: shop.companyId, name: 'Shop' },
      data: {
        flow: { id: shop.flowId, name: 'Order is ready' },
        run: {
          id: runId,
          status: 'completed',
          endReason: 'completed',
          triggerKind: 'webhook',
          startedAt,
          endedAt: world.clock.now().toISOString(),
          variables: { order: '1043', answer: 'Later' },
        },
        conversation: {
          id: (started!.data.conversation as { id: string }).id,
          channelId: shop.channelId,
          channelType: 'whatsapp',
        },
        contact: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'Sara',
          phone,
          whatsAppId: phone.slice(1),
        },
      },
    })
    const [received] = shop.events('message.received')
    expect(received!.data).toMatchObject({
      contact: completed!.data.contact,
      conversation: completed!.data.conversation,
      message: { text: 'Later', type: 'text', id: expect.stringMatching(/^m_/) },
    })
    expect(shop.events('flow.failed')).toEqual([])
  })

  test('records that its message was sent, delivered and read, and raises nothing for it', async () => {
    const shop = await openShop()
    const phone = newPhone()
    const runId = await shop.order(phone)
    await settle()
    const before = shop.events().length
    expect(await messagesOf(runId)).toMatchObject([
      { status: 'delivered', sentAt: expect.any(Date), deliveredAt: expect.any(Date) },
    ])
    whatsApp.simulator.readChat({ from: phone.slice(1), phoneNumberId: shop.phoneNumberId })
    await settle()
    expect(await messagesOf(runId)).toMatchObject([
      {
        status: 'read',
        readAt: expect.any(Date),
        templateName: 'order_ready',
        text: 'Hello Sara, your order 1043 is ready.',
      },
    ])
    expect(shop.events().length).toBe(before)
    expect(await runOf(runId)).toMatchObject({ status: 'waiting' })
  })

  test.each([
    ['the run’s language', 'English', ['ar', 'en', 'en_US'], 'en'],
    ['a region of the run’s language', 'en', ['ar', 'en_GB'], 'en_GB'],
    ['the step’s own language without one for the run', 'en', ['ar', 'fr'], 'ar'],
    ['the step’s own language when the run has none', undefined, ['ar', 'en'], 'ar'],
    ['a region of the step’s own language', undefined, ['ar_EG', 'en'], 'ar_EG'],
  ])('picks %s', async (_, language, languages, picked) => {
    const shop = await openShop({
      templates: languages.map((code) => approved('order_ready', code)),
    })
    const phone = newPhone()
    await shop.order(phone, { customer: { language } })
    await settle()
    expect(sentTo(phone).map((message) => message.language)).toEqual([picked])
  })

  test('cleans the values it fills in, as WhatsApp takes no line breaks', async () => {
    const shop = await openShop()
    const phone = newPhone()
    await shop.order(phone, {
      customer: { name: ' Sara\n  al-Haddad\t', language: 'ar' },
      order: { number: 'A     1\r\n{{contact.name}}' },
    })
    await settle()
    expect(sentTo(phone)).toMatchObject([{ params: ['Sara al-Haddad', 'A 1 {{contact.name}}'] }])
  })

  test('goes the time-out’s way when no reply came for 24 hours', async () => {
    const shop = await openShop({
      steps: {
        ...ORDER_READY_STEPS,
        ask: { ...ORDER_READY_STEPS.ask, onTimeout: 'note' },
        note: {
          kind: 'set_variable',
          name: 'outcome',
          text: 'no answer to {{vars.order}}',
          next: null,
        },
      },
    })
    const runId = await shop.order(newPhone())
    await settle()
    world.clock.advance(DAY_MS - 1)
    await settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting' })
    world.clock.advance(1)
    await settle()
    expect(shop.events('flow.completed')).toMatchObject([
      { data: { run: { id: runId, variables: { order: '1043', outcome: 'no answer to 1043' } } } },
    ])
  })

  test('branches on the answer, sets variables and writes inside the service window', async () => {
    const shop = await openShop({
      steps: {
        ...ORDER_READY_STEPS,
        ask: { ...ORDER_READY_STEPS.ask, next: 'is-yes' },
        'is-yes': {
          kind: 'condition',
          variable: 'answer',
          is: 'containing',
          value: 'YES',
          next: 'mark',
          otherwise: 'finish',
        },
        mark: { kind: 'set_variable', name: 'when', text: '{{vars.answer}}!', next: 'thank' },
        thank: { kind: 'send_message', text: 'Thanks {{contact.name}}: {{vars.when}}', next: null },
      },
    })
    const [yes, no] = [newPhone(), newPhone()]
    const runs = [await shop.order(yes), await shop.order(no)]
    await settle()
    whatsApp.simulator.sendText({
      from: yes,
      phoneNumberId: shop.phoneNumberId,
      text: 'yes please',
    })
    whatsApp.simulator.sendText({ from: no, phoneNumberId: shop.phoneNumberId, text: 'no' })
    await settle()
    expect(sentTo(yes)[1]).toMatchObject({
      type: 'text',
      text: 'Thanks Sara: yes please!',
      status: 'delivered',
    })
    expect(sentTo(no)).toHaveLength(1)
    const ends = shop.events('flow.completed').map(({ data }) => data.run)
    expect(ends).toHaveLength(2)
    expect(ends).toContainEqual(
      expect.objectContaining({
        id: runs[0],
        variables: { order: '1043', answer: 'yes please', when: 'yes please!' },
      }),
    )
    expect(ends).toContainEqual(
      expect.objectContaining({ id: runs[1], variables: { order: '1043', answer: 'no' } }),
    )
  })
})

describe('a run that cannot send', () => {
  async function failedEnd(shop: ConnectedShop, runId: string) {
    expect(shop.events('flow.completed')).toEqual([])
    expect(shop.events('flow.failed')).toMatchObject([
      { data: { run: { id: runId, status: 'failed', endReason: 'error' } } },
    ])
    return inEnglish((await runOf(runId)).endDetail)
  }

  test('fails outside the service window, before the provider is asked', async () => {
    const thank = { kind: 'send_message', text: 'Thanks', next: null }
    const shop = await openShop({
      steps: { ...ORDER_READY_STEPS, tell: { ...ORDER_READY_STEPS.tell, next: 'thank' }, thank },
    })
    const phone = newPhone()
    const runId = await shop.order(phone)
    await settle()
    expect(await failedEnd(shop, runId)).toBe(
      'The reply window opens when the customer writes: until then only a template can be sent.',
    )
    expect(sentTo(phone)).toHaveLength(1)
  })

  test('fails when the window has closed by the time a reply would be sent', async () => {
    const shop = await openShop({
      steps: {
        ...ORDER_READY_STEPS,
        ask: { ...ORDER_READY_STEPS.ask, next: 'ask-more' },
        'ask-more': { ...ORDER_READY_STEPS.ask, onTimeout: 'remind' },
        remind: { kind: 'send_message', text: 'Still there?', next: null },
      },
    })
    const phone = newPhone()
    const runId = await shop.order(phone)
    await settle()
    whatsApp.simulator.tapButton({ from: phone })
    await settle()
    world.clock.advance(DAY_MS)
    await settle()
    expect(await failedEnd(shop, runId)).toMatch(/24 hours/)
    expect(sentTo(phone)).toHaveLength(1)
  })

  test('fails when the template was paused since, and says so', async () => {
    const shop = await openShop({ templates: [approved('order_ready', 'ar')] })
    const { businessAccountId } = shop
    whatsApp.simulator.changeTemplate({
      businessAccountId,
      name: 'order_ready',
      language: 'ar',
      status: 'PAUSED',
    })
    await settle()
    const runId = await shop.order(newPhone())
    await settle()
    expect(await failedEnd(shop, runId)).toBe(
      'The template "order_ready" is not approved in ar (ar: PAUSED).',
    )
    expect(
      whatsApp.simulator.messages().filter((m) => m.phoneNumberId === shop.phoneNumberId),
    ).toEqual([])
    whatsApp.simulator.changeTemplate({
      businessAccountId,
      name: 'order_ready',
      language: 'ar',
      status: 'APPROVED',
    })
    await settle()
    const phone = newPhone()
    await shop.order(phone)
    await settle()
    expect(sentTo(phone)).toHaveLength(1)
  })

  test('fails when the channel does not have the template', async () => {
    const shop = await openShop({ templates: [approved('another', 'ar')] })
    const runId = await shop.order(newPhone())
    await settle()
    expect(await failedEnd(shop, runId)).toBe('The channel has no template "order_ready".')
  })

  test('fails when a value of the template comes out empty, and names it', async () => {
    const shop = await openShop()
    const runId = await shop.order(newPhone(), { order: { number: ' \n ' } })
    await settle()
    expect(await failedEnd(shop, runId)).toBe(
      'The value "2" of the template "order_ready" came out empty.',
    )
    expect(await messagesOf(runId)).toEqual([])
  })

  test('fails when the channel was disconnected after the hook’s answer', async () => {
    const shop = await openShop()
    const runId = await shop.order(newPhone())
    await world.database.db.kysely
      .updateTable('channel')
      .set({
        isConnected: false,
        disconnectedReason: storeFact(fact('channel_account_lost', { event: 'PARTNER_REMOVED' })),
      })
      .where('id', '=', shop.channelId)
      .execute()
    await settle()
    expect(await failedEnd(shop, runId)).toBe(
      'The channel is not connected. The provider says: PARTNER_REMOVED. Connect it again.',
    )
  })

  test('is skipped in silence when the plan no longer has automations', async () => {
    const shop = await openShop()
    const runId = await shop.order(newPhone())
    await settle()
    const later = await shop.order(newPhone())
    await world.database.db.kysely
      .updateTable('account')
      .set({ plan: 'starter' })
      .where('id', '=', shop.accountId)
      .execute()
    await settle()
    expect(await runOf(later)).toMatchObject({ status: 'skipped', endReason: null })
    expect(await runOf(runId)).toMatchObject({ status: 'waiting' })
  })
})

test('every delivery that the merchant received was verified', () => {
  expect(verified).toBeGreaterThan(50)
  expect(verified).toBe(world.receiver.received.length)
})
