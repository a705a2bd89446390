/** Web pages that the assistant knows: fetched, fetched again, and refused. Spec: Assistant › Knowledge. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { SourceView } from '../../src/contract/dashboard/knowledge.ts'
import { KNOWLEDGE_LIMITS } from '../../src/core/limits/knowledge.ts'
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { findsBy, knowledgeOf, sourceOf } from '../support/knowledge.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { startShopApi, type ApiRequest } from '../support/shop-api.ts'
import type { Shop } from '../support/shop.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

type Page = { status?: number; headers?: Record<string, string>; body?: string | Buffer }

let shop: Shop
let owner: Member
let sources: string
/** The responses of the site by path; any other path is not found. */
let pages: Record<string, Page | ((request: ApiRequest) => Page)>

const world = await openWorld()
const site = await startShopApi(world)
afterAll(() => site.close())
beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
  sources = `${knowledgeOf(shop)}/sources`
  pages = {}
  site.requests.length = 0
  site.reply((request, response) => {
    const page = pages[request.url] ?? { status: 404 }
    const answer = typeof page === 'function' ? page(request) : page
    const { status = 200, headers = {}, body = '' } = answer
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  })
})

const urlOf = (path: string) => new URL(path, site.baseUrl).href
const html = (title: string, text: string) => ({
  body: `<title>${title}</title><h1>${title}</h1><p>${text}</p>`,
})
const OLD = html('Hours', 'Nine to five.')
const NEW = html('Hours', 'Ten to noon.')

/** Moves the clock and processes what is due. A session that is too old by then is replaced. */
async function after(ms: number): Promise<void> {
  world.clock.advance(ms)
  await world.service.processAll()
  owner = await signedIn(world, shop)
}

async function addPage(path: string): Promise<string> {
  const page = { kind: 'page', url: urlOf(path) }
  const { body, status } = await owner.ask<SourceView>('POST', sources, page)
  expect(status).toBe(201)
  await world.service.processAll()
  return body.id
}

async function failureOf(path: string): Promise<string | undefined> {
  const { state, error } = await sourceOf(owner, shop, await addPage(path))
  return state === 'failed' ? error?.code : state
}

const finds = (question: string) => findsBy(owner, shop, question)
const requestedUrls = () => site.requests.map(({ url }) => url)

systemTest('a page is fetched, found, and named by its title', async () => {
  pages['/hours'] = html('Opening hours', 'Nine to five.')
  const source = await sourceOf(owner, shop, await addPage('/hours'))
  expect(source).toMatchObject({ state: 'ready', title: 'Opening hours', chunks: 1, error: null })
  expect(await finds('hours')).toEqual(['Opening hours'])
  expect(requestedUrls()).toEqual(['/robots.txt', '/hours'])
  expect(site.requests[1]!.headers['user-agent']).toBe('WaslaBot/1.0')
})

systemDescribe('A page that is fetched again', () => {
  /** Sets the site's page on its hours, and adds it to the company's sources. */
  const added = async (page: Page = OLD) => {
    pages['/hours'] = page
    return addPage('/hours')
  }

  test('keeps a name that a member gave it, whatever it calls itself, and is found by it', async () => {
    const id = await added(html('Welcome', 'Nine to five.'))
    const named = { title: 'Opening hours' }
    await owner.ask('PATCH', `${sources}/${id}`, named)
    await world.service.processAll()
    expect(await sourceOf(owner, shop, id)).toMatchObject({ state: 'ready', ...named })
    pages['/hours'] = html('Welcome back', 'Ten to noon.')
    await after(DAY_MS)
    expect(await sourceOf(owner, shop, id)).toMatchObject({ state: 'ready', ...named })
    // The question finds it by its new name, and by the text of the page itself.
    for (const question of ['opening', 'noon']) {
      expect(await finds(question)).toEqual(['Welcome back'])
    }
  })

  test('has its current text found every day, also after a day without a change', async () => {
    const id = await added()
    await after(DAY_MS)
    const { state, fetchedAt } = await sourceOf(owner, shop, id)
    expect([state, fetchedAt]).toEqual(['ready', world.clock.now().toISOString()])
    pages['/hours'] = NEW
    await after(DAY_MS - 1_000)
    expect(await finds('noon')).toEqual([])
    await after(1_000)
    expect(await finds('noon')).toEqual(['Hours'])
    const again = await sourceOf(owner, shop, id)
    expect(again.fetchedAt).toBe(world.clock.now().toISOString())
  })

  test('keeps its old text when it is gone, and reports that; it is tried again', async () => {
    const id = await added()
    delete pages['/hours']
    await after(DAY_MS)
    const failed = await sourceOf(owner, shop, id)
    const error = { code: 'page_status', params: { status: 404 } }
    expect(failed).toMatchObject({ state: 'failed', chunks: 1, error })
    expect(await finds('hours')).toEqual(['Hours'])
    pages['/hours'] = NEW
    await after(Date.parse(failed.dueAt!) - world.clock.now().getTime())
    expect(await sourceOf(owner, shop, id)).toMatchObject({ state: 'ready', error: null })
    expect(await finds('noon')).toEqual(['Hours'])
  })

  test('is tried after 10 minutes, an hour and 6 hours, then daily, while it cannot be fetched', async () => {
    const id = await added({ status: 503 })
    const untilNext = async () => {
      const { dueAt } = await sourceOf(owner, shop, id)
      return (Date.parse(dueAt!) - world.clock.now().getTime()) / MINUTE_MS
    }
    for (const minutes of [10, 60, 360, 1_440, 1_440]) {
      expect(await untilNext()).toBe(minutes)
      await after(minutes * MINUTE_MS)
    }
    pages['/hours'] = OLD
    await after(DAY_MS)
    expect(await untilNext()).toBe(1_440)
    pages['/hours'] = { status: 503 }
    await after(DAY_MS)
    expect(await untilNext()).toBe(10)
  })

  test('is fetched immediately by “Read again”', async () => {
    const id = await added()
    pages['/hours'] = NEW
    expect((await owner.ask('POST', `${sources}/${id}/read`)).status).toBe(202)
    await world.service.processAll()
    expect(await finds('noon')).toEqual(['Hours'])
  })
})

