/** Posts to the WhatsApp webhook URL: which are trusted, and what happens to the others. */
import { describe, expect, test } from 'vitest'
import type { ChannelView } from '../../src/contract/dashboard/channel.ts'
import { EVENT_DATA } from '../../src/contract/webhook-data.ts'
import { messagesOf, textsOf } from '../support/records/messages.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { eventsOf } from '../support/records/events.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { channelOf } from '../support/records/channels.ts'
import { setCredentials } from '../support/records/credentials.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { ACCESS_TOKEN, createOwnShop, createShop, type Shop } from '../support/shop.ts'
import {
  newWamid,
  postChanges,
  postWebhook,
  receipt,
  webhookOf,
  written,
} from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const shop = await createShop(world)

let serial = 0
const newNumber = () => `96650199${String(++serial).padStart(4, '0')}`
const address = () => `${world.url}/webhooks/whatsapp`

/** Returns everything that a webhook leaves in the company. */
async function stored() {
  const { companyId } = shop
  return {
    messages: await messagesOf(world, { companyId }),
    contacts: await contactsOf(world, { companyId }),
    conversations: await conversationsOf(world, { companyId }),
    events: await eventsOf(world, { companyId }),
  }
}

/** Returns the data of the events about messages of a customer. */
async function toldOf(from: string) {
  await world.service.processAll()
  return world.receiver
    .events('message.received')
    .map(({ data }) => EVENT_DATA['message.received'].parse(data))
    .filter(({ contact }) => contact?.whatsAppId === from)
}

/** Gives the shop's app a different secret. */
const useSecret = (of: Shop, appSecret: string) =>
  setCredentials(world, of, {
    accessToken: ACCESS_TOKEN,
    appSecret,
    verifyToken: `verify ${appSecret}`,
  })

test('another company’s secret proves nothing for a channel', async () => {
  const own = await createOwnShop(world)
  const other = await createOwnShop(world)
  await useSecret(own, 'own secret')
  await useSecret(other, 'other secret')
  const message = webhookOf(own, [written({ from: newNumber() })])
  expect(await postWebhook(world, message, { secret: 'other secret' })).toBe(401)
  // Naming an own number next to it proves nothing for the other.
  const [mine] = webhookOf(other, [written({ from: newNumber() })]).entry as object[]
  const [theirs] = message.entry as object[]
  const mixed = { ...message, entry: [theirs, mine] }
  expect(await postWebhook(world, mixed, { secret: 'other secret' })).toBe(200)
  expect(await messagesOf(world, own)).toEqual([])
  expect(await messagesOf(world, other)).toHaveLength(1)
  // Naming the other's account, or its number below the own account, proves nothing either.
  const changes = [{ field: 'account_update', value: { event: 'PARTNER_REMOVED' } }]
  const { businessAccountId } = other
  const entry = [
    { id: businessAccountId, changes: [] },
    { id: own.businessAccountId, changes },
  ]
  const state = { object: 'whatsapp_business_account', entry }
  expect(await postWebhook(world, state, { secret: 'other secret' })).toBe(200)
  const below = webhookOf({ ...own, businessAccountId }, [written({ from: newNumber() })])
  expect(await postWebhook(world, below, { secret: 'other secret' })).toBe(200)
  expect(await messagesOf(world, own)).toEqual([])
  expect((await channelOf(world, own)).isConnected).toBe(true)
  expect(await postWebhook(world, message, { secret: 'own secret' })).toBe(200)
  expect(await messagesOf(world, own)).toHaveLength(1)
})

describe('a disconnected channel', () => {
  async function openOwn() {
    const own = await createOwnShop(world)
    const member = await signedIn(world, { accountId: own.accountId })
    const path = `/companies/${own.companyId}/channels/${own.channelId}`
    return {
      tell: (event: string) =>
        postChanges(world, own, { field: 'account_update', value: { event } }),
      view: async () => (await member.ask<ChannelView>('GET', path)).body,
      disconnect: () => member.ask('POST', `${path}/disconnect`),
    }
  }

  test('stays off when a member disconnected it, whatever the provider reports about its account', async () => {
    const { tell, view, disconnect } = await openOwn()
    await disconnect()
    const off = { isConnected: false, disconnectedReason: { code: 'channel_off_by_member' } }
    for (const event of ['ACCOUNT_RECONNECTED', 'PARTNER_REMOVED', 'ACCOUNT_RECONNECTED']) {
      await tell(event)
      expect(await view()).toMatchObject(off)
    }
  })

  test('is connected again by the provider when the provider had disconnected it', async () => {
    const { tell, view } = await openOwn()
    await tell('PARTNER_REMOVED')
    const lost = { isConnected: false, disconnectedReason: { code: 'channel_account_lost' } }
    expect(await view()).toMatchObject(lost)
    await tell('ACCOUNT_RECONNECTED')
    expect(await view()).toMatchObject({ isConnected: true, disconnectedReason: null })
  })
})

