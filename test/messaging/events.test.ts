/**
 * What a customer's message raises and what it does not.
 * Spec: Events › Types; Events › Payloads.
 */
import { describe, expect, test } from 'vitest'
import type { MessageReceivedData } from '../../src/contract/webhook-data.ts'
import { EVENT_DATA } from '../../src/contract/webhook-envelope.ts'
import type { SampleKind } from '../../src/simulator/sample-messages.ts'
import { textsOf } from '../support/records/messages.ts'
import { switchOff } from '../support/records/endpoints.ts'
import { onlyConversation, resolveConversations } from '../support/records/conversations.ts'
import { copyChannel } from '../support/records/credentials.ts'
import { makeProject } from '../support/records/accounts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { createShop } from '../support/shop.ts'
import { newPhone, type ConnectedShop } from '../support/simulator.ts'
import { newWamid, postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let shop: ConnectedShop
const { world, whatsApp } = await openWhatsApp()

const types = () => shop.events().map(({ type }) => type)
const received = () =>
  shop.events('message.received').map(({ data }) => EVENT_DATA['message.received'].parse(data))
const chat = (from: string) => ({ from, phoneNumberId: shop.phoneNumberId })

describe('message.received', () => {
  test('the first message also raises conversation.started and contact.created', async () => {
    shop = await whatsApp.openShop()
    const phone = newPhone()
    whatsApp.simulator.sendText({ ...chat(phone), text: 'hello' })
    await whatsApp.settle()
    expect(types().toSorted()).toEqual([
      'contact.created',
      'conversation.started',
      'message.received',
    ])
    const [message] = received()
    expect(message).toEqual({
      conversation: {
        id: expect.stringMatching(/^c_/),
        channelId: shop.channelId,
        channelType: 'whatsapp',
      },
      contact: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: expect.stringMatching(/^Customer /),
        phone,
        whatsAppId: phone.slice(1),
      },
      message: {
        id: expect.stringMatching(/^m_/),
        text: 'hello',
        type: 'text',
        receivedAt: world.clock.now().toISOString(),
      },
    })
    const { conversation, contact } = message!
    expect(shop.events('conversation.started').map(({ data }) => data)).toEqual([
      { conversation, contact },
    ])
    expect(shop.events('contact.created').map(({ data }) => data)).toEqual([
      {
        contact: {
          id: contact!.id,
          name: contact!.name,
          phone,
          whatsAppId: expect.stringMatching(/^SA\.\d+$/),
          email: null,
          language: null,
          tags: [],
          fields: {},
          optedOut: false,
        },
      },
    ])
  })

  test('an existing customer’s message raises nothing else, also in a resolved conversation', async () => {
    shop = await whatsApp.openShop()
    const phone = newPhone()
    whatsApp.simulator.sendText({ ...chat(phone), text: 'hello' })
    await whatsApp.settle()
    await resolveConversations(world, shop)
    const before = types().length
    whatsApp.simulator.sendText({ ...chat(phone), text: 'again' })
    await whatsApp.settle()
    expect(types().slice(before)).toEqual(['message.received'])
    const conversation = await onlyConversation(world, { channelId: shop.channelId })
    expect(conversation.status).toBe('open')
  })

  test.each<[SampleKind, MessageReceivedData['message']['type'], string | null]>([
    ['image', 'image', 'A photo of the box'],
    ['video', 'video', 'It does this'],
    ['document', 'document', 'receipt'],
    ['voice', 'audio', null],
    ['sticker', 'sticker', null],
    ['location', 'location', null],
    ['contact', 'contact', null],
    ['unsupported', 'unknown', null],
  ])('media arrives with its type and any caption: %s', async (kind, type, text) => {
    shop = await whatsApp.openShop()
    whatsApp.simulator.sendSample({ ...chat(newPhone()), kind })
    await whatsApp.settle()
    expect(received().map(({ message }) => message)).toMatchObject([{ type, text }])
  })

  test('is raised once per message, however often and at once the provider delivers it', async () => {
    shop = await whatsApp.openShop()
    const webhook = webhookOf(shop, [written({ from: newPhone().slice(1) })])
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => postWebhook(world, webhook)))
    answers.push(await postWebhook(world, webhook))
    expect(answers).toEqual(answers.map(() => 200))
    await whatsApp.settle()
    expect(types().toSorted()).toEqual([
      'contact.created',
      'conversation.started',
      'message.received',
    ])
  })

  test('Arabic text is sent unescaped, and long text is cut at 4,096 characters', async () => {
    shop = await whatsApp.openShop()
    const texts = ['مرحبا، أين طلبي؟', `${'ا'.repeat(4_095)}😀 and more`]
    for (const text of texts) {
      whatsApp.simulator.sendText({ ...chat(newPhone()), text })
    }
    await whatsApp.settle()
    expect(received().map(({ message }) => message.text)).toEqual([
      texts[0],
      `${'ا'.repeat(4_095)}😀`,
    ])
    const bodies = world.receiver.received
      .filter(({ event }) => event.company.id === shop.companyId)
      .map(({ body }) => body.toString('utf8'))
    expect(bodies.some((body) => body.includes('"text":"مرحبا، أين طلبي؟"'))).toBe(true)
    expect(await textsOf(world, shop)).toEqual(expect.arrayContaining(texts))
  })

  systemTest(
    'does not fire for what the flow sends, for receipts, reactions or edits',
    async () => {
      shop = await whatsApp.openShop()
      const phone = newPhone()
      await shop.order(phone)
      await whatsApp.settle()
      whatsApp.simulator.readChat({ from: phone.slice(1), phoneNumberId: shop.phoneNumberId })
      const from = phone.slice(1)
      for (const content of [
        { type: 'reaction', reaction: { message_id: newWamid(), emoji: '👍' } },
        { type: 'edit', edit: { original_message_id: newWamid() } },
        { type: 'revoke', revoke: { original_message_id: newWamid() } },
      ]) {
        expect(await postWebhook(world, webhookOf(shop, [written({ from, content })]))).toBe(200)
      }
      await whatsApp.settle()
      expect(types().toSorted()).toEqual(['contact.created', 'conversation.started'])
    },
  )
})

