/** Notices of an account are read for all its Owners and Admins; one that is for a person is theirs alone. Spec: API › The account. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NoticeView } from '../../src/contract/dashboard/notice.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { Role } from '../../src/vocabulary/accounts.ts'
import { MAIL_LIMITS } from '../../src/limits/accounts.ts'
import { claimNoticeMails, postponeMail } from '../../src/notices/notice-mails.sql.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
const members = {} as Record<Role, Member>
/** One of the account, and one for each member. */
const ids = {} as Record<Role | 'account', string>
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  ids.account = await notice(null, 'endpoint_switched_off')
  for (const role of ['owner', 'admin', 'agent'] as const) {
    members[role] = await signedIn(world, { accountId: shop.accountId, role })
    ids[role] = await notice(members[role].personId, 'mentioned')
  }
})
afterAll(() => world.close())

async function notice(personId: string | null, kind: string): Promise<string> {
  const { db, ids: made, clock } = world.service.context
  const { accountId, companyId, endpointId: subjectId } = shop
  const details = JSON.stringify({ text: 'Look at this', conversationId: 'c_1' })
  const id = made.uuid()
  const row = { id, accountId, companyId, personId, kind, subjectId, details }
  await db.kysely
    .insertInto('notice')
    .values({ ...row, createdAt: clock.now() })
    .execute()
  return id
}

const list = async (by: Member, query = '') =>
  (await by.ask<Page<NoticeView>>('GET', `/notices${query}`)).body.items.map(({ id }) => id)
const unread = async (by: Member) =>
  (await by.ask<{ count: number }>('GET', '/notices/unread')).body.count

test('Each is listed and counted for whom it is', async () => {
  const { owner, admin, agent } = members
  expect(await list(owner)).toEqual([ids.owner, ids.account])
  expect(await list(admin)).toEqual([ids.admin, ids.account])
  expect(await list(agent)).toEqual([ids.agent])
  expect([await unread(owner), await unread(admin), await unread(agent)]).toEqual([2, 2, 1])
})

test('An Agent reads none of the account’s, nor anybody those of another person', async () => {
  const { owner, agent } = members
  for (const [by, id] of [
    [agent, ids.account],
    [agent, ids.owner],
    [owner, ids.agent],
  ] as const) {
    expect((await by.ask('POST', `/notices/${id}/read`)).status).toBe(404)
  }
  expect((await agent.ask('POST', '/notices/read', { upTo: ids.agent })).status).toBe(204)
  expect(await unread(owner)).toBe(2)
})

test('Who marks all as read does so with the account’s and with their own, and leaves those of others', async () => {
  const { owner, admin } = members
  expect((await owner.ask('POST', '/notices/read', { upTo: ids.agent })).status).toBe(204)
  expect(await list(owner, '?isUnread=true')).toEqual([])
  expect(await list(admin, '?isUnread=true')).toEqual([ids.admin])
})

test('The e-mail of one goes to no Owner of the demonstration, and a node that was slow does not put it off', async () => {
  const { kysely } = world.database.db
  const now = world.clock.now()
  const played = await signedIn(world, { accountId: shop.accountId })
  const person = kysely.updateTable('person').where('id', '=', played.personId)
  await person.set({ isDemonstration: true }).execute()
  const notices = kysely.updateTable('notice').where('id', '=', ids.account)
  await notices.set({ mailDueAt: now }).execute()
  const claim = (at: Date) => claimNoticeMails(kysely, { now: at, limit: 10 })
  const [slow] = await claim(now)
  expect(slow!.owners).toEqual([members.owner.email])
  const later = new Date(now.getTime() + MAIL_LIMITS.leaseMs)
  const [taken] = await claim(later)
  await postponeMail(kysely, slow!, now)
  expect(await claim(later)).toEqual([])
  await postponeMail(kysely, taken!, later)
  expect(await claim(later)).toMatchObject([{ id: ids.account }])
})