describe('a signed webhook', () => {
  test('with several events has those of the channel ingested, and the others ignored', async () => {
    const [wamid, from] = [newWamid(), newNumber()]
    const mixed = webhookOf(shop, [
      written({ from, id: wamid, text: 'first' }),
      receipt({ id: 'wamid.of-nobody', status: 'delivered' }),
      { field: 'messages', value: { messages: [{ nothing: true }] } },
      written({ from, text: 'second' }),
      { field: 'a_field_of_next_year', value: { hello: 'world' } },
      { field: 'messages', value: { metadata: { phone_number_id: 'nobody' }, messages: [{}] } },
      written({ from, id: wamid, text: 'first' }),
      written({ from, text: 'third' }),
    ])
    expect(await postWebhook(world, mixed)).toBe(200)
    const texts = await textsOf(world, shop)
    expect(texts.toSorted()).toEqual(['first', 'second', 'third'])
  })

  const OURS = '"id":"102290129340398"'
  test.each([
    ['broken off', `{"object":"whatsapp_business_account","entry":[{${OURS},"changes":[`],
    ['of another product', `{"object":"page","entry":[{${OURS},"messaging":[{}]}]}`],
    [
      'of other kinds',
      `{"object":"whatsapp_business_account","entry":[{${OURS}},null,1,{"changes":[7]}]}`,
    ],
    [
      'with bytes that are no text',
      Buffer.from(`{"entry":[{${OURS},"x":"\xff\xfe\0"}]}`, 'latin1'),
    ],
  ])('is answered 200 and stores nothing when it is %s', async (_, body) => {
    const before = await stored()
    expect(await postWebhook(world, body)).toBe(200)
    expect(await stored()).toEqual(before)
  })

  test('any method except GET and POST is 405', async () => {
    const response = await fetch(address(), { method: 'PUT' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, POST')
  })
})

describe('an error of the database in the middle', () => {
  systemTest.each([
    ['is 503 while the database is away', '57P01', 503],
    ['is 503 while others hold a lock', '55P03', 503],
    ['is 503 at a deadlock time after time', '40P01', 503],
    ['is 500 when one event could not be ingested', 'P0001', 500],
    ['is 500 at anything else', 'XX000', 500],
  ])('%s, and the redelivery completes the missing rows, once', async (_, code, status) => {
    const from = newNumber()
    const texts = ['before', `fails ${code}`, 'after']
    const changes = texts.map((text) => written({ from, text }))
    const webhook = webhookOf(shop, changes)
    const accept = await refuseWrites(world, 'a new message', { text: `fails ${code}`, code })
    expect(await postWebhook(world, webhook)).toBe(status)
    await accept()
    expect(await postWebhook(world, webhook)).toBe(200)
    expect(await postWebhook(world, webhook)).toBe(200)
    const told = (await toldOf(from)).map(({ message }) => message.text)
    expect(told.toSorted()).toEqual(texts.toSorted())
  })

  test('an event that the database cannot store is dropped: redelivered it would fail again', async () => {
    const from = newNumber()
    const refused = { text: 'cannot be held', code: '22021' }
    const accept = await refuseWrites(world, 'a new message', refused)
    const changes = ['cannot be held', 'its neighbour'].map((text) => written({ from, text }))
    const webhook = webhookOf(shop, changes)
    expect(await postWebhook(world, webhook)).toBe(200)
    await accept()
    const texts = await textsOf(world, shop)
    expect(texts).toContain('its neighbour')
    expect(texts).not.toContain('cannot be held')
    expect(world.logged.join('')).toContain('provider event ingestion failed')
  })
})

describe('NUL and lone surrogates', () => {
  const BAD = 'a\u0000b\ud800c'
  const GOOD = 'a\ufffdb\ufffdc'

  systemTest('are stored as U+FFFD in names and texts, and delivered as valid JSON', async () => {
    const from = newNumber()
    const webhook = webhookOf(shop, [written({ from, name: BAD, text: BAD })])
    expect(await postWebhook(world, webhook)).toBe(200)
    await world.service.processAll()
    const delivery = world.receiver.received.findLast(
      ({ event }) => event.type === 'message.received',
    )!
    expect(new TextDecoder('utf-8', { fatal: true }).decode(delivery.body)).toContain(GOOD)
    const { contact, message } = EVENT_DATA['message.received'].parse(delivery.event.data)
    expect(contact).toMatchObject({ whatsAppId: from, name: GOOD })
    expect(message.text).toBe(GOOD)
  })

  test('cause no error in any id or word of a webhook', async () => {
    const status = {
      id: BAD,
      status: 'failed',
      biz_opaque_callback_data: BAD,
      errors: [{ code: 131026, title: BAD, message: BAD, error_data: { details: BAD } }],
    }
    const template = {
      field: 'message_template_status_update',
      value: {
        event: BAD,
        message_template_name: BAD,
        message_template_language: BAD,
        message_template_category: BAD,
      },
    }
    const image = { id: BAD, mime_type: BAD, caption: BAD, url: BAD }
    const userIds = { user_id: { previous: BAD, current: `${BAD}2` } }
    const webhook = webhookOf(shop, [
      written({ userId: BAD, id: BAD, quotes: BAD, name: BAD }),
      written({ userId: BAD, content: { type: 'button', button: { text: BAD, payload: BAD } } }),
      written({ userId: BAD, content: { type: 'image', image } }),
      receipt(status),
      template,
      { field: 'user_id_update', value: { user_id_update: [userIds] } },
      { field: 'account_update', value: { event: BAD } },
      {
        field: 'smb_message_echoes',
        value: {
          message_echoes: [{ id: BAD, to_user_id: BAD, type: 'text', text: { body: BAD } }],
        },
      },
    ])
    const before = world.logged.length
    expect(await postWebhook(world, webhook)).toBe(200)
    expect(world.logged.slice(before).join('')).not.toContain('provider event ingestion failed')
    await world.service.processAll()
    const [message] = world.receiver
      .events('message.received')
      .map(({ data }) => EVENT_DATA['message.received'].parse(data))
      .filter(({ contact }) => contact?.name === GOOD && contact.phone === null)
    // An id without the form of a business-scoped id is shown as none.
    expect(message!.contact).toMatchObject({ whatsAppId: null })
  })

  test.each(['123', '0501234567', '99999999999999999999'])(
    'a number that cannot have a country code is no phone number: %s',
    async (from) => {
      expect(await postWebhook(world, webhookOf(shop, [written({ from })]))).toBe(200)
      const [message] = await toldOf(from)
      expect(message!.contact!.phone).toBeNull()
    },
  )
})
