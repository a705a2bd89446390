import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SourceView } from '../../src/contract/dashboard/knowledge.ts'
import { KNOWLEDGE_LIMITS } from '../../src/limits/knowledge.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { findsBy, knowledgeOf, sourceOf } from '../support/knowledge.ts'
import { createWorld, type World } from '../support/service.ts'
import { startShopApi, type ApiRequest, type ShopApi } from '../support/shop-api.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { createRandom } from '../support/random.ts'
import { systemTest } from '../support/system-tests.ts'

const random = createRandom('pages')

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

type Page = { status?: number; headers?: Record<string, string>; body?: string | Buffer }

let world: World
let site: ShopApi
let shop: Shop
let owner: Member
/** What the site answers by path; any other is not there. */
let pages: Record<string, Page | ((request: ApiRequest) => Page)>

beforeAll(async () => {
  world = await createWorld()
  site = await startShopApi(world)
})
afterAll(async () => {
  await site.close()
  await world.close()
})
beforeEach(async () => {
  shop = await createShop(world, { phoneNumberId: String(random()).slice(2) })
  owner = await signedIn(world, shop)
  pages = {}
  site.requests.length = 0
  site.reply((request, response) => {
    const page = pages[request.url] ?? { status: 404 }
    const {
      status = 200,
      headers = {},
      body = '',
    } = typeof page === 'function' ? page(request) : page
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  })
})

const urlOf = (path: string) => new URL(path, site.baseUrl).href
const html = (title: string, text: string) =>
  `<title>${title}</title><h1>${title}</h1><p>${text}</p>`

/** Later, what is due is done. Whoever was signed in for too long signs in again. */
async function after(ms: number): Promise<void> {
  world.clock.advance(ms)
  await world.service.processAll()
  owner = await signedIn(world, shop)
}

async function addPage(path: string): Promise<string> {
  const { body, status } = await owner.ask<SourceView>('POST', `${knowledgeOf(shop)}/sources`, {
    kind: 'page',
    url: urlOf(path),
  })
  expect(status).toBe(201)
  await world.service.processAll()
  return body.id
}

async function failureOf(path: string): Promise<string | undefined> {
  const { state, error } = await sourceOf(owner, shop, await addPage(path))
  return state === 'failed' ? error?.code : state
}

