/** One customer, known by several ids, is one contact with one conversation on a channel. */
import { beforeEach, describe, expect, test } from 'vitest'
import { accepted } from '../channels/loopback-meta.ts'
import { answerSends } from '../support/provider-answers.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { countWaiting, holdLock } from '../support/records/locks.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { moveConversations } from '../support/records/moved-conversations.ts'
import { messagesOf } from '../support/records/messages.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { waitUntil } from '../support/wait.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { newPhone, type ConnectedShop } from '../support/simulator.ts'
import {
  changedNumber,
  echoed,
  newWamid,
  postChanges,
  postWebhook,
  webhookOf,
  written,
  type Change,
} from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let shop: ConnectedShop
const { world, whatsApp } = await openWhatsApp()

beforeEach(async () => {
  shop = await whatsApp.openShop()
})

async function post(...changes: Change[]) {
  await postChanges(world, shop, ...changes)
  await whatsApp.settle()
}
const types = () => shop.events().map(({ type }) => type)
/** How many customers and conversations were told of as new. */
const begun = () =>
  ['contact.created', 'conversation.started'].map((type) => shop.events(type).length)
const contactsOfEvents = (type: string) => shop.events(type).map(({ data }) => data.contact)
const conversationIds = () =>
  new Set(
    shop.events('message.received').map(({ data }) => (data.conversation as { id: string }).id),
  )
const contacts = () => contactsOf(world, { companyId: shop.companyId })

describe('a customer who hides the number', () => {
  test('after writing with it: the same conversation, filed under the number as before', async () => {
    await post(written({ from: '966501230001', userId: 'SA.1001', text: 'with the number' }))
    await post(written({ userId: 'SA.1001', text: 'without it' }))
    expect(begun()).toEqual([1, 1])
    expect(conversationIds().size).toBe(1)
    expect(contactsOfEvents('message.received')).toEqual(
      [1, 2].map(() =>
        expect.objectContaining({ phone: '+966501230001', whatsAppId: '966501230001' }),
      ),
    )
    expect(contactsOfEvents('contact.created')).toEqual([
      expect.objectContaining({ phone: '+966501230001', whatsAppId: 'SA.1001' }),
    ])
  })

  test('before showing it: still filed under the id, while the contact learns the number', async () => {
    await post(written({ userId: 'SA.1002' }))
    await post(written({ from: '966501230002', userId: 'SA.1002' }))
    await post(written({ from: '966501230002' }))
    expect(conversationIds().size).toBe(1)
    expect(contactsOfEvents('message.received')).toEqual(
      [1, 2, 3].map(() => expect.objectContaining({ phone: null, whatsAppId: 'SA.1002' })),
    )
    expect(contactsOfEvents('contact.updated')).toEqual([
      expect.objectContaining({ phone: '+966501230002', whatsAppId: 'SA.1002' }),
    ])
    expect(types().filter((type) => type === 'contact.created')).toHaveLength(1)
  })

  test('is found by members by that id, whole', async () => {
    await post(written({ userId: 'SA.1003' }), written({ userId: 'SA.10034' }))
    const owner = await signedIn(world, { accountId: shop.accountId })
    const path = `/companies/${shop.companyId}/contacts?q=SA.1003`
    const { body } = await owner.ask<Page<ContactView>>('GET', path)
    const [found] = (await contacts()).filter(({ whatsappId }) => whatsappId === 'SA.1003')
    expect(body.items.map(({ id }) => id)).toEqual([found!.id])
  })

  systemTest('is sent to by that id, and a hook that has the number finds them', async () => {
    const phone = newPhone()
    const person = whatsApp.simulator.addPerson({ number: phone })
    whatsApp.simulator.hideNumber({ from: phone, isHidden: true })
    const chat = { from: phone, phoneNumberId: shop.phoneNumberId }
    whatsApp.simulator.sendText({ ...chat, text: 'who am I?' })
    await whatsApp.settle()
    await post(written({ from: phone.slice(1), userId: person.bsuid }))
    const runId = await shop.runFor(phone)
    expect(await contacts()).toHaveLength(1)
    whatsApp.simulator.tapButton({ from: phone })
    await whatsApp.settle()
    expect(shop.events('flow.completed')).toMatchObject([
      { data: { run: { id: runId }, contact: { phone: null, whatsAppId: person.bsuid } } },
    ])
    expect(types().filter((type) => type === 'conversation.started')).toHaveLength(1)
  })
})

