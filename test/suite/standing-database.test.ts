/** The database that a worker keeps between test files: the next file finds what a fresh copy would hold. */
import { expect, test } from 'vitest'
import { LEFT_BEHIND, leaveBehind, leaveTransactionOpen } from '../support/leave-behind.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { createShop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'

const nameOf = ({ database }: World) => database.connection.database

test('a database is given to the next world without its rows', async () => {
  const names = new Set<string | undefined>()
  // The first one may have been used for the last time.
  for (let nth = 0; nth < 3; nth += 1) {
    const world = await createWorld()
    names.add(nameOf(world))
    // A number belongs to one shop, so a shop that was left behind would conflict with the next.
    await createShop(world)
    await world.close()
  }
  expect(names.size).toBeLessThan(3)
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
