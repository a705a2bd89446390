/** One customer, known by several ids, is one contact with one conversation on a channel. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { CustomerRef } from '../../src/modules/channels/inbound.ts'
import { contactSummary, customerAddress } from '../../src/modules/messaging/contact.ts'
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import type { Channel } from '../../src/modules/channels/load-channel.ts'
import type { DeliveryPage } from '../../src/contract/dashboard/delivery.ts'
import { EVENT_DATA } from '../../src/contract/webhook-data.ts'
import { ingestBatch } from '../../src/modules/inbound/ingest-batch.ts'
import { CONVERSATION_ID_BYTES } from '../../src/core/limits/messaging.ts'
import { accepted } from '../channels/loopback-meta.ts'
import { answerSends } from '../support/provider-answers.ts'
import { countWaiting, holdLock } from '../support/records/locks.ts'
import { moveConversations, renameConversation } from '../support/records/moved-conversations.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { waitUntil } from '../support/wait.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { type ConnectedShop, newPhone } from '../support/simulator.ts'
import {
  type Change,
  customerWrites,
  echoed,
  newWamid,
  postChanges,
  postWebhook,
  webhookOf,
  written,
  type Written,
} from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { eventsOf, openedChannel } from '../support/provider-events.ts'

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
/** Returns how many events reported a new contact and a new conversation. */
const begun = () =>
  ['contact.created', 'conversation.started'].map((type) => shop.events(type).length)
const contactsOfEvents = (type: string) => shop.events(type).map(({ data }) => data.contact)
const conversationIds = () =>
  new Set(
    shop.events('message.received').map(({ data }) => (data.conversation as { id: string }).id),
  )
const contacts = () => contactsOf(world, { companyId: shop.companyId })

