/** The database that a worker keeps between test files: the next file finds what a fresh copy would hold. */
import { expect, test } from 'vitest'
import { LEFT_BEHIND, leaveBehind, leaveTransactionOpen } from '../support/leave-behind.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'

const nameOf = ({ database }: World) => database.connection.database

test('the next world has the database of the one before, without its rows', async () => {
  const first = await createWorld()
  const shop = await createShop(first)
  const name = nameOf(first)
  await first.close()
  const next = await createWorld()
  expect(nameOf(next)).toBe(name)
  // A number belongs to one shop, so the first one would be in the way of the second.
  const again = await createShop(next, { phoneNumberId: shop.phoneNumberId })
  expect(again.companyId).not.toBe(shop.companyId)
  await next.close()
})

test.each(LEFT_BEHIND)(
  'a database in which a test has left a new %s is not given to the next',
  async (what) => {
    const first = await createWorld()
    const name = nameOf(first)
    await leaveBehind(first, what)
    await first.close()
    const next = await createWorld()
    expect(nameOf(next)).not.toBe(name)
    await next.close()
  },
)

test('a database with a transaction that a test has left open is not given to the next', async () => {
  const first = await createWorld()
  const name = nameOf(first)
  const { pool } = first.database.db
  const release = await leaveTransactionOpen(first)
  const closing = first.close()
  await waitUntil('the database is given up', () => pool.ending || pool.idleCount > 0)
  release()
  await closing
  const next = await createWorld()
  expect(nameOf(next)).not.toBe(name)
  await next.close()
})
