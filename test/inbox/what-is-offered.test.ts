/** What members are offered in the inbox is what is there, in its order. Spec: Inbox › What an Agent needs besides; Inbox › Ready replies. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContactView, WayToWrite } from '../../src/contract/dashboard/contact.ts'
import type {
  CannedReplyView,
  ChannelName,
  StartableFlow,
  TimelineItem,
} from '../../src/contract/dashboard/conversation.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { INBOX_LIMITS } from '../../src/limits/inbox.ts'
import { act } from '../support/inbox.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { createWebsite } from '../support/visitors.ts'

type Items<Item> = { items: Item[] }

let world: World
let shop: Shop
let owner: Member
let at: string
let contact: ContactView
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
  const made = { name: 'Sara', phone: '+966501112233' }
  contact = (await owner.ask<ContactView>('POST', `${at}/contacts`, made)).body
  const { companyId, channelId } = shop
  const talk = { id: 'c_1', companyId, channelId, channelType: 'whatsapp', filedUnder: '1' }
  await world.database.db.kysely
    .insertInto('conversation')
    .values({ ...talk, contactId: contact.id, createdAt: world.clock.now() })
    .execute()
})
afterAll(() => world.close())

const talk = () => ({ path: `${at}/conversations/c_1` })

test('Of flows that start by hand those of the channel of the conversation', async () => {
  const site = await createWebsite(world, 'web_widget', { shop, owner })
  const { kysely } = world.database.db
  const { ids, clock } = world.service.context
  const now = clock.now()
  const { companyId } = shop
  const { definition } = await kysely
    .selectFrom('flowVersion')
    .select('definition')
    .where('id', '=', shop.versionId)
    .executeTakeFirstOrThrow()
  for (const [name, channelId] of [
    ['Of the website', site.channelId],
    ['Of the number', shop.channelId],
  ] as const) {
    const [id, versionId] = [ids.uuid(), ids.uuid()]
    const flow = { id, companyId, name, createdAt: now, updatedAt: now }
    await kysely.insertInto('flow').values(flow).execute()
    const version = { id: versionId, companyId, flowId: id, number: 1, channelId, definition }
    await kysely
      .insertInto('flowVersion')
      .values({ ...version, triggerKind: 'manual', publishedAt: now, createdAt: now })
      .execute()
    const published = { publishedVersionId: versionId, firstPublishedAt: now }
    await kysely.updateTable('flow').set(published).where('id', '=', id).execute()
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
  const { kysely } = world.database.db
  const channel = kysely.updateTable('channel').where('id', '=', shop.channelId)
  await channel.set({ deletedAt: world.clock.now() }).execute()
  expect(await names()).not.toContain(shop.channelId)
  expect(await ways()).toEqual([])
  const body = ['1', '2'].map((name) => ({ name, text: 'A-1' }))
  const said = { key: 'k', template: { name: 'order_ready', body } }
  const asked = { ...said, contactId: contact.id, channelId: shop.channelId }
  expect(await owner.ask('POST', `${at}/conversations`, asked)).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'channelId', code: 'unknown_channel' }] },
  })
  await channel.set({ deletedAt: null }).execute()
})

test('Ready replies are listed by their shortcuts, and there are so many of a company', async () => {
  const path = `${at}/canned-replies`
  const make = (shortcut: string) => owner.ask('POST', path, { shortcut, text: 'Hello' })
  for (const shortcut of ['c', 'a', 'b']) await make(shortcut)
  const { body } = await owner.ask<Items<CannedReplyView>>('GET', path)
  expect(body.items.map(({ shortcut }) => shortcut)).toEqual(['a', 'b', 'c'])
  await world.database.db.pool.query(
    `insert into canned_reply (id, company_id, shortcut, text, created_at, updated_at)
      select gen_random_uuid(), $1, 'n' || n, 'Hello', now(), now() from generate_series(5, $2::int) n`,
    [shop.companyId, INBOX_LIMITS.cannedReplies],
  )
  expect((await make('the-last')).status).toBe(201)
  expect(await make('one-more')).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
})

test('People are listed by their names', async () => {
  const { kysely } = world.database.db
  for (const name of ['Zaid', 'Amal']) {
    const { personId } = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    await kysely.updateTable('person').set({ name }).where('id', '=', personId).execute()
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
