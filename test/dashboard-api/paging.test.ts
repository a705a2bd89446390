/** A list takes `limit` and `cursor`: walked page by page it has each thing once, in its order (API). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSession } from '../../src/accounts/start-session.ts'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { transaction } from '../../src/database/transaction.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { connectApi } from '../support/shop-api.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { uploadContacts } from '../support/upload-contacts.ts'
import { createWebsite } from '../support/visitors.ts'
import { repeatWhile } from '../support/wait.ts'

const EACH = [1, 2, 3]

let world: World
let shop: Shop
let owner: Member
let at: string
let contactId: string
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
  // The clock stands still: what is ordered by a time has several of one instant.
  for (const nth of EACH) await makeOne(nth)
})
afterAll(() => world.close())

async function makeOne(nth: number) {
  const { db, ids, clock } = world.service.context
  const { accountId, companyId } = shop
  const now = clock.now()
  const member = await signedIn(world, { accountId, role: 'agent' })
  await owner.ask('POST', '/invitations', { email: `${nth}@example.com`, role: 'agent' })
  await transaction(db, (tx) => {
    const client = { carrier: 'bearer', userAgent: null, device: null } as const
    return startSession(tx, { ids, now }, { personId: owner.personId, accountId, client })
  })
  await owner.ask('POST', '/companies', { name: `Project ${nth}` })
  const notice = { kind: 'mentioned', subjectId: ids.uuid(), details: '{"text":""}' }
  await db.kysely
    .insertInto('notice')
    .values({
      id: ids.uuid(),
      accountId,
      companyId,
      personId: owner.personId,
      ...notice,
      createdAt: now,
    })
    .execute()
  const made = { name: `Customer ${nth}`, tags: [`tag ${nth}`] }
  contactId = (await owner.ask<ContactView>('POST', `${at}/contacts`, made)).body.id
  await db.kysely
    .insertInto('contactTagJob')
    .values({ id: ids.uuid(), companyId, tag: 'a', state: 'done', endedAt: now, createdAt: now })
    .execute()
  await owner.ask('POST', `${at}/contacts/${contactId}/opt-out`)
  await owner.ask('POST', `${at}/contacts/${contactId}/opt-in`, { reason: 'asked for it' })
  await owner.ask('POST', `${at}/contacts/${contactId}/opt-out`)
  await uploadContacts(world, owner, shop, 'name\nSara\n')
  await owner.ask('POST', `${at}/conversations/bulk-close`, { filter: {} })
  await owner.ask('POST', `${at}/leads`, { contactId, ownerId: member.personId })
  await connectApi(world, { id: ids.uuid(), companyId, baseUrl: 'https://shop.example/api' })
  await createWebsite(world, 'website', { shop, owner })
  await owner.ask<BroadcastView>('POST', `${at}/broadcasts`, {
    name: `News ${nth}`,
    channelId: shop.channelId,
    template: { name: 'order_ready' },
    audience: { kind: 'filter', filter: {} },
  })
}

type Ids = Page<{ id: string }>

test.each([
  '/audit',
  '/companies',
  '/invitations',
  '/members',
  '/notices',
  '/sessions',
  '/broadcasts',
  '/channels',
  '/close-jobs',
  '/connections',
  '/contact-imports',
  '/contacts',
  '/contacts/{contactId}/opt-outs',
  '/contacts/{contactId}/timeline',
  '/leads',
  '/tags/jobs',
])('%s', async (path) => {
  const ofAccount = ['/audit', '/companies', '/invitations', '/members', '/notices', '/sessions']
  const list = `${ofAccount.includes(path) ? '' : at}${path.replace('{contactId}', contactId)}`
  const whole = (await owner.ask<Ids>('GET', `${list}?limit=100`)).body
  expect([whole.items.length >= EACH.length, whole.nextCursor]).toEqual([true, null])
  const seen: string[] = []
  let next: string | null = ''
  const hasMore = () => next !== null && seen.length <= whole.items.length
  await repeatWhile('pages', hasMore, async () => {
    const { body } = await owner.ask<Ids>('GET', `${list}?limit=2${next}`)
    expect(body.items.length).toBeLessThanOrEqual(2)
    seen.push(...body.items.map(({ id }) => id))
    next = body.nextCursor === null ? null : `&cursor=${body.nextCursor}`
  })
  expect(seen).toEqual(whole.items.map(({ id }) => id))
})
