/** What anybody may ask of one shop's page: many at once look at it, and nobody makes it work without end. Spec: Limits › Public pages. */
import { expect, test } from 'vitest'
import { PAGE_LIMITS } from '../../src/limits/pages.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { askPage } from '../support/pages.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld({ trustedProxies: '127.0.0.0/8' })

test('one page is looked at so often a minute by all addresses together, and another shop’s stays open', async () => {
  const page = await addBookingPage(world, await createShop(world))
  const other = await addBookingPage(world, { ...(await createOwnShop(world)), slug: 'other-shop' })
  let asked = 0
  const ask = (url: string) =>
    askPage(url, { headers: { 'x-forwarded-for': `198.51.100.${(asked += 1) % 250}` } })
  const most = PAGE_LIMITS.bookingViewsPerMinute
  const statuses = new Set<number>()
  const batches = Array.from({ length: most / 50 }, (_, batch) => batch)
  for (const nth of batches) {
    const batch = await Promise.all(Array.from({ length: 50 }, () => ask(page.url)))
    for (const { status } of batch) statuses.add(status)
    expect(asked).toBe((nth + 1) * 50)
  }
  expect([...statuses]).toEqual([200])
  expect((await ask(page.url)).status).toBe(429)
  expect((await ask(other.url)).status).toBe(200)
  world.clock.advance(MINUTE_MS)
  expect((await ask(page.url)).status).toBe(200)
}, 60_000)