describe('a customer who hides the number', () => {
  test('after writing with it has the same conversation, filed under the number as before', async () => {
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

  test('before showing it stays filed under the id, while the contact learns the number', async () => {
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

  test('is found by members by that id, in full', async () => {
    await post(written({ userId: 'SA.1003' }), written({ userId: 'SA.10034' }))
    const owner = await signedIn(world, { accountId: shop.accountId })
    const path = `/companies/${shop.companyId}/contacts?q=SA.1003`
    const { body } = await owner.ask<Page<ContactView>>('GET', path)
    const [found] = (await contacts()).filter(({ whatsappId }) => whatsappId === 'SA.1003')
    expect(body.items.map(({ id }) => id)).toEqual([found!.id])
  })
})

describe('a customer who changes', () => {
  const changedId = (previous: string, current: string) => {
    const value = { user_id_update: [{ user_id: { previous, current } }] }
    return { field: 'user_id_update', value }
  }

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

  test('an id without ever having written is no contact', async () => {
    await post(changedId('SA.3001', 'SA.3002'))
    expect(await contacts()).toEqual([])
    expect(types()).toEqual([])
  })
})

describe('a number that WhatsApp writes in another way', () => {
  /** WhatsApp knows the dialled number in another form, and may report the customer's id. */
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

  test('is learnt from the response to the send, and the reply goes to the same conversation', async () => {
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

  test('finds the same contact when a hook sends it in WhatsApp’s form', async () => {
    await orderTo('+5511987654321', { wa_id: '551187654321' })
    await orderTo('+551187654321', { wa_id: '551187654321' })
    expect(await contacts()).toHaveLength(1)
    expect(types().toSorted()).toEqual(['contact.created', 'conversation.started'])
  })

  systemTest('teaches an id that comes with it, which raises one event', async () => {
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

const send = (change: Change) => postWebhook(world, webhookOf(shop, [change]))

test('messages of one moment of a known contact under different ids are one conversation on a new channel', async () => {
  const from = newPhone().slice(1)
  const userId = `SA.6${from}`
  await post(written({ from, userId }))
  // The contact looks as if it were known from another channel alone.
  await moveConversations(world, shop, await whatsApp.openShop())
  // Both transactions read before either may write.
  await using gate = await holdLock(world, 'new conversations')
  const posts = [written({ from }), written({ userId })].map(send)
  await waitUntil('they wait', async () => (await countWaiting(world)) > 0)
  await gate.release()
  expect(await Promise.all(posts)).toEqual([200, 200])
  await whatsApp.settle()
  expect(types().filter((type) => type === 'conversation.started')).toHaveLength(2)
  expect(conversationIds().size).toBe(2)
})

test('an echo that the owner’s app sends twice is stored once, and raises no message.received', async () => {
  const echo = echoed({ to: newPhone().slice(1) })
  await post(echo)
  await post(echo)
  expect(types()).toEqual(['contact.created'])
})

async function write(phone: string, more: Written): Promise<void> {
  await customerWrites(world, shop, { from: phone, ...more })
  await whatsApp.settle()
}
const contactsAbout = (type: string, phone: string) =>
  shop
    .events(type)
    .map(({ data }) => data.contact as { phone: string; whatsAppId: string | null })
    .filter((contact) => contact.phone === phone)

const SARA = { id: 'c', name: 'Sara', phone: '+966501234567' }
const NONE = { phone: null, whatsAppId: null }

test.each<[ChannelType, string, { phone: string | null; whatsAppId: string | null }]>([
  ['whatsapp', '966509999999', { phone: '+966509999999', whatsAppId: '966509999999' }],
  ['whatsapp', 'SA.1001', { phone: null, whatsAppId: 'SA.1001' }],
  ['whatsapp', '106540352242922:foo_bar', NONE],
  ['whatsapp_qr', '966509999999', { phone: '+966509999999', whatsAppId: '966509999999' }],
  ['whatsapp_qr', '123:4@lid', { phone: null, whatsAppId: '123:4@lid' }],
  ['telegram', '77:123456789', NONE],
  ['messenger', '88:123456789', NONE],
  ['instagram', '99:123456789', NONE],
  ['web_widget', 'w:123456789', NONE],
  ['website', 'w:123456789', { phone: SARA.phone, whatsAppId: null }],
  ['voice', 'v:123456789', { phone: SARA.phone, whatsAppId: null }],
])('the summary of a contact on %s, filed under %s', (channelType, filedUnder, shown) => {
  const conversation = { channelType, filedUnder, visitorName: null }
  expect(contactSummary(SARA, conversation)).toEqual({ id: 'c', name: 'Sara', ...shown })
})

test.each<[ChannelType, string, CustomerRef]>([
  ['whatsapp', '966509999999', { number: '966501234567' }],
  ['whatsapp', 'SA.1001', { businessScopedId: 'SA.1001' }],
  ['whatsapp_qr', '123@lid', { lid: '123@lid' }],
  ['telegram', '77:123456789', { providerUserId: '123456789' }],
  ['messenger', '88:123456789', { providerUserId: '123456789' }],
])(
  'a message to a customer on %s, filed under %s, goes to the id that the channel expects',
  (channelType, filedUnder, to) => {
    const own = { number: '966501234567', businessScopedId: 'SA.1001', lid: '123@lid' }
    expect(customerAddress({ channelType, filedUnder }, own)).toEqual(to)
  },
)

describe('whatsAppId', () => {
  systemTest('with an internal form is shown nowhere', async () => {
    const own = await whatsApp.openShop()
    for (const text of ['one', 'two']) await customerWrites(world, own, { userId: 'foo_bar', text })
    await whatsApp.settle()
    const received = own
      .events('message.received')
      .map(({ data }) => EVENT_DATA['message.received'].parse(data))
    expect(received).toMatchObject([{ contact: NONE }, { contact: NONE }])
    // Both messages are kept in one conversation.
    expect(new Set(received.map(({ conversation }) => conversation.id)).size).toBe(1)
    expect(own.events('contact.created')).toMatchObject([{ data: { contact: NONE } }])
    expect(JSON.stringify(own.events())).not.toContain('foo_bar')
  })

  test('in contact.* is null when only a number is known, where the summary has the number', async () => {
    const phone = newPhone()
    await write(phone, { text: 'hello' })
    await write(phone, { text: 'STOP' })
    await write(phone, { text: 'START' })
    const whatsAppIds = (type: string) => contactsAbout(type, phone).map((one) => one.whatsAppId)
    expect(whatsAppIds('message.received')).toEqual(Array(3).fill(phone.slice(1)))
    expect(whatsAppIds('conversation.started')).toEqual([phone.slice(1)])
    for (const type of ['contact.created', 'contact.opted_out', 'contact.updated']) {
      expect([type, whatsAppIds(type)]).toEqual([type, [null]])
    }
  })
})

test.each([
  ['of 1,500 bytes', `c_${'x'.repeat(CONVERSATION_ID_BYTES - 2)}`],
  ['of 750 Arabic letters', 'ط'.repeat(CONVERSATION_ID_BYTES / 2)],
  ['that looks like a path or a query', `../c?a=1&b=2#/%2F "'<>\\`],
])(
  'conversation.id is opaque: one %s is stored, sent in events and found in the log',
  async (_, id) => {
    expect(Buffer.byteLength(id)).toBeLessThanOrEqual(CONVERSATION_ID_BYTES)
    const phone = newPhone()
    await write(phone, { text: 'first' })
    const known = await conversationWith(world, shop, phone)
    await renameConversation(world, { id: known.id, to: id })
    await write(phone, { text: 'second' })
    const told = shop
      .events('message.received')
      .filter(({ data }) => (data.conversation as { id: string }).id === id)
    expect(told.map(({ data }) => (data.message as { text: string }).text)).toEqual(['second'])
    const owner = await signedIn(world, { accountId: shop.accountId })
    const query = new URLSearchParams({ conversationId: id }).toString()
    const path = `/companies/${shop.companyId}/deliveries?${query}`
    const found = await owner.ask<DeliveryPage>('GET', path)
    expect(found.status).toBe(200)
    expect(found.body.items).toMatchObject([{ conversationId: id }])
  },
)

test('A channel type that the service does not know is sent as it is: the event is not lost', async () => {
  const { context } = world.service
  const known = await openedChannel(world, shop)
  const channel = { ...known, type: 'carrier_pigeon' as Channel['type'] }
  const { written: wrote } = eventsOf(world, channel)
  await ingestBatch(context, [wrote({ number: newPhone().slice(1) }, 'coo')])
  await whatsApp.settle()
  const told = shop
    .events()
    .filter(({ data }) => JSON.stringify(data).includes('carrier_pigeon'))
    .map(({ type }) => type)
  expect(told.toSorted()).toEqual(['conversation.started', 'message.received'])
})
