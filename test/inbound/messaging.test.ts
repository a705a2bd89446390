/**
 * Messenger and Instagram from end to end, against what plays them: customers write, staff answers, receipts,
 * echoes, names, files. Spec: Events › Types; Concepts › Channel capabilities; Concepts › Service window.
 */
import { describe, expect, test } from 'vitest'
import { signMetaWebhook, type Product } from '../../simulators/index.ts'
import type { SentReply } from '../../src/contract/dashboard/conversation.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { only } from '../support/records/records.ts'
import { messagesOf } from '../support/records/messages.ts'
import { filesOf } from '../support/records/files.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import { channelOf } from '../support/records/channels.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn, type Answer } from '../support/dashboard.ts'
import { openMessaging, PAGE_SECRET, postToPage, type PageShop } from '../support/messaging.ts'
import { systemTest } from '../support/system-tests.ts'

const PRODUCTS = ['messenger', 'instagram'] as const

const world = await openWorld()
const played = await openMessaging(world)

const conversationOf = (shop: PageShop) => onlyConversation(world, { channelId: shop.channelId })

/** What was said to the customer, by staff or from the owner's app. */
const saidBy = (shop: PageShop, sender: 'staff' | 'owner_app') =>
  messagesOf(world, { channelId: shop.channelId, sender })
const sentBy = ({ channelId }: PageShop) => messagesOf(world, { channelId, direction: 'out' })

let keys = 0
/** A member answers; what the API says to it. */
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

