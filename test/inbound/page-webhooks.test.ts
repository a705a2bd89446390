/** Of Messenger and Instagram what their players do not do by themselves. Spec: Channels › Messenger; Flows › Effects. */
import { describe, expect, test } from 'vitest'
import { settleSend } from '../../src/modules/messaging/record-send-outcomes.sql.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import type { Product } from '../../simulators/index.ts'
import { only } from '../support/records/records.ts'
import { messagesOf } from '../support/records/messages.ts'
import { claimMessage } from '../support/records/outbox.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import { channelOf } from '../support/records/channels.ts'
import { openWorld } from '../support/open-world.ts'
import { reply } from '../support/inbox.ts'
import { openMessaging, postToPage, type PageShop } from '../support/messaging.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const played = await openMessaging(world)

/** Posts a message between a customer and the page, as Meta does; of the page itself where it is an echo. */
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

describe.each(['messenger', 'instagram'] as const)('on %s', (product) => {
  systemTest('all pictures of one message are kept, and told of as that one', async () => {
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

  test('so are those that the owner sends from the app', async () => {
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

/** A reply to a customer of Instagram, of which nobody has heard yet how it went. */
async function underWay(text: string) {
  const { simulator, openShop, settle } = played.instagram
  const shop = await openShop()
  const customer = shop.newCustomer()
  simulator.sendText(customer, 'Is it open?')
  await settle()
  const { id: conversationId } = await onlyConversation(world, { channelId: shop.channelId })
  const path = `/companies/${shop.companyId}/conversations/${conversationId}`
  expect((await reply(shop.owner, { path }, 'Yes')).status).toBe(201)
  const { id } = only(await messagesOf(world, { channelId: shop.channelId, direction: 'out' }))
  await claimMessage(world, id, { leaseMs: HOUR_MS, text })
  const echo = { mid: 'm_of_ours', is_echo: true, text: 'Yes, until nine' }
  await post('instagram', shop, customer.personId, echo)
  const own = () => messagesOf(world, { channelId: shop.channelId, direction: 'out' })
  return { id, own }
}

systemTest.each([' Yes, until nine \n', 'Yes, until nine \n\n1. Fine\n2. No'])(
  'an echo is of what says the same, whatever space is around it: %j',
  async (text) => {
    const { id, own } = await underWay(text)
    expect(await own()).toMatchObject([{ id, status: 'sent', providerMessageId: 'm_of_ours' }])
  },
)

systemTest('a send whose echo reads otherwise is known by its answer, which is later', async () => {
  const { id, own } = await underWay('Yes, until nine!')
  const { clock, ids, db } = world.service.context
  const result = { outcome: 'accepted', providerMessageId: 'm_of_ours' } as const
  const [runClaimId, now] = [ids.uuid(), clock.now()]
  await settleSend(db, { id, runId: null, result, againAt: null, runClaimId, now })
  expect(await own()).toMatchObject([
    { id, sender: 'staff', status: 'accepted', providerMessageId: 'm_of_ours' },
  ])
})

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
