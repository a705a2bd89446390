/** What members are offered in the inbox is what is there, in its order. Spec: Inbox › What an Agent needs besides; Inbox › Ready replies. */
import { beforeAll, expect, test } from 'vitest'
import type { ContactView, WayToWrite } from '../../src/contract/dashboard/contact.ts'
import type {
  CannedReplyView,
  ChannelName,
  StartableFlow,
  TimelineItem,
} from '../../src/contract/dashboard/conversation.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { INBOX_LIMITS } from '../../src/limits/inbox.ts'
import { fillCannedReplies } from '../support/records/imports.ts'
import { addFlowTo, definitionOf } from '../support/records/flows.ts'
import { addConversation } from '../support/records/conversations.ts'
import { deleteChannel, restoreChannel } from '../support/records/channels.ts'
import { describePerson } from '../support/records/members.ts'
import { openWorld } from '../support/open-world.ts'
import { act } from '../support/inbox.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'
import { createWebsite } from '../support/visitors.ts'

type Items<Item> = { items: Item[] }

let contact: ContactView
const world = await openWorld()
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })
const at = `/companies/${shop.companyId}`
beforeAll(async () => {
  const made = { name: 'Sara', phone: '+966501112233' }
  contact = (await owner.ask<ContactView>('POST', `${at}/contacts`, made)).body
  await addConversation(world, shop, { id: 'c_1', contactId: contact.id })
})

const talk = () => ({ path: `${at}/conversations/c_1` })

test('Of flows that start by hand those of the channel of the conversation', async () => {
  const site = await createWebsite(world, 'web_widget', { shop, owner })
  const { companyId } = shop
  const definition = await definitionOf(world, shop)
  for (const [name, channelId] of [
    ['Of the website', site.channelId],
    ['Of the number', shop.channelId],
  ] as const) {
    await addFlowTo(world, { companyId, channelId }, { name, definition })
  }
  const { body } = await owner.ask<Items<StartableFlow>>('GET', `${talk().path}/flows`)
  expect(body.items.map(({ name }) => name)).toEqual(['Of the number'])
})

test('A channel that was deleted is neither named nor written on', async () => {
  const names = async () => {
    const path = `${at}/conversations/channels`
    const { body } = await owner.ask<Items<ChannelName>>('GET', path)
    return body.items.map(({ id }) => id)
  }
  const ways = async () => {
    const path = `${at}/contacts/${contact.id}/ways-to-write`
    const { body } = await owner.ask<Items<WayToWrite>>('GET', path)
    return body.items.map(({ channel }) => channel.id)
  }
  // The website's was made later.
  expect((await names())[0]).toBe(shop.channelId)
  expect(await ways()).toEqual([shop.channelId])
  await deleteChannel(world, shop)
  expect(await names()).not.toContain(shop.channelId)
  expect(await ways()).toEqual([])
  const body = ['1', '2'].map((name) => ({ name, text: 'A-1' }))
  const said = { key: 'k', template: { name: 'order_ready', body } }
  const asked = { ...said, contactId: contact.id, channelId: shop.channelId }
  expect(await owner.ask('POST', `${at}/conversations`, asked)).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'channelId', code: 'unknown_channel' }] },
  })
  await restoreChannel(world, shop)
})

test('Ready replies are listed by their shortcuts, and there are so many of a company', async () => {
  const path = `${at}/canned-replies`
  const make = (shortcut: string) => owner.ask('POST', path, { shortcut, text: 'Hello' })
  for (const shortcut of ['c', 'a', 'b']) await make(shortcut)
  const { body } = await owner.ask<Items<CannedReplyView>>('GET', path)
  expect(body.items.map(({ shortcut }) => shortcut)).toEqual(['a', 'b', 'c'])
  await fillCannedReplies(world, shop, INBOX_LIMITS.cannedReplies)
  expect((await make('the-last')).status).toBe(201)
  expect(await make('one-more')).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
})

test('People are listed by their names', async () => {
  for (const name of ['Zaid', 'Amal']) {
    const { personId } = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    await describePerson(world, personId, { name })
  }
  const { body } = await owner.ask<Items<{ name: string }>>('GET', `${at}/people`)
  expect(body.items.map(({ name }) => name)).toEqual(['Amal', 'The owner', 'Zaid'])
})

test('A line that is no note is changed and deleted by nobody', async () => {
  await act(owner, talk(), 'take-over', { turn: 0 })
  const { body } = await owner.ask<Page<TimelineItem>>('GET', `${talk().path}/timeline`)
  const line = body.items.find((item) => item.kind === 'entry' && item.entry === 'taken_over')!
  const path = `${talk().path}/notes/${line.id}`
  expect((await owner.ask('PATCH', path, { text: 'It was not me' })).status).toBe(404)
  expect((await owner.ask('DELETE', path)).status).toBe(404)
})
