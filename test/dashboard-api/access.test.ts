import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import { assertAccessDeclared, signedIn as onlyFor } from '../../src/http/dashboard-api/access.ts'
import { nouns } from '../../src/http/dashboard-api/app.ts'
import type { DashboardEnv } from '../../src/http/dashboard-api/env.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { ROLES, type Role } from '../../src/vocabulary/accounts.ts'
import { askApi, signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

const ROUTES = assertAccessDeclared(nouns)
const SOME_ID = '01890000-0000-7000-8000-000000000000'

let world: World
let shop: Shop
const members = {} as Record<Role, Member>
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  for (const role of ROLES) {
    members[role] = await signedIn(world, { accountId: shop.accountId, role })
  }
})
afterAll(() => world.close())

/** The route with ids filled in: this shop's company, and nothing else that exists. */
function pathOf(path: string, companyId = shop.companyId): string {
  return path.replaceAll(/:\w+/g, (name) => (name === ':companyId' ? companyId : SOME_ID))
}

test('no route answers without a session, but for signing in, set-up, invitations, a forgotten password and what comes before them', async () => {
  const open = ROUTES.filter(({ access }) => !access.session).map(
    ({ method, path }) => `${method} ${path}`,
  )
  expect(open).toEqual([
    'GET /dashboard',
    'POST /setup',
    'POST /session',
    'GET /sign-in',
    'POST /session/second-factor',
    'POST /password-reset',
    'POST /password-reset/read',
    'POST /password-reset/choose',
    'POST /demonstration/session',
    'POST /invitations/read',
    'POST /invitations/accept',
  ])
  for (const { method, path, access } of ROUTES) {
    if (!access.session) continue
    const json = method === 'GET' || method === 'DELETE' ? undefined : {}
    for (const headers of [{}, { authorization: `Bearer ${'x'.repeat(43)}` }]) {
      const answer = await askApi(world.url, method, pathOf(path), { json, headers })
      expect([method, path, answer.status, answer.body.code]).toEqual([
        method,
        path,
        401,
        'not_signed_in',
      ])
    }
  }
})

test('a role that a route does not name is refused, before the input is looked at', async () => {
  for (const { method, path, access } of ROUTES) {
    for (const role of ROLES) {
      if (!access.session || access.roles.includes(role)) continue
      const json = method === 'GET' || method === 'DELETE' ? undefined : { nonsense: true }
      const answer = await members[role].ask(method, pathOf(path), json)
      expect([method, path, role, answer.body.code]).toEqual([method, path, role, 'forbidden'])
    }
  }
})

test('a company of another account is not found, on every route under a company', async () => {
  const other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
  const underCompany = ROUTES.filter(({ path }) => path.startsWith('/companies/:companyId'))
  expect(underCompany.length).toBeGreaterThan(0)
  for (const { method, path } of underCompany) {
    const json = method === 'GET' || method === 'DELETE' ? undefined : {}
    for (const companyId of [other.companyId, SOME_ID, 'no-id']) {
      const answer = await members.owner.ask(method, pathOf(path, companyId), json)
      expect([method, path, answer.status, answer.body.code]).toEqual([
        method,
        path,
        404,
        'not_found',
      ])
    }
  }
})

test('the account of another is neither seen nor listed', async () => {
  const other = await createShop(world, { phoneNumberId: '3', businessAccountId: '3' })
  const stranger = await signedIn(world, { accountId: other.accountId })
  const list = await stranger.ask<{ items: CompanyView[] }>('GET', '/companies')
  expect(list.body.items.map(({ id }) => id)).toEqual([other.companyId])
  const filtered = await stranger.ask<{ items: unknown[] }>(
    'GET',
    `/audit?companyId=${shop.companyId}`,
  )
  expect(filtered.body.items).toEqual([])
})

describe('a route that does not declare who may use it', () => {
  test('ends the start', () => {
    const app = new Hono<DashboardEnv>().get('/things', (c) => c.json([]))
    expect(() => assertAccessDeclared(app)).toThrow('GET /things does not say who may use it')
  })

  test('also when it declares it too late', () => {
    const app = new Hono<DashboardEnv>().get(
      '/things',
      async (_c, next) => {
        await next()
      },
      onlyFor('owner'),
      (c) => c.json([]),
    )
    expect(() => assertAccessDeclared(app)).toThrow('GET /things does not say who may use it')
  })
})

/** Written out, so that a route which asks for it no more is seen here. */
const WANT_PASSWORD = [
  'PUT /account/second-factor',
  'POST /invitations',
  'PATCH /members/:memberId',
  'DELETE /members/:memberId',
  'POST /me/second-factor/begin',
  'POST /me/second-factor/confirm',
  'POST /me/second-factor/switch-off',
  'POST /me/second-factor/recovery-codes',
  'POST /models',
  'POST /companies/:companyId/calendar-links',
  'POST /companies/:companyId/channels',
  'POST /companies/:companyId/connections',
  'POST /companies/:companyId/endpoints',
  'POST /companies/:companyId/endpoints/:endpointId/secret/rotate',
  'POST /companies/:companyId/endpoints/:endpointId/secret/retire-old',
  'POST /companies/:companyId/hook-urls',
  'POST /companies/:companyId/hook-urls/:hookUrlId/replace',
]

test('what makes, shows or replaces a secret, and what changes who is a member, needs a password entered lately', async () => {
  const owner = await signedIn(world, { accountId: shop.accountId })
  world.clock.advance(15 * MINUTE_MS + 1)
  const known = ROUTES.map(({ method, path }) => `${method} ${path}`)
  const answers: string[] = []
  for (const route of WANT_PASSWORD) {
    const [method = '', path = ''] = route.split(' ')
    const json = method === 'DELETE' ? undefined : {}
    const { body } = await owner.ask(method, pathOf(path), json)
    answers.push(`${route}: ${known.includes(route) ? body.code : 'no route'}`)
  }
  expect(answers).toEqual(WANT_PASSWORD.map((route) => `${route}: password_needed`))
})
