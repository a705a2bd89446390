/**
 * A run from its hook to its end, with the simulated WhatsApp and a merchant's receiver. Two independent verifiers
 * check its every delivery.
 */
import { describe, expect, test } from 'vitest'
import { EVENT_DATA } from '../../src/contract/webhook-data.ts'
import { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { putTemplates } from '../support/records/templates.ts'
import { setConnected } from '../support/records/channels.ts'
import { messagesOf as messagesIn } from '../support/records/messages.ts'
import { runOf as runWith } from '../support/records/runs.ts'
import {
  approved,
  newPhone,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { verifyDeliveries } from '../support/verify-deliveries.ts'
import { inEnglish } from '../support/in-english.ts'
import { openWhatsApp } from '../support/open-world.ts'

const shops: ConnectedShop[] = []
let verified = 0

const { world, whatsApp } = await openWhatsApp()

type Options = Parameters<SimulatedWhatsApp['openShop']>[0]

async function openShop(options: Options = {}) {
  const shop = await whatsApp.openShop(options)
  shops.push(shop)
  return shop
}

/** Waits until all work has ended, and verifies the deliveries before the clock moves on. */
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

const runOf = (id: string) => runWith(world, id)
const messagesOf = (runId: string) => messagesIn(world, { runId })
const { sentTo } = whatsApp

type Order = Parameters<ConnectedShop['order']>[1]

/** Starts a run for a customer, and waits until all that follows has ended. */
async function order(shop: ConnectedShop, phone: string, more?: Order): Promise<string> {
  const runId = await shop.order(phone, more)
  await settle()
  return runId
}

describe('a run that a hook starts', () => {
  test('sends its template, takes the tapped button as the answer and reports its end', async () => {
    const shop = await openShop()
    const phone = newPhone()
    const startedAt = world.clock.now().toISOString()
    const runId = await order(shop, phone, { order: { number: 1043 } })
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
    const runId = await order(shop, phone)
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
    ['the step’s own language when the run has none', undefined, ['ar', 'en'], 'ar'],
  ])('picks %s', async (_, language, languages, picked) => {
    const templates = languages.map((code) => approved('order_ready', code))
    const phone = newPhone()
    await order(await openShop({ templates }), phone, { customer: { language } })
    expect(sentTo(phone).map((message) => message.language)).toEqual([picked])
  })

  test('removes line breaks from filled-in values, which WhatsApp refuses', async () => {
    const phone = newPhone()
    await order(await openShop(), phone, {
      customer: { name: ' Sara\n  al-Haddad\t', language: 'ar' },
      order: { number: 'A     1\r\n{{contact.name}}' },
    })
    expect(sentTo(phone)).toMatchObject([{ params: ['Sara al-Haddad', 'A 1 {{contact.name}}'] }])
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

  type Failure = {
    when: string
    says: string
    options?: Options
    more?: Order
    /** Changes that are made after the hook's answer. */
    since?: (shop: ConnectedShop) => Promise<unknown>
  }
  const why = serializeFact(fact('channel_account_lost', { event: 'PARTNER_REMOVED' }))
  test.each<Failure>([
    {
      when: 'when the channel does not have the template',
      says: 'The channel has no template "order_ready".',
      options: { templates: [approved('another', 'ar')] },
    },
    {
      when: 'when the template was paused since',
      says: 'The template "order_ready" isn’t approved in ar (ar: PAUSED).',
      options: { templates: [approved('order_ready', 'ar')] },
      since: (shop) => putTemplates(world, shop, { status: 'PAUSED' }),
    },
    {
      when: 'when a value of the template comes out empty, and names it',
      says: 'The value "2" of the template "order_ready" was empty.',
      more: { order: { number: ' \n ' } },
    },
    {
      when: 'when the channel was disconnected after the hook’s answer',
      says: 'The channel isn’t connected. The provider reported: PARTNER_REMOVED. Reconnect it.',
      since: (shop) => setConnected(world, shop, false, why),
    },
  ])('fails $when', async ({ says, options, more, since }) => {
    const shop = await openShop(options)
    const phone = newPhone()
    const runId = await shop.order(phone, more)
    await since?.(shop)
    await settle()
    expect(await failedEnd(shop, runId)).toBe(says)
    expect(sentTo(phone)).toEqual([])
    expect(await messagesOf(runId)).toEqual([])
  })
})

test('every delivery that the merchant received was verified', () => {
  expect(verified).toBeGreaterThan(20)
  expect(verified).toBe(world.receiver.received.length)
})