describe('a customer who changes', () => {
  const changedId = (previous: string, current: string) => {
    const value = { user_id_update: [{ user_id: { previous, current } }] }
    return { field: 'user_id_update', value }
  }

  systemTest('the number keeps contact and conversation, and gets messages there', async () => {
    const [before, after] = [newPhone(), newPhone()]
    await post(written({ from: before.slice(1) }))
    await post(changedNumber(before, after))
    expect(contactsOfEvents('contact.updated')).toEqual([expect.objectContaining({ phone: after })])
    await post(written({ from: after.slice(1) }))
    expect(conversationIds().size).toBe(1)
    expect(await contacts()).toHaveLength(1)
    const runId = await shop.runFor(after)
    const sent = whatsApp.simulator.messages().filter((m) => m.phoneNumberId === shop.phoneNumberId)
    expect(sent.map(({ to }) => `+${to}`)).toEqual([after])
    whatsApp.simulator.tapButton({ messageId: sent[0]!.wamid })
    await whatsApp.settle()
    expect(shop.events('flow.completed')).toMatchObject([{ data: { run: { id: runId } } }])
    expect(types().filter((type) => type === 'conversation.started')).toHaveLength(1)
  })

  test('the business-scoped id is found by the new one', async () => {
    await post(written({ userId: 'SA.2001' }))
    const update = changedId('SA.2001', 'SA.2002')
    await post(update)
    await post(written({ userId: 'SA.2002' }))
    await post(update)
    expect(conversationIds().size).toBe(1)
    expect(begun()).toEqual([1, 1])
    expect(contactsOfEvents('contact.updated')).toEqual([
      expect.objectContaining({ phone: null, whatsAppId: 'SA.2002' }),
    ])
  })

  test('an id without ever having written is nobody’s contact', async () => {
    await post(changedId('SA.3001', 'SA.3002'))
    expect(await contacts()).toEqual([])
    expect(types()).toEqual([])
  })
})

describe('a number that WhatsApp writes in another way', () => {
  /** WhatsApp knows the dialled number as another, and may tell the customer's id. */
  async function orderTo(dialled: string, known: { wa_id: string; user_id?: string }) {
    const told = { contacts: [{ input: dialled, ...known }] }
    const answer = JSON.stringify({ ...JSON.parse(accepted(newWamid())), ...told })
    const { result: runId, seen } = await answerSends(
      { world, whatsApp },
      (response) => response.end(answer),
      () => shop.order(dialled),
    )
    return { runId, seen }
  }

  test('the answer to the send teaches it, and the reply lands in the same conversation', async () => {
    const { runId, seen } = await orderTo('+525512345678', { wa_id: '5215512345678' })
    expect(seen.map(({ body }) => body.to)).toEqual(['+525512345678'])
    await post(written({ from: '5215512345678', text: 'sí' }))
    expect(shop.events('flow.completed')).toMatchObject([
      {
        data: {
          run: { id: runId, variables: { answer: 'sí' } },
          contact: { phone: '+525512345678', whatsAppId: '525512345678' },
        },
      },
    ])
    expect(begun()).toEqual([1, 1])
    expect(types()).not.toContain('contact.updated')
  })

  test('a hook that has it in WhatsApp’s way finds the same contact', async () => {
    await orderTo('+5511987654321', { wa_id: '551187654321' })
    await orderTo('+551187654321', { wa_id: '551187654321' })
    expect(await contacts()).toHaveLength(1)
    expect(types().toSorted()).toEqual(['contact.created', 'conversation.started'])
  })

  systemTest('an id that comes with it is learnt, and told of once', async () => {
    const known = { wa_id: '5215512345679', user_id: 'MX.4001' }
    await orderTo('+525512345679', known)
    await orderTo('+525512345679', known)
    await post(written({ userId: 'MX.4001' }))
    expect(conversationIds().size).toBe(1)
    expect(await contacts()).toHaveLength(1)
    expect(contactsOfEvents('contact.updated')).toEqual([
      expect.objectContaining({ phone: '+525512345679', whatsAppId: 'MX.4001' }),
    ])
  })
})

