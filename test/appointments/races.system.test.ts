/** The time that concurrent bookings take. These tests measure real time. */
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { bookableShop, later } from '../support/bookable.ts'
import { createShop } from '../support/shop.ts'
import { startStopwatch } from '../support/stopwatch.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld({ databasePool: '8' })
const shop = await createShop(world)
const bookable = await bookableShop(world, shop.companyId)

const { aTime } = bookable

test('160 concurrent bookings of two resources each take no longer than one after the other', async () => {
  const services = await bookable.everyPair(4)
  const alone: number[] = []
  for (let day = 1; day <= 5; day += 1) {
    const tookMs = startStopwatch()
    await bookable.book({ serviceId: services[0]!, startsAt: aTime() })
    alone.push(tookMs())
  }
  const tookMs = startStopwatch()
  const first = aTime()
  await Promise.all(
    Array.from({ length: 160 }, (_, place) => {
      const startsAt = later(first, (place % 5) * 30 * MINUTE_MS)
      return bookable.book({ serviceId: services[(place * 7) % services.length]!, startsAt })
    }),
  )
  // All requests were sent together, so the last answer is the slowest.
  expect(tookMs()).toBeLessThan(Math.max(3_000, 160 * alone.toSorted((a, b) => a - b)[2]!))
})
