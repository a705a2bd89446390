/**
 * Messenger and Instagram from end to end, against simulators: customers write, staff answers, receipts,
 * echoes, names, files. Spec: Events › Types; Concepts › Channel capabilities; Concepts › Service window.
 */
import { describe, expect, test } from 'vitest'
import { settleSend } from '../../src/modules/messaging/record-send-outcomes.sql.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import type { SentReply } from '../../src/contract/dashboard/conversation.ts'
import type { Product } from '../../simulators/index.ts'
import { claimMessage } from '../support/records/outbox.ts'
import { channelOf } from '../support/records/channels.ts'
import { only } from '../support/records/records.ts'
import { messagesOf } from '../support/records/messages.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import { openWorld } from '../support/open-world.ts'
import { type Answer, signedIn } from '../support/dashboard.ts'
import { openMessaging, type PageShop, postToPage } from '../support/messaging.ts'
import { systemTest } from '../support/system-tests.ts'

const PRODUCTS = ['messenger', 'instagram'] as const

const world = await openWorld()
const played = await openMessaging(world)

const conversationOf = (shop: PageShop) => onlyConversation(world, { channelId: shop.channelId })

/** Returns the messages to the customer, by staff or from the owner's app. */
const saidBy = (shop: PageShop, sender: 'staff' | 'owner_app') =>
  messagesOf(world, { channelId: shop.channelId, sender })
const sentBy = ({ channelId }: PageShop) => messagesOf(world, { channelId, direction: 'out' })

let keys = 0
/** Answers as a member. Returns the response of the API. */
async function reply(shop: PageShop, text: string): Promise<Answer<SentReply>> {
  keys += 1
  const { id } = await conversationOf(shop)
  // Sessions end while a test moves the clock.
  const owner = await signedIn(world, { accountId: shop.accountId })
  const path = `/companies/${shop.companyId}/conversations/${id}/messages`
  return owner.ask('POST', path, { key: `reply-${keys}`, text })
}

/** A shop to whose page a customer has written. */
async function written(product: Product) {
  const { simulator, openShop, settle } = played[product]
  const shop = await openShop()
  const customer = shop.newCustomer()
  simulator.sendText(customer, 'Is it open?')
  await settle()
  return { simulator, shop, customer, settle }
}

/** Posts a message between a customer and the page, as Meta does; an echo is a message of the page itself. */
async function post(product: Product, shop: PageShop, personId: string, message: object) {
  const isEcho = 'is_echo' in message
  const [sender, recipient] = isEcho ? [shop.route, personId] : [personId, shop.route]
  const timestamp = world.clock.now().getTime()
  const item = { sender: { id: sender }, recipient: { id: recipient }, timestamp, message }
  const items = { route: shop.route, messaging: [item] }
  expect(await postToPage(world, product, items)).toBe(200)
}

const picture = (name: string) => {
  return { type: 'image', payload: { url: `https://scontent.xx.fbcdn.net/${name}` } }
}