describe('first messages at the same moment', () => {
  const send = (change: Change) => postWebhook(world, webhookOf(shop, [change]))

  systemTest('are one contact and one conversation, told of once', async () => {
    const phone = newPhone()
    const number = phone.slice(1)
    const answers = await Promise.all([
      send(written({ from: number, text: 'a' })),
      send(written({ from: number, userId: 'SA.5001', text: 'b' })),
      send(written({ from: number, text: 'c' })),
      shop.order(phone).then(() => 200),
      shop.order(phone).then(() => 200),
    ])
    expect(answers).toEqual([200, 200, 200, 200, 200])
    await whatsApp.settle()
    expect(await contacts()).toHaveLength(1)
    expect(begun()).toEqual([1, 1])
    expect(conversationIds().size).toBe(1)
  })

  test('of one known contact under different ids are one conversation on a new channel', async () => {
    const from = newPhone().slice(1)
    const userId = `SA.6${from}`
    await post(written({ from, userId }))
    // As if the contact were known from another channel alone.
    await moveConversations(world, shop, await whatsApp.openShop())
    // Both look before either may write.
    await using gate = await holdLock(world, 'new conversations')
    const posts = [written({ from }), written({ userId })].map(send)
    await waitUntil('they wait', async () => (await countWaiting(world)) > 0)
    await gate.release()
    expect(await Promise.all(posts)).toEqual([200, 200])
    await whatsApp.settle()
    expect(types().filter((type) => type === 'conversation.started')).toHaveLength(2)
    expect(conversationIds().size).toBe(2)
  })
})

describe('what came before, or from the owner', () => {
  systemTest('a history of 200 messages is imported, and nobody is told of any', async () => {
    const [stopped, talked] = [newPhone(), newPhone()]
    const past = (phone: string, text: string, index: number) => ({
      id: newWamid(),
      from: index % 2 ? '15550783881' : phone.slice(1),
      ...(index % 2 ? { to: phone.slice(1) } : {}),
      timestamp: String(1_760_000_000 + index),
      type: 'text',
      text: { body: text },
    })
    const thread = (phone: string, text: string) => ({
      id: phone.slice(1),
      messages: Array.from({ length: 100 }, (_, index) => past(phone, text, index)),
    })
    const history = {
      field: 'history',
      value: { history: [{ threads: [thread(stopped, 'STOP'), thread(talked, 'hello')] }] },
    }
    await post(history)
    await post(history)
    expect(new Set(types())).toEqual(new Set(['contact.created']))
    expect(await contacts()).toMatchObject([{ optedOutAt: null }, { optedOutAt: null }])
    const messages = await messagesOf(world, { channelId: shop.channelId })
    expect(messages).toHaveLength(200)
    expect(messages.every(({ isImported }) => isImported)).toBe(true)
    expect(messages.filter(({ direction }) => direction === 'out')).toHaveLength(100)
    expect(await conversationsOf(world, { channelId: shop.channelId })).toMatchObject(
      [1, 2].map(() => ({ serviceWindowEndsAt: null, handledBy: 'assistant' })),
    )
    // The next message is of an existing conversation.
    await post(written({ from: talked.slice(1), text: 'and now' }))
    expect(types().filter((type) => type === 'message.received')).toHaveLength(1)
    expect(types()).not.toContain('conversation.started')
  })

  test('an echo that is delivered twice is kept once, and is no message.received', async () => {
    const echo = echoed({ to: newPhone().slice(1) })
    await post(echo)
    await post(echo)
    expect(types()).toEqual(['contact.created'])
  })
})
