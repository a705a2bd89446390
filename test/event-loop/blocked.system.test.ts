/**
 * No single request, of an unauthenticated client or of a member, blocks the service for longer than 50 ms. The
 * requests are the most costly for each route, to a company whose lists are long. Spec: Hooks › Order of checks.
 */
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../support/own-folder.ts'
import { NODE, run } from '../../bench/flood-world.ts'
import { makeOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { signedIn } from '../support/dashboard.ts'
import { connectionUrl, createWorld } from '../support/test-service.ts'
import { createShop } from '../support/shop.ts'
import { createWebsite, openWidget } from '../support/visitors.ts'
import { measureBlocked, type Asked, type Blocked } from './measure.ts'
import { memberRequests } from './member-requests.ts'
import { knownRoutes, publicRoutes, unauthenticatedRequests } from './unauthenticated-requests.ts'
import { makeWorstCompany } from './worst-company.ts'

const MAX_MS = 50
/** Some thousand requests are made, which take minutes on a busy machine. */
const WITHIN_MS = 1_500_000

const encryptionKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`
const world = await createWorld({
  encryptionKeys,
  databasePool: '8',
  hasOwnDatabase: true,
  // The measured service uses the clock of the machine, so this one does too.
  clock: { now: () => new Date() },
})
const folder = makeFolder('blocked', afterAll)
const service = run('flood-service-process.ts', {
  DATABASE_URL: connectionUrl(world.database.connection),
  ENCRYPTION_KEYS: encryptionKeys,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  TRUSTED_PROXIES: '127.0.0.0/8',
  LOG_LEVEL: 'error',
  PORT: '0',
  ...NODE,
})
afterAll(async () => {
  await service.stop()
  await world.close()
})
const origin = `http://127.0.0.1:${(await service.line()).split(' ')[1]}`
const shop = await createShop(world)
const owner = await signedIn(world, shop)
const ids = await makeWorstCompany(world, shop, owner, {
  contacts: 20_000,
  messages: 2_000,
  others: 5_000,
})
const widget = await createWebsite(world, 'web_widget', { shop, owner })
const website = await createWebsite(world, 'website', { shop, owner })
const visitor = await openWidget(origin, widget.key)
await visitor.say('Hello')
const page = await addBookingPage(world, shop)
const optedOut = { contactId: ids.contactId!, broadcastId: world.service.context.ids.uuid() }
const open = {
  shop,
  widgetKey: widget.key,
  websiteKey: website.key,
  visitorToken: visitor.token,
  slug: page.slug,
  optOutToken: makeOptOutToken(world.service.keyRing, optedOut),
}

/** Returns the requests that block longer, the longest first, and prints the slowest ten routes. */
async function findBlocked(requests: Iterable<Asked>): Promise<Blocked[]> {
  const worst = new Map<string, Blocked>()
  for (const asked of requests) {
    const blocked = await measureBlocked(service, origin, asked, { maxMs: MAX_MS })
    if (blocked.ms > (worst.get(blocked.route)?.ms ?? -1)) worst.set(blocked.route, blocked)
  }
  const slowest = [...worst.values()].toSorted((one, other) => other.ms - one.ms)
  for (const { ms, route, status, what } of slowest.slice(0, TOLD)) {
    console.log(`${ms.toFixed(1)} ms ${route} ${status}: ${what}`)
  }
  return slowest.filter(({ ms }) => ms > MAX_MS)
}

const TOLD = 10

test('every public route is tried', () => {
  const tried = new Set(publicRoutes(open).map(({ route }) => route))
  expect(knownRoutes().filter((route) => !tried.has(route))).toEqual([])
})

test('no unauthenticated client blocks the service', { timeout: WITHIN_MS }, async () => {
  expect(await findBlocked(unauthenticatedRequests(open))).toEqual([])
})

test('no member blocks the service', { timeout: WITHIN_MS }, async () => {
  const requests = memberRequests({ ...ids, companyId: shop.companyId }, owner.token)
  expect(await findBlocked(requests)).toEqual([])
})
