/** Routes that need a password that was entered recently. Spec: API › Fresh password. */
import { expect, test } from 'vitest'
import {
  FRESH_PASSWORD,
  type PasswordNeed,
} from '../../src/contract/dashboard/routes/fresh-password.ts'
import { SIGN_IN_LIMITS } from '../../src/core/limits/sign-in.ts'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { routeGroups } from '../../src/http/dashboard-api/app.ts'
import { withFreshPassword } from '../../src/http/dashboard-api/recent-password.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

const SOME_ID = '01890000-0000-7000-8000-000000000000'
const NEEDS: Record<string, Record<string, PasswordNeed>> = FRESH_PASSWORD

const world = await openWorld()
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId, entersPassword: false })
const leaving = await signedIn(world, { accountId: shop.accountId, entersPassword: false })
world.clock.advance(SIGN_IN_LIMITS.passwordFreshMs + 1)

const routes = assertAccessDeclared(routeGroups)
  .filter(({ access }) => access.session)
  .map(({ method, path }) => ({ method, path, need: NEEDS[path]![method.toLowerCase()]! }))

async function codeOf(method: string, path: string, json?: object): Promise<unknown> {
  const at = path.replaceAll(/:\w+/g, (name) => (name === ':companyId' ? shop.companyId : SOME_ID))
  const by = path === '/session' ? leaving : owner
  return (await by.ask(method, at, json)).body?.code
}

test('the listed routes ask for the password before they look at the input, and no others do', async () => {
  const asking: string[] = []
  // A route that reads and is not listed would stream without end, or answer as usual.
  for (const { method, path, need } of routes) {
    if (method === 'GET' && need === null) continue
    const json = method === 'GET' || method === 'DELETE' ? undefined : {}
    if ((await codeOf(method, path, json)) === 'password_needed') asking.push(`${method} ${path}`)
  }
  const listed = routes.filter(({ need }) => typeof need === 'string')
  expect(asking).toEqual(listed.map(({ method, path }) => `${method} ${path}`))
})

/** A value of each field that makes its route ask, and the other fields that the body needs. */
const VALUES: Record<string, unknown> = {
  credentials: { appSecret: 'another-secret' },
  origins: ['https://shop.example'],
  url: 'https://other.example.com/events',
  baseUrl: 'https://other.example.com',
  auth: { kind: 'bearer', token: 'a-token-of-the-shop' },
  kind: 'anthropic',
  key: 'another-key-9876',
}
const BESIDES: Record<string, object> = { '/models/:modelId': { revision: 1 } }

test('a change asks for the password when it sets an address or a secret, and not otherwise', async () => {
  for (const { method, path, need } of routes) {
    if (need === null || typeof need === 'string') continue
    const besides = BESIDES[path] ?? {}
    for (const field of Object.keys(need)) {
      const code = await codeOf(method, path, { ...besides, [field]: VALUES[field] })
      expect([path, field, code]).toEqual([path, field, 'password_needed'])
    }
    expect([path, await codeOf(method, path, besides)]).toEqual([path, 'not_found'])
  }
})

test('a route that is missing in the list makes the start fail', () => {
  const route = { path: '/companies/:companyId/copies', verb: 'post' }
  expect(() => withFreshPassword(route, [])).toThrow('post /companies/:companyId/copies is not in')
})
