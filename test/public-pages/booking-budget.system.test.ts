/**
 * Limits of one shop's page: many visitors may look at it concurrently, and none can keep it busy without end.
 * Spec: Limits › Public pages.
 */
import { expect, test } from 'vitest'
import { PAGE_LIMITS } from '../../src/core/limits/pages.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { addCompanies } from '../support/records/accounts.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { getPage } from '../support/pages.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld({ trustedProxies: '127.0.0.0/8' })

test('one page has a limit of views a minute over all addresses, and another shop’s page stays open', async () => {
  const shop = await createShop(world)
  const page = await addBookingPage(world, shop)
  const other = await addBookingPage(world, { ...(await createOwnShop(world)), slug: 'other-shop' })
  let asked = 0
  const ask = (url: string) =>
    getPage(url, { headers: { 'x-forwarded-for': `198.51.100.${(asked += 1) % 250}` } })
  const max = PAGE_LIMITS.bookingViewsPerMinute
  const statuses = new Set<number>()
  const batches = Array.from({ length: max / 50 }, (_, batch) => batch)
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

test('all pages of an account have twice the limit of one, and another account’s stay open', async () => {
  const shop = await createOwnShop(world)
  const projects = await addCompanies(world, shop, 4)
  const pages = await Promise.all(
    projects.map((companyId) => addBookingPage(world, { ...shop, companyId, slug: companyId })),
  )
  const other = await addBookingPage(world, { ...(await createOwnShop(world)), slug: 'beside' })
  let asked = 0
  const ask = ({ url }: { url: string }) =>
    getPage(url, { headers: { 'x-forwarded-for': `203.0.113.${(asked += 1) % 250}` } })
  const statuses = new Map<number, number>()
  // None of the pages comes near its own limit.
  for (let n = 0; n < PAGE_LIMITS.bookingViewsOfAccountPerMinute / 4 + 10; n += 1) {
    for (const { status } of await Promise.all(pages.map(ask))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  expect(Object.fromEntries(statuses)).toEqual({ 200: 1_200, 429: 40 })
  expect((await ask(other)).status).toBe(200)
}, 120_000)