describe.each(PRODUCTS)('%s', (product) => {
  test('a first message begins a conversation, without a phone or an id; the name is told later', async () => {
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
    // The name is asked for afterwards, and told.
    expect(shop.events('contact.created')).toMatchObject([
      { data: { contact: { name: null, phone: null, whatsAppId: null } } },
    ])
    expect(shop.events('contact.updated')).toMatchObject([
      { data: { contact: { name: 'Sara Ali', phone: null } } },
    ])
  })

  test('a reply goes out once, and its receipts come as far as the product tells', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    expect((await reply(shop, 'Yes, until nine.')).status).toBe(201)
    await settle()
    const { personId } = customer
    expect(simulator.sent().at(-1)).toMatchObject({ personId, text: 'Yes, until nine.' })
    const told = async () => only(await saidBy(shop, 'staff'))
    const before = product === 'messenger' ? ['delivered'] : ['accepted', 'sent']
    expect(before).toContain((await told()).status)
    simulator.read(customer)
    await settle()
    expect(await told()).toMatchObject({ status: 'read' })
    // An echo of ours is no message of the owner's.
    const senders = (await messagesOf(world, shop)).map(({ sender }) => sender)
    expect(senders.toSorted()).toEqual(['customer', 'staff'])
  })

  systemTest('what is read reaches back to all before it', async () => {
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

  test('the owner’s reply from the app takes the conversation over, and is told of nowhere', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    const before = shop.events().length
    simulator.ownerReplies(customer, 'I am on it.')
    await settle()
    const own = await saidBy(shop, 'owner_app')
    expect(own).toMatchObject([{ text: 'I am on it.', direction: 'out' }])
    expect(await conversationOf(shop)).toMatchObject({ handledBy: 'staff' })
    expect(shop.events()).toHaveLength(before)
  })

  test('an answer that is lost is unknown; the echo says that it went, and nothing goes twice', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    const sent = simulator.sent().length
    simulator.force(customer.personId, 'hang')
    await reply(shop, 'Once only.')
    await settle()
    expect(simulator.sent()).toHaveLength(sent + 1)
    const message = only(await sentBy(shop))
    const providerMessageId = simulator.sent().at(-1)!.mid
    expect(message).toMatchObject({ sender: 'staff', text: 'Once only.', providerMessageId })
    expect(['sent', 'delivered']).toContain(message.status)
  })

  test('what was never taken is not known to have gone, and is not sent again', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    const sent = simulator.sent().length
    simulator.force(customer.personId, 'lost')
    await reply(shop, 'Lost on the way.')
    await settle()
    expect(simulator.sent()).toHaveLength(sent)
    expect(await saidBy(shop, 'staff')).toMatchObject([{ status: 'unknown' }])
  })

  systemTest('of two that say the same, the echo is of the one that just went', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    for (const how of ['lost', 'hang'] as const) {
      simulator.force(customer.personId, how)
      await reply(shop, 'The same.')
      await settle()
      world.clock.advance(MINUTE_MS)
    }
    const known = (await sentBy(shop)).map(({ providerMessageId }) => providerMessageId)
    expect(known).toEqual([null, simulator.sent().at(-1)!.mid])
  })

  systemTest('a rate limit is waited out and tried again', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    simulator.force(customer.personId, 'rate')
    await reply(shop, 'Later then.')
    await settle()
    world.clock.advance(HOUR_MS)
    await settle()
    expect(simulator.sent().at(-1)).toMatchObject({ text: 'Later then.' })
  })

  systemTest('a customer who blocked the page is told of as such', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    simulator.setBlocked(customer, true)
    await reply(shop, 'Hello?')
    await settle()
    expect(await saidBy(shop, 'staff')).toMatchObject([{ status: 'failed', errorCode: '551' }])
  })

  systemTest('where another app has the thread a message fails, and later ones go', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    simulator.setInAnotherApp(customer, true)
    await reply(shop, 'Not ours')
    await settle()
    expect(await saidBy(shop, 'staff')).toMatchObject([{ status: 'failed', errorCode: '10' }])
    simulator.setInAnotherApp(customer, false)
    expect((await reply(shop, 'Ours again')).status).toBe(201)
    await settle()
    expect(simulator.sent().at(-1)).toMatchObject({ text: 'Ours again' })
  })

  systemTest('after 24 hours nothing is sent until the customer writes again', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    world.clock.advance(DAY_MS)
    const expected = { status: 409, body: { code: 'outside_service_window' } }
    expect(await reply(shop, 'Too late')).toMatchObject(expected)
    simulator.sendText(customer, 'Still there?')
    await settle()
    expect((await reply(shop, 'Yes')).status).toBe(201)
  })

  systemTest('what is delivered twice is taken in once, also for another app', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    simulator.switches.deliverTwice = true
    simulator.setInAnotherApp(customer, true)
    simulator.sendText(customer, 'Twice?')
    simulator.postback(customer, { title: 'Track', payload: 'track' }, false)
    await settle()
    Object.assign(simulator.switches, { deliverTwice: false })
    expect(shop.events('message.received').map(({ data }) => data)).toMatchObject([
      { message: { text: 'Is it open?' } },
      { message: { text: 'Twice?' } },
      { message: { text: 'Track' } },
    ])
  })

  test('ids that come as numbers are the same customer', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    simulator.switches.numericIds = true
    simulator.sendText(customer, 'By number')
    await settle()
    simulator.switches.numericIds = false
    expect(shop.events('message.received')).toHaveLength(2)
    expect(shop.events('conversation.started')).toHaveLength(1)
  })

  test('an unsend, a reaction and a receipt raise nothing', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    const before = shop.events().length
    simulator.unsend(customer)
    simulator.react(customer)
    await settle()
    expect(shop.events()).toHaveLength(before)
  })

  test('STOP opts out and START in, once each', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    for (const word of ['stop', 'STOP', 'Start']) {
      simulator.sendText(customer, word)
      await settle()
    }
    expect(shop.events('contact.opted_out')).toHaveLength(1)
    expect(shop.events('contact.updated').at(-1)).toMatchObject({
      data: { contact: { optedOut: false } },
    })
  })

  systemTest('a picture is fetched and kept', async () => {
    const { simulator, shop, customer, settle } = await written(product)
    simulator.sendFile(customer, 'image')
    await settle()
    const file = only(await filesOf(world, { channelId: shop.channelId }))
    expect(file).toMatchObject({ state: 'kept', mediaType: 'image/jpeg' })
    expect(shop.events('message.received').at(-1)).toMatchObject({
      data: { message: { type: 'image', text: null } },
    })
  })

  systemTest('a token that is no more disconnects the channel; a new one connects', async () => {
    const { simulator, shop, settle } = await written(product)
    const account = {
      id: shop.route,
      name: 'Riyadh shop',
      accessToken: 'another-token',
      appSecret: PAGE_SECRET,
      webhookUrl: `${world.url}/webhooks/${product}`,
    }
    simulator.addAccount(account)
    await reply(shop, 'Hello')
    await settle()
    const channel = () => channelOf(world, shop)
    expect(await channel()).toMatchObject({ isConnected: false })
    const owner = await signedIn(world, { accountId: shop.accountId })
    const path = `/companies/${shop.companyId}/channels/${shop.channelId}`
    const edit = (accessToken: string) => owner.ask('PATCH', path, { credentials: { accessToken } })
    expect(await edit('a wrong one')).toMatchObject({ status: 422 })
    expect(await edit('wrong')).toMatchObject({ status: 422 })
    expect((await edit('another-token')).status).toBe(200)
    expect(await channel()).toMatchObject({ isConnected: true })
  })

  test('a post that is not signed by the app, or by another’s, is refused and leaves nothing', async () => {
    const { shop } = await written(product)
    const { route } = shop
    const between = { sender: { id: '5' }, recipient: { id: route } }
    const items = { route, messaging: [{ ...between, message: { mid: 'f', text: 'x' } }] }
    for (const sign of [
      () => undefined,
      () => 'sha256=00',
      (body: Buffer) => signMetaWebhook(body, 'another app'),
    ]) {
      expect(await postToPage(world, product, items, sign)).toBe(401)
    }
    expect(shop.events('message.received')).toHaveLength(1)
  })
})

test('a page says what it may: who asks for the challenge with its verify token gets it', async () => {
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

systemTest('a delivery without ids is of all that was sent until then', async () => {
  const { simulator, shop, settle } = await written('messenger')
  simulator.switches.deliveryWithoutIds = true
  await reply(shop, 'One')
  await reply(shop, 'Two')
  await settle()
  simulator.switches.deliveryWithoutIds = false
  const sent = await sentBy(shop)
  expect(sent.map(({ status }) => status)).toEqual(['delivered', 'delivered'])
})

systemTest('Instagram takes 1,000 bytes of text and Messenger 2,000 characters', async () => {
  const fits = { instagram: 'ص'.repeat(500), messenger: 'ص'.repeat(2_000) }
  for (const product of PRODUCTS) {
    const { simulator, shop, settle } = await written(product)
    expect(await reply(shop, `${fits[product]}!`)).toMatchObject({ status: 422 })
    expect((await reply(shop, fits[product])).status).toBe(201)
    await settle()
    expect(simulator.sent().at(-1)).toMatchObject({ text: fits[product] })
  }
})