describe('Assistant › Knowledge: web pages', () => {
  test('a page is fetched, found, and named by its title', async () => {
    pages['/hours'] = { body: html('Opening hours', 'Nine to five.') }
    const id = await addPage('/hours')
    const source = await sourceOf(owner, shop, id)
    expect(source).toMatchObject({ state: 'ready', title: 'Opening hours', chunks: 1, error: null })
    expect(await findsBy(owner, shop, 'hours')).toEqual(['Opening hours'])
    expect(site.requests.map(({ url }) => url)).toEqual(['/robots.txt', '/hours'])
    expect(site.requests[1]!.headers['user-agent']).toBe('WaslaBot/1.0')
  })

  systemTest('a title that no column can hold is told without what it cannot', async () => {
    pages['/hours'] = { body: html('Opening\0 hours', 'Nine to five.') }
    const source = await sourceOf(owner, shop, await addPage('/hours'))
    expect(source).toMatchObject({ state: 'ready', title: 'Opening\ufffd hours' })
  })

  systemTest(
    'a name that a member gives it stays, whatever it calls itself, and finds it',
    async () => {
      pages['/hours'] = { body: html('Welcome', 'Nine to five.') }
      const id = await addPage('/hours')
      const named = { title: 'Opening hours' }
      await owner.ask('PATCH', `${knowledgeOf(shop)}/sources/${id}`, named)
      await world.service.processAll()
      expect(await sourceOf(owner, shop, id)).toMatchObject({ state: 'ready', ...named })
      pages['/hours'] = { body: html('Welcome back', 'Ten to noon.') }
      await after(DAY_MS)
      expect(await sourceOf(owner, shop, id)).toMatchObject({ state: 'ready', ...named })
      // By its new name, and as what the page itself says there.
      expect(await findsBy(owner, shop, 'opening')).toEqual(['Welcome back'])
      expect(await findsBy(owner, shop, 'noon')).toEqual(['Welcome back'])
    },
  )

  systemTest('it is fetched again every day, and what it says then is found', async () => {
    pages['/hours'] = { body: html('Hours', 'Nine to five.') }
    const id = await addPage('/hours')
    pages['/hours'] = { body: html('Hours', 'Ten to noon.') }
    await after(DAY_MS - 1_000)
    expect(await findsBy(owner, shop, 'noon')).toEqual([])
    await after(1_000)
    expect(await findsBy(owner, shop, 'noon')).toEqual(['Hours'])
    const { fetchedAt } = await sourceOf(owner, shop, id)
    expect(fetchedAt).toBe(world.clock.now().toISOString())
  })

  systemTest('one that says what it said is fetched again the day after too', async () => {
    pages['/hours'] = { body: html('Hours', 'Nine to five.') }
    const id = await addPage('/hours')
    await after(DAY_MS)
    const { state, fetchedAt } = await sourceOf(owner, shop, id)
    expect([state, fetchedAt]).toEqual(['ready', world.clock.now().toISOString()])
    pages['/hours'] = { body: html('Hours', 'Ten to noon.') }
    await after(DAY_MS)
    expect(await findsBy(owner, shop, 'noon')).toEqual(['Hours'])
  })

  systemTest('a page that is gone keeps its old text, and says so; it is tried again', async () => {
    pages['/hours'] = { body: html('Hours', 'Nine to five.') }
    const id = await addPage('/hours')
    delete pages['/hours']
    await after(DAY_MS)
    const failed = await sourceOf(owner, shop, id)
    expect(failed).toMatchObject({ state: 'failed', chunks: 1, error: { code: 'page_status' } })
    expect(failed.error?.params).toEqual({ status: 404 })
    expect(await findsBy(owner, shop, 'hours')).toEqual(['Hours'])
    pages['/hours'] = { body: html('Hours', 'Ten to noon.') }
    await after(Date.parse(failed.dueAt!) - world.clock.now().getTime())
    expect(await sourceOf(owner, shop, id)).toMatchObject({ state: 'ready', error: null })
    expect(await findsBy(owner, shop, 'noon')).toEqual(['Hours'])
  })

  systemTest(
    'one that cannot be fetched is tried again after 10 minutes, an hour and 6 hours, then daily',
    async () => {
      pages['/hours'] = { status: 503 }
      const id = await addPage('/hours')
      const untilNext = async () => {
        const { dueAt } = await sourceOf(owner, shop, id)
        return (Date.parse(dueAt!) - world.clock.now().getTime()) / MINUTE_MS
      }
      for (const minutes of [10, 60, 360, 1_440, 1_440]) {
        expect(await untilNext()).toBe(minutes)
        await after(minutes * MINUTE_MS)
      }
      pages['/hours'] = { body: html('Hours', 'Nine to five.') }
      await after(DAY_MS)
      expect(await untilNext()).toBe(1_440)
      pages['/hours'] = { status: 503 }
      await after(DAY_MS)
      expect(await untilNext()).toBe(10)
    },
  )

  systemTest('“Read again” fetches it at once', async () => {
    pages['/hours'] = { body: html('Hours', 'Nine to five.') }
    const id = await addPage('/hours')
    pages['/hours'] = { body: html('Hours', 'Ten to noon.') }
    const again = await owner.ask('POST', `${knowledgeOf(shop)}/sources/${id}/read`)
    expect(again.status).toBe(202)
    await world.service.processAll()
    expect(await findsBy(owner, shop, 'noon')).toEqual(['Hours'])
  })

  systemTest('three redirects are followed, a fourth is not', async () => {
    const to = (location: string): Page => ({ status: 302, headers: { location } })
    pages['/1'] = to('/2')
    pages['/2'] = to(urlOf('/3'))
    pages['/3'] = to('/hours')
    pages['/hours'] = { body: html('Hours', 'Nine.') }
    expect(await failureOf('/1')).toBe('ready')
    pages['/0'] = to('/1')
    expect(await failureOf('/0')).toBe('page_too_many_redirects')
  })

  test.each([
    ['inside', 'https://10.0.0.5/secrets', 'address_not_public'],
    ['inside by name', 'https://localhost/secrets', 'host_not_public'],
    ['without TLS', 'http://shop.example/', 'page_redirect_unusable'],
    ['with a password', 'https://a:b@shop.example/', 'page_redirect_unusable'],
    ['of another kind', 'file:///etc/passwd', 'page_redirect_unusable'],
  ])('a redirect %s is not followed', async (_where, location, code) => {
    pages['/out'] = { status: 302, headers: { location } }
    const failure = await failureOf('/out')
    expect(failure).toBe(code)
  })

  test('robots.txt is obeyed, and asked before the page', async () => {
    pages['/robots.txt'] = { body: 'User-agent: *\nDisallow: /private' }
    pages['/private/x'] = { body: html('Private', 'Nothing.') }
    expect(await failureOf('/private/x')).toBe('page_forbids_robots')
    expect(site.requests.map(({ url }) => url)).toEqual(['/robots.txt'])
    pages['/public'] = { status: 302, headers: { location: '/private/x' } }
    expect(await failureOf('/public')).toBe('page_forbids_robots')
  })

  test('where nobody can say what robots.txt allows, the page is not read', async () => {
    pages['/robots.txt'] = { status: 503 }
    pages['/hours'] = { body: html('Hours', 'Nine.') }
    expect(await failureOf('/hours')).toBe('page_status')
    expect(site.requests.map(({ url }) => url)).toEqual(['/robots.txt'])
  })

  test.each<[string, Page, string]>([
    ['more than 2 MB', { body: 'a'.repeat(KNOWLEDGE_LIMITS.pageBytes + 1) }, 'page_too_large'],
    [
      'a bomb that unpacks to more',
      {
        body: gzipSync(Buffer.alloc(50_000_000)),
        headers: { 'content-encoding': 'gzip' },
      },
      'page_too_large',
    ],
    ['no page', { headers: { 'content-type': 'image/png' }, body: 'x' }, 'page_type'],
    ['another encoding', { headers: { 'content-encoding': 'zstd' }, body: 'x' }, 'page_encoding'],
    ['a fault of the site', { status: 503 }, 'page_status'],
    ['no words', { body: '<script>x</script>' }, 'source_empty'],
  ])('%s is told so', async (_what, page, code) => {
    pages['/x'] = page
    expect(await failureOf('/x')).toBe(code)
  })

  systemTest('a packed page is unpacked', async () => {
    const body = gzipSync(html('Hours', 'Nine to five.'))
    pages['/hours'] = { body, headers: { 'content-encoding': 'gzip' } }
    expect(await failureOf('/hours')).toBe('ready')
  })

  systemTest('an address has 2,048 characters at most', async () => {
    const start = urlOf('/')
    const longest = start + 'a'.repeat(KNOWLEDGE_LIMITS.urlChars - start.length)
    pages[new URL(longest).pathname] = { body: html('Hours', 'Nine to five.') }
    expect(await failureOf(new URL(longest).pathname)).toBe('ready')
    const tooLong = { kind: 'page', url: `${longest}a` }
    expect(await owner.ask('POST', `${knowledgeOf(shop)}/sources`, tooLong)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'url', code: 'url_too_long', params: { most: 2_048 } }] },
    })
  })

  test.each([
    'http://shop.example/',
    'https://10.0.0.1/',
    'https://localhost/',
    'shop',
    'file:///x',
  ])('%s is refused when it is added', async (url) => {
    const answer = await owner.ask('POST', `${knowledgeOf(shop)}/sources`, { kind: 'page', url })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ errors: [{ field: 'url' }] })
  })
})
