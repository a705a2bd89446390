/** The stream of live changes ends at once with its session. The clock stands still: no heartbeat tells. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resetPassword } from '../../src/accounts/reset-password.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

const MOST_MS = 10_000

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

/** Listens as a browser does. Says whether the stream is over within ten seconds. */
async function listen(member: Member) {
  const request = get(`${world.url}/api/companies/${shop.companyId}/live`, {
    headers: { authorization: `Bearer ${member.token}` },
  })
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let isOver = false
  response.on('error', () => {})
  const closed = new Promise<true>((resolve) => {
    response.resume().once('close', () => resolve((isOver = true)))
  })
  return {
    isOver: () => isOver,
    async ended() {
      let timer: NodeJS.Timeout | undefined
      const tooLate = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), MOST_MS)
      })
      const result = await Promise.race([closed, tooLate])
      clearTimeout(timer)
      return result
    },
    close: () => request.destroy(),
  }
}

test('by signing out; those of other sessions go on', async () => {
  const other = await listen(boss)
  const stream = await listen(owner)
  expect((await owner.ask('DELETE', '/session')).status).toBe(204)
  expect(await stream.ended()).toBe(true)
  expect(other.isOver()).toBe(false)
  other.close()
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
