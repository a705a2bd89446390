/** The roles that may use each route of the API. Spec: Concepts › Roles. */
import { Hono, type MiddlewareHandler } from 'hono'
import { describe, expect, test } from 'vitest'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import { assertAccessDeclared, signedIn as onlyFor } from '../../src/http/dashboard-api/access.ts'
import { routeGroups } from '../../src/http/dashboard-api/app.ts'
import type { DashboardEnv } from '../../src/http/dashboard-api/env.ts'
import { ROLES, type Role } from '../../src/core/vocabulary/accounts.ts'
import { apiRequest, signedIn, type Member } from '../support/dashboard.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

const ROUTES = assertAccessDeclared(routeGroups)
const SOME_ID = '01890000-0000-7000-8000-000000000000'

const members = {} as Record<Role, Member>
const world = await openWorld()
const shop = await createShop(world)
for (const role of ROLES) {
  members[role] = await signedIn(world, { accountId: shop.accountId, role })
}

/** The route with ids filled in: this shop's company, and nothing else that exists. */
function pathOf(path: string, companyId = shop.companyId): string {
  return path.replaceAll(/:\w+/g, (name) => (name === ':companyId' ? companyId : SOME_ID))
}

test('no route answers without a session, except sign-in, set-up, invitations and password resets', async () => {
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
      const answer = await apiRequest(world.url, method, pathOf(path), { json, headers })
      const told = [method, path, answer.status, answer.body.code]
      expect(told).toEqual([method, path, 401, 'not_signed_in'])
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
  const other = await createOwnShop(world)
  const underCompany = ROUTES.filter(({ path }) => path.startsWith('/companies/:companyId'))
  expect(underCompany.length).toBeGreaterThan(0)
  for (const { method, path } of underCompany) {
    const json = method === 'GET' || method === 'DELETE' ? undefined : {}
    for (const companyId of [other.companyId, SOME_ID, 'no-id']) {
      const answer = await members.owner.ask(method, pathOf(path, companyId), json)
      const told = [method, path, answer.status, answer.body.code]
      expect(told).toEqual([method, path, 404, 'not_found'])
    }
  }
})

test('another account is neither seen nor listed', async () => {
  const { shop: other, owner: stranger } = await ownedShop(world)
  const list = await stranger.ask<{ items: CompanyView[] }>('GET', '/companies')
  expect(list.body.items.map(({ id }) => id)).toEqual([other.companyId])
  const audit = `/audit?companyId=${shop.companyId}`
  expect((await stranger.ask<{ items: unknown[] }>('GET', audit)).body.items).toEqual([])
})

test('a route that does not declare who may use it, or declares it too late, makes the start fail', () => {
  const app = () => new Hono<DashboardEnv>()
  const never = app().get('/things', (c) => c.json([]))
  const pass: MiddlewareHandler<DashboardEnv> = (_c, next) => next()
  const late = app().get('/things', pass, onlyFor('owner'), (c) => c.json([]))
  for (const wrong of [never, late]) {
    expect(() => assertAccessDeclared(wrong)).toThrow('GET /things does not say who may use it')
  }
})

/** The list is written out, so that a route which opens itself to an Agent is noticed here. */
const NOT_FOR_AGENTS = Object.entries({
  endpoints: 'GET POST',
  'endpoints/:id': 'GET PATCH DELETE',
  'endpoints/:id/switch-on': 'POST',
  'endpoints/:id/switch-off': 'POST',
  'endpoints/:id/secret/rotate': 'POST',
  'endpoints/:id/secret/retire-old': 'POST',
  'endpoints/:id/tests': 'POST',
  'hook-urls': 'GET POST',
  'hook-urls/:id': 'GET DELETE',
  'hook-urls/:id/replace': 'POST',
  'hook-urls/:id/shape': 'GET',
  connections: 'GET POST',
  'connections/:id': 'GET PATCH DELETE',
  'connections/:id/switch-on': 'POST',
  'connections/:id/switch-off': 'POST',
  'connections/:id/test': 'POST',
  'connection-figures': 'GET',
  calls: 'GET',
  channels: 'GET POST',
  'channels/:id': 'GET PATCH DELETE',
  templates: 'GET',
  deliveries: 'GET',
  'deliveries/count': 'GET',
  'deliveries/views': 'GET',
  'deliveries/:id': 'GET',
  'deliveries/:id/resend': 'POST',
  'delivery-exports': 'POST',
  actions: 'GET POST',
  'actions/:id': 'GET PATCH DELETE',
  'actions/:id/test': 'POST',
  'flows/:id': 'PATCH DELETE',
  'flows/:id/draft': 'PUT',
  'flows/:id/draft/check': 'GET',
  'flows/:id/publish': 'POST',
  'flows/:id/test-runs': 'POST',
  'flows/:id/steps/:id/test': 'POST',
  runs: 'GET',
}).flatMap(([path, methods]) => methods.split(' ').map((method) => `${method} ${path}`))

describe('Only an Owner or Admin sees, makes or replaces secrets, hook URLs and credentials, and sets flows up', () => {
  const statusFor = async (role: Role, route: string) => {
    const [method = '', path = ''] = route.split(' ')
    const json = method === 'GET' || method === 'DELETE' ? undefined : {}
    const at = `/companies/${shop.companyId}/${path}`
    return (await members[role].ask(method, pathOf(at), json)).status
  }

  test.each(NOT_FOR_AGENTS)('%s', async (route) => {
    expect(await statusFor('agent', route)).toBe(403)
    for (const role of ['owner', 'admin'] as const) {
      expect([200, 201, 400, 404, 422]).toContain(await statusFor(role, route))
    }
  })

  test('no other routes of endpoints, hook URLs and connections exist', () => {
    const declared = ROUTES.map(
      ({ method, path }) => `${method} ${path.replace('/companies/:companyId/', '')}`,
    )
      .map((route) => route.replace(/:\w+/, ':id'))
      .filter((route) => / (endpoints|hook-urls|connections)(\/|$)/.test(route))
      .filter((route) => !/resend-jobs|health|\/jobs|\/release/.test(route))
    expect(declared.filter((route) => !NOT_FOR_AGENTS.includes(route))).toEqual([])
  })

  test('but an Agent sees the flows and their versions', async () => {
    const flow = `flows/${shop.flowId}`
    for (const path of ['flows', flow, `${flow}/versions`, `${flow}/versions/1`]) {
      expect([path, await statusFor('agent', `GET ${path}`)]).toEqual([path, 200])
    }
  })
})