describe.each(PRODUCTS)('%s', (product) => {
  test('a first message begins a conversation without a phone number or an id; the name is added later', async () => {
    const { shop } = await written(product)
    const [started, received, ...others] = shop
      .events()
      .filter(({ type }) => !type.startsWith('contact.'))
    expect(others).toEqual([])
    expect(started).toMatchObject({ type: 'conversation.started' })
    expect(received).toMatchObject({
      type: 'message.received',
      data: {
        conversation: { channelId: shop.channelId, channelType: product },
        contact: { phone: null, whatsAppId: null },
        message: { type: 'text', text: 'Is it open?' },
      },
    })
    // The name is requested afterwards, and the contact is updated.
    expect(shop.events('contact.created')).toMatchObject([
      { data: { contact: { name: null, phone: null, whatsAppId: null } } },
    ])
    expect(shop.events('contact.updated')).toMatchObject([
      { data: { contact: { name: 'Sara Ali', phone: null } } },
    ])
  })

  test('a reply is sent once, and its receipts go as far as the product reports them', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    expect((await reply(shop, 'Yes, until nine.')).status).toBe(201)
    await settle()
    const { personId } = customer
    expect(simulator.sent().at(-1)).toMatchObject({ personId, text: 'Yes, until nine.' })
    const staffMessage = async () => only(await saidBy(shop, 'staff'))
    const before = product === 'messenger' ? ['delivered'] : ['accepted', 'sent']
    expect(before).toContain((await staffMessage()).status)
    simulator.read(customer)
    await settle()
    expect(await staffMessage()).toMatchObject({ status: 'read' })
    // An echo of a message that the service sent is not a message of the owner.
    const senders = (await messagesOf(world, shop)).map(({ sender }) => sender)
    expect(senders.toSorted()).toEqual(['customer', 'staff'])
  })

  systemTest('a read receipt also covers all messages before it', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    for (const text of ['One', 'Two', 'Three']) {
      await reply(shop, text)
      await settle()
    }
    simulator.read(customer)
    await settle()
    const sent = await sentBy(shop)
    expect(sent.map(({ status }) => status)).toEqual(['read', 'read', 'read'])
  })

  test('the owner’s reply from the app takes the conversation over and raises no event', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    const before = shop.events().length
    simulator.ownerReplies(customer, 'I am on it.')
    await settle()
    const own = await saidBy(shop, 'owner_app')
    expect(own).toMatchObject([{ text: 'I am on it.', direction: 'out' }])
    expect(await conversationOf(shop)).toMatchObject({ handledBy: 'staff' })
    expect(shop.events()).toHaveLength(before)
  })

  systemTest('all pictures of one message are stored, and raise one event', async () => {
    const { openShop, settle } = played[product]
    const shop = await openShop()
    const { personId } = shop.newCustomer()
    const album = { mid: 'm_album', text: 'These', attachments: ['1', '2', '3'].map(picture) }
    for (let told = 0; told < 2; told += 1) await post(product, shop, personId, album)
    const kept = (await messagesOf(world, shop)).toSorted((a, b) =>
      a.providerMessageId! < b.providerMessageId! ? -1 : 1,
    )
    expect(kept).toMatchObject([
      { providerMessageId: 'm_album', type: 'image', text: 'These', direction: 'in' },
      { providerMessageId: 'm_album:2', type: 'image', text: null, direction: 'in' },
      { providerMessageId: 'm_album:3', type: 'image', text: null, direction: 'in' },
    ])
    expect(new Set(kept.map(({ fileId }) => fileId)).size).toBe(3)
    await settle()
    expect(shop.events('message.received')).toMatchObject([
      { data: { message: { type: 'image', text: 'These' } } },
    ])
    expect(shop.events('conversation.started')).toHaveLength(1)
  })

  test('all pictures that the owner sends from the app in one message are stored as well', async () => {
    const { openShop } = played[product]
    const shop = await openShop()
    const { personId } = shop.newCustomer()
    const attachments = ['1', '2'].map(picture)
    await post(product, shop, personId, { mid: 'm_owner', is_echo: true, attachments })
    expect(await messagesOf(world, shop)).toMatchObject([
      { providerMessageId: 'm_owner', sender: 'owner_app', type: 'image' },
      { providerMessageId: 'm_owner:2', sender: 'owner_app', type: 'image' },
    ])
  })
})

test('a page accepts the webhook challenge with its verify token, and no other', async () => {
  const { openShop } = played.messenger
  const shop = await openShop()
  const owner = await signedIn(world, { accountId: shop.accountId })
  const path = `/companies/${shop.companyId}/channels/${shop.channelId}`
  await owner.ask('PATCH', path, { credentials: { verifyToken: 'my-verify-token' } })
  const asked = 'hub.mode=subscribe&hub.challenge=42&hub.verify_token='
  const ask = (token: string, product: string) =>
    fetch(`${world.url}/webhooks/${product}?${asked}${token}`)
  const right = await ask('my-verify-token', 'messenger')
  expect([right.status, await right.text()]).toEqual([200, '42'])
  expect((await ask('wrong', 'messenger')).status).toBe(403)
  expect((await ask('my-verify-token', 'instagram')).status).toBe(403)
})

/** A reply to a customer of Instagram whose outcome is not known yet. */
async function underWay(text: string) {
  const { shop, customer } = await written('instagram')
  expect((await reply(shop, 'Yes')).status).toBe(201)
  const { id } = only(await sentBy(shop))
  await claimMessage(world, id, { leaseMs: HOUR_MS, text })
  const echo = { mid: 'm_of_ours', is_echo: true, text: 'Yes, until nine' }
  await post('instagram', shop, customer.personId, echo)
  return { id, own: () => sentBy(shop) }
}

systemTest.each([' Yes, until nine \n', 'Yes, until nine \n\n1. Fine\n2. No'])(
  'an echo with the same text belongs to the reply, whatever space surrounds it: %j',
  async (text) => {
    const { id, own } = await underWay(text)
    expect(await own()).toMatchObject([{ id, status: 'sent', providerMessageId: 'm_of_ours' }])
  },
)

systemTest(
  'a send whose echo has another text is known by its response, which arrives later',
  async () => {
    const { id, own } = await underWay('Yes, until nine!')
    const { clock, ids, db } = world.service.context
    const result = { outcome: 'accepted', providerMessageId: 'm_of_ours' } as const
    const [runClaimId, now] = [ids.uuid(), clock.now()]
    await settleSend(db, { id, runId: null, result, againAt: null, runClaimId, now })
    expect(await own()).toMatchObject([
      { id, sender: 'staff', status: 'accepted', providerMessageId: 'm_of_ours' },
    ])
  },
)

test('another login of an account is tried with its token before it is kept', async () => {
  const shop = await played.instagram.openShop()
  const path = `/companies/${shop.companyId}/channels/${shop.channelId}`
  const login = () => channelOf(world, shop)
  const before = await login()
  // The page of that name knows no such token.
  expect(await shop.owner.ask('PATCH', path, { credentials: { login: 'facebook' } })).toMatchObject(
    { status: 422 },
  )
  expect(await login()).toEqual(before)
})
