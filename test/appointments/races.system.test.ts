/** How long bookings take that are made at once. These tests measure real time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { bookableShop, type BookableShop } from '../support/bookable.ts'
import { createShop } from '../support/shop.ts'
import { createWorld, type World } from '../support/service.ts'
import { startStopwatch } from '../support/stopwatch.ts'

let world: World
let bookable: BookableShop
beforeAll(async () => {
  world = await createWorld({ databasePool: '8' })
  const shop = await createShop(world)
  bookable = await bookableShop(world, shop.companyId)
})
afterAll(() => world.close())

/** 10:00 in Riyadh, so many days after the first. */
const onDay = (day: number) => new Date(Date.parse('2026-11-22T07:00:00Z') + day * DAY_MS)

test('160 bookings of two resources each take no longer at once than one after the other', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => bookable.resource()))
  const rooms = await Promise.all(Array.from({ length: 4 }, () => bookable.resource('room')))
  const services: string[] = []
  for (const person of people) {
    for (const room of rooms) {
      const needs = [
        { id: person, role: 'doctor' },
        { id: room, role: 'room' },
      ]
      services.push(await bookable.service(needs))
    }
  }
  const alone: number[] = []
  for (let day = 1; day <= 5; day += 1) {
    const tookMs = startStopwatch()
    await bookable.book({ serviceId: services[0]!, startsAt: onDay(day) })
    alone.push(tookMs())
  }
  const tookMs = startStopwatch()
  await Promise.all(
    Array.from({ length: 160 }, (_, place) => {
      const startsAt = new Date(onDay(6).getTime() + (place % 5) * 30 * MINUTE_MS)
      return bookable.book({ serviceId: services[(place * 7) % services.length]!, startsAt })
    }),
  )
  // All were asked at once, so the last answer is the slowest.
  expect(tookMs()).toBeLessThan(Math.max(3_000, 160 * alone.toSorted((a, b) => a - b)[2]!))
})
