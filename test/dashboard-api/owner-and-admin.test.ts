/**
 * Who sees, makes, rotates and replaces secrets, hook URLs and credentials.
 * Spec: Concepts › Roles.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { nouns } from '../../src/http/dashboard-api/app.ts'
import type { Role } from '../../src/vocabulary/accounts.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

const SOME_ID = '01890000-0000-7000-8000-000000000000'

/** Written out, so that a route which opens itself to an Agent is seen here. */
const GUARDED = [
  'GET endpoints',
  'POST endpoints',
  'GET endpoints/:id',
  'PATCH endpoints/:id',
  'DELETE endpoints/:id',
  'POST endpoints/:id/switch-on',
  'POST endpoints/:id/switch-off',
  'POST endpoints/:id/secret/rotate',
  'POST endpoints/:id/secret/retire-old',
  'POST endpoints/:id/tests',
  'GET hook-urls',
  'POST hook-urls',
  'GET hook-urls/:id',
  'DELETE hook-urls/:id',
  'POST hook-urls/:id/replace',
  'GET hook-urls/:id/shape',
  'GET connections',
  'POST connections',
  'GET connections/:id',
  'PATCH connections/:id',
  'DELETE connections/:id',
  'POST connections/:id/test',
  'GET connection-figures',
  'GET channels',
  'POST channels',
  'GET channels/:id',
  'PATCH channels/:id',
  'DELETE channels/:id',
  'GET deliveries',
  'GET deliveries/:id',
  'POST deliveries/:id/resend',
  'GET actions',
  'POST actions',
  'PATCH actions/:id',
  'POST actions/:id/test',
]

let world: World
let shop: Shop
const members = {} as Record<Role, Member>
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  for (const role of ['owner', 'admin', 'agent'] as const) {
    members[role] = await signedIn(world, { accountId: shop.accountId, role })
  }
})
afterAll(() => world.close())

async function ask(role: Role, route: string): Promise<number> {
  const [method = '', path = ''] = route.split(' ')
  const at = `/companies/${shop.companyId}/${path.replace(':id', SOME_ID)}`
  const json = method === 'GET' || method === 'DELETE' ? undefined : {}
  return (await members[role].ask(method, at, json)).status
}

describe('Only an Owner or Admin sees, makes, rotates or replaces secrets, hook URLs and credentials', () => {
  test.each(GUARDED)('%s', async (route) => {
    expect(await ask('agent', route)).toBe(403)
    for (const role of ['owner', 'admin'] as const) {
      expect([role, [200, 201, 400, 404, 422].includes(await ask(role, route))]).toEqual([
        role,
        true,
      ])
    }
  })

  test('and these are all the routes there are of endpoints, hook URLs, connections', () => {
    const declared = assertAccessDeclared(nouns)
      .map(({ method, path }) => `${method} ${path.replace('/companies/:companyId/', '')}`)
      .map((route) => route.replace(/:\w+/, ':id'))
      .filter((route) => / (endpoints|hook-urls|connections)(\/|$)/.test(route))
      .filter((route) => !/resend-jobs|health|switch-o|\/retire|\/jobs|\/release/.test(route))
    expect(declared.filter((route) => !GUARDED.includes(route))).toEqual([])
  })
})
