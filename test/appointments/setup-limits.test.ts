/** What a company sets up to be booked has an end. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOOKING_SETUP_LIMITS } from '../../src/limits/appointments.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(() => world.close())

const DAY = { firstDay: '2027-02-08', lastDay: '2027-02-08', hours: null }

test.each([
  ['services', BOOKING_SETUP_LIMITS.services, { name: 'Cut', minutes: 30, needs: [] }],
  ['resources', BOOKING_SETUP_LIMITS.resources, { name: 'Room', kind: 'room' }],
  ['opening-changes', BOOKING_SETUP_LIMITS.openingChanges, DAY],
])('of %s there are so many, and no more', async (noun, most, one) => {
  const at = `/companies/${shop.companyId}/${noun}`
  const table = { services: 'service', resources: 'resource' }[noun] ?? 'opening_change'
  const { body } = await owner.ask<{ id: string }>('POST', at, one)
  await sql`insert into ${sql.table(table)}
    select (jsonb_populate_record(made, jsonb_build_object('id', gen_random_uuid()))).*
    from ${sql.table(table)} made, generate_series(1, ${most - 2}::int)
    where made.id = ${body.id}`.execute(world.database.db.kysely)
  expect((await owner.ask('POST', at, one)).status).toBe(201)
  const full = await owner.ask('POST', at, one)
  const reason = `too_many_${noun.replace('-', '_')}`
  expect([full.status, full.body]).toMatchObject([409, { reason, params: { most } }])
})
