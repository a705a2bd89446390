/**
 * A request for which the database had no room, as others held it for too long: whoever asked may ask again,
 * and the operator finds it in the log. Spec: Errors › Problems.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
beforeEach(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterEach(() => world.close())

test.each([
  ['55P03', 503, 'service_unavailable', 'database_busy', '5'],
  ['57014', 503, 'service_unavailable', 'database_busy', '5'],
  ['XX000', 500, 'internal_error', 'fault_of_ours', null],
])('%s is answered %i', async (sqlState, status, code, reason, retryAfter) => {
  const { pool } = world.database.db
  await pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no' using errcode = '${sqlState}'; end $$`)
  await pool.query('create trigger refuse before insert on contact execute function refuse()')
  const owner = await signedIn(world, { accountId: shop.accountId })
  const make = () => owner.ask('POST', `/companies/${shop.companyId}/contacts`, { name: 'Sara' })
  const answer = await make()
  expect(answer).toMatchObject({ status, body: { code, reason } })
  expect(answer.headers.get('retry-after')).toBe(retryAfter)
  expect(world.logged.map((line) => JSON.parse(line) as unknown)).toContainEqual(
    expect.objectContaining({ msg: 'a request failed', requestId: answer.body.requestId }),
  )
  await pool.query('drop trigger refuse on contact')
  expect(await make()).toMatchObject({ status: 201 })
})