describe('conversation.started', () => {
  test('a hook for a number that has a conversation raises neither it nor contact.created', async () => {
    shop = await whatsApp.openShop()
    const phone = newPhone()
    whatsApp.simulator.sendText({ ...chat(phone), text: 'hello' })
    await whatsApp.settle()
    const before = types().length
    await shop.order(phone)
    await whatsApp.settle()
    expect(types()).toHaveLength(before)
  })

  test('once per conversation: the same customer on another channel has another', async () => {
    shop = await whatsApp.openShop()
    const phone = newPhone()
    whatsApp.simulator.sendText({ ...chat(phone), text: 'hello' })
    await whatsApp.settle()
    const id = await copyChannel(world, shop, { providerRoute: 'second-number' })
    const onSecond = { ...shop, phoneNumberId: 'second-number' }
    await postWebhook(world, webhookOf(onSecond, [written({ from: phone.slice(1) })]))
    await whatsApp.settle()
    expect(shop.events('contact.created')).toHaveLength(1)
    const started = shop.events('conversation.started').map(({ data }) => data.conversation)
    expect(started).toHaveLength(2)
    expect(started[1]).toMatchObject({ channelId: id })
  })
})

describe('who hears of it', () => {
  systemTest(
    'only the company’s own endpoints, subscribed, switched on, on a plan with webhooks',
    async () => {
      shop = await whatsApp.openShop({ eventTypes: ['flow.completed'] })
      const other = await whatsApp.openShop()
      const off = await whatsApp.openShop()
      const left = await createShop(world, {
        plan: 'pro',
        phoneNumberId: 'left',
        businessAccountId: 'left',
      })
      await switchOff(world, off)
      for (const each of [shop, off, left]) {
        const change = written({ from: newPhone().slice(1) })
        expect(await postWebhook(world, webhookOf(each, [change]))).toBe(200)
      }
      await whatsApp.settle()
      const heard = world.receiver.received.map(({ event }) => event.company.id)
      for (const each of [shop, other, off, left]) expect(heard).not.toContain(each.companyId)
    },
  )

  test('a project is a company of its own: the account’s endpoint hears nothing of it', async () => {
    shop = await whatsApp.openShop()
    const project = await whatsApp.openShop()
    await makeProject(world, project, shop)
    await postWebhook(world, webhookOf(project, [written({ from: newPhone().slice(1) })]))
    await whatsApp.settle()
    expect(shop.events()).toEqual([])
    expect(project.events('message.received')).toHaveLength(1)
  })
})
