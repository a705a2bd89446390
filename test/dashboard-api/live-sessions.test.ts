/** The stream of live changes ends at once with its session. The clock stands still: no heartbeat tells. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resetPassword } from '../../src/accounts/reset-password.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { waitUntilBlocked } from '../support/blocked.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { listenLive } from '../support/live.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
let boss: Member
let shops = 0
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shops += 1
  shop = await createShop(world, { phoneNumberId: `${shops}`, businessAccountId: `${shops}` })
  owner = await signedIn(world, { accountId: shop.accountId })
  boss = await signedIn(world, { accountId: shop.accountId })
})

const listen = (member: Member) => listenLive(world, member, shop.companyId)

test('by signing out; those of other sessions go on', async () => {
  const other = await listen(boss)
  const stream = await listen(owner)
  expect((await owner.ask('DELETE', '/session')).status).toBe(204)
  expect(await stream.ended()).toBe(true)
  expect(other.isOver()).toBe(false)
  other.close()
})

test('also by what ends it while the stream is being opened', async () => {
  const first = await listen(owner)
  const { pool } = world.database.db
  const gate = await pool.connect()
  await gate.query('begin; lock table company in access exclusive mode')
  const opening = listen(owner)
  await waitUntilBlocked('its company is looked up', pool, gate)
  await pool.query('delete from session where person_id = $1', [owner.personId])
  expect(await first.ended()).toBe(true)
  await gate.query('commit')
  gate.release()
  expect(await (await opening).ended()).toBe(true)
})

test('by another role', async () => {
  const stream = await listen(owner)
  await boss.ask('PATCH', `/members/${owner.memberId}`, { role: 'agent' })
  expect(await stream.ended()).toBe(true)
})

test('when the session goes on in another account', async () => {
  const { kysely } = world.database.db
  const { ids, clock } = world.service.context
  const there = await createShop(world, { phoneNumberId: 'there', businessAccountId: 'there' })
  const member = { accountId: there.accountId, personId: owner.personId, role: 'owner' }
  await kysely
    .insertInto('member')
    .values({ id: ids.uuid(), ...member, createdAt: clock.now() })
    .execute()
  const stream = await listen(owner)
  await owner.ask('POST', '/session/account', { accountId: there.accountId })
  expect(await stream.ended()).toBe(true)
})

test('whichever process ended it, as the operator’s command does', async () => {
  const stream = await listen(owner)
  const db = connectDatabase(world.database.connection)
  await resetPassword({ ...world.service.context, db }, { email: owner.email })
  await db.close()
  expect(await stream.ended()).toBe(true)
})

test('also when the signal is lost: what was missed is looked for', async () => {
  const stream = await listen(owner)
  const { pool } = world.database.db
  await pool.query('alter table session disable trigger session_ended')
  await pool.query('delete from session where person_id = $1', [owner.personId])
  await pool.query('alter table session enable trigger session_ended')
  expect(stream.isOver()).toBe(false)
  const { rowCount } = await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%' or query = 'select 1'
        and pid <> pg_backend_pid() and datname = current_database()`,
  )
  expect(rowCount).toBeGreaterThan(0)
  expect(await stream.ended()).toBe(true)
})
