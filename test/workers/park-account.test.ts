/** Waiting work of an account on hold is parked: no worker takes it, and it is the same once the account is released. */
import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { countActive, DUE_COLUMNS, parkWork, unparkWork } from '../../src/workers/park-account.ts'
import { bookableShop, booked } from '../support/bookable.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { dueColumns, dueTimes } from '../support/records/due-times.ts'
import { newPhone } from '../support/simulator.ts'

const { world, whatsApp } = await openWhatsApp()

test('every column of due times is parked', async () => {
  const parked = DUE_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  expect(parked.toSorted()).toEqual(await dueColumns(world))
})

test('parked work is left alone for a day, and is due at the same times once it is released', async () => {
  const { kysely } = world.service.context.db
  const shop = await whatsApp.openShop()
  await shop.runFor(newPhone())
  world.receiver.answerWith(500)
  await shop.runFor(newPhone())
  world.receiver.answerWith(204)
  const bookable = await bookableShop(world, shop.companyId)
  booked(
    await bookable.book({ serviceId: await bookable.ownService(), startsAt: bookable.aTime() }),
  )
  await whatsApp.settle()
  const before = await dueTimes(world)
  expect(Object.keys(before)).toEqual(['delivery_queue.due_at', 'run_queue.due_at'])
  const count = Object.values(before).flat().length
  expect(await countActive(kysely, shop.accountId)).toBe(count)
  expect(await parkWork(kysely, shop.accountId)).toBe(count)
  expect(await parkWork(kysely, shop.accountId)).toBe(0)
  expect(await countActive(kysely, shop.accountId)).toBe(0)
  const received = world.receiver.received.length
  world.clock.advance(DAY_MS)
  await whatsApp.settle()
  expect(world.receiver.received).toHaveLength(received)
  world.clock.advance(-DAY_MS)

  expect(await unparkWork(kysely, shop.accountId)).toBe(count)
  expect(await dueTimes(world)).toEqual(before)
  expect(await unparkWork(kysely, shop.accountId)).toBe(0)
  world.clock.advance(2 * DAY_MS)
  await whatsApp.settle()
  expect(world.receiver.received.length).toBeGreaterThan(received)
})