systemDescribe('A page', () => {
  test('is read behind three redirects, and not behind a fourth', async () => {
    const to = (location: string): Page => ({ status: 302, headers: { location } })
    pages['/1'] = to('/2')
    pages['/2'] = to(urlOf('/3'))
    pages['/3'] = to('/hours')
    pages['/hours'] = OLD
    expect(await failureOf('/1')).toBe('ready')
    pages['/0'] = to('/1')
    expect(await failureOf('/0')).toBe('page_too_many_redirects')
  })

  test('is unpacked when it is compressed, and loses characters of its title that no column can hold', async () => {
    const { body } = html('Opening\0 hours', 'Nine to five.')
    pages['/hours'] = { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } }
    const source = await sourceOf(owner, shop, await addPage('/hours'))
    expect(source).toMatchObject({ state: 'ready', title: 'Opening\ufffd hours' })
  })

  test('has an address of 2,048 characters at most', async () => {
    const start = urlOf('/')
    const longest = start + 'a'.repeat(KNOWLEDGE_LIMITS.urlChars - start.length)
    const { pathname } = new URL(longest)
    pages[pathname] = OLD
    expect(await failureOf(pathname)).toBe('ready')
    const tooLong = { kind: 'page', url: `${longest}a` }
    expect(await owner.ask('POST', sources, tooLong)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'url', code: 'url_too_long', params: { max: 2_048 } }] },
    })
  })
})

describe('A refused address', () => {
  test.each([
    ['inside', 'https://10.0.0.5/secrets', 'address_not_public'],
    ['inside by name', 'https://localhost/secrets', 'host_not_public'],
    ['without TLS', 'http://shop.example/', 'page_redirect_unusable'],
  ])('a redirect %s is not followed', async (_where, location, code) => {
    pages['/out'] = { status: 302, headers: { location } }
    expect(await failureOf('/out')).toBe(code)
  })

  test('robots.txt is obeyed, and fetched before the page', async () => {
    pages['/robots.txt'] = { body: 'User-agent: *\nDisallow: /private' }
    pages['/private/x'] = OLD
    expect(await failureOf('/private/x')).toBe('page_forbids_robots')
    expect(requestedUrls()).toEqual(['/robots.txt'])
    pages['/public'] = { status: 302, headers: { location: '/private/x' } }
    expect(await failureOf('/public')).toBe('page_forbids_robots')
  })

  test('the page is not read when robots.txt cannot be fetched', async () => {
    pages['/robots.txt'] = { status: 503 }
    pages['/hours'] = OLD
    expect(await failureOf('/hours')).toBe('page_status')
    expect(requestedUrls()).toEqual(['/robots.txt'])
  })

  const BOMB = gzipSync(Buffer.alloc(50_000_000))
  systemTest.each<[string, Page, string]>([
    ['more than 2 MB', { body: 'a'.repeat(KNOWLEDGE_LIMITS.pageBytes + 1) }, 'page_too_large'],
    [
      'a bomb that unpacks to more',
      { body: BOMB, headers: { 'content-encoding': 'gzip' } },
      'page_too_large',
    ],
    ['no page', { headers: { 'content-type': 'image/png' }, body: 'x' }, 'page_type'],
    ['another encoding', { headers: { 'content-encoding': 'zstd' }, body: 'x' }, 'page_encoding'],
    ['a fault of the site', { status: 503 }, 'page_status'],
    ['no words', { body: '<script>x</script>' }, 'source_empty'],
  ])('%s is reported', async (_what, page, code) => {
    pages['/x'] = page
    expect(await failureOf('/x')).toBe(code)
  })

  test.each(['https://10.0.0.1/', 'shop'])('%s is refused when it is added', async (url) => {
    const answer = await owner.ask('POST', sources, { kind: 'page', url })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'url' }] } })
  })
})
