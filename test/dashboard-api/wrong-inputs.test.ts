/** Whatever is put into a field, a query or a path: it is refused by name or taken, and never a fault of ours. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { nouns } from '../../src/http/dashboard-api/app.ts'
import { shapeOf, type ReadShape } from '../../src/http/dashboard-api/read-input.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { placesOf, sampleOf, WRONG, wrongOf } from '../support/hostile-values.ts'
import { makeOneOfEach } from '../support/one-of-each.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
let ids: Record<string, string>

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  ids = { ...(await makeOneOfEach(world, shop, owner)), companyId: shop.companyId }
})
afterAll(() => world.close())

type Route = { method: string; path: string; shapes: ReadShape[] }
const ROUTES: Route[] = assertAccessDeclared(nouns).map(({ method, path }) => ({
  method,
  path,
  shapes: nouns.routes
    .filter((route) => route.method === method && route.path === path)
    .flatMap(({ handler }) => shapeOf(handler) ?? []),
}))

let seed = Number(process.env.SEED ?? 7)
/** The same numbers each time. */
function chance(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return seed / 2 ** 31
}

type Asked = { method: string; path: string; json?: string }
const fill = (path: string) => path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '1')

function* askedOf(route: Route): Generator<Asked> {
  const { method } = route
  const path = fill(route.path)
  const hasBody = method !== 'GET' && method !== 'DELETE'
  for (const { from, schema } of route.shapes) {
    const most = Math.min(Number(process.env.MOST ?? 100) * placesOf(schema, ids), 1_500)
    for (const wrong of [
      sampleOf(schema, ids),
      ...Array.from({ length: most }, () => wrongOf(schema, ids, chance)),
    ]) {
      if (from === 'json') {
        yield { method, path, json: JSON.stringify(wrong) }
        continue
      }
      if (typeof wrong !== 'object' || wrong === null || Array.isArray(wrong)) continue
      const asked = new URLSearchParams(
        Object.entries(wrong).flatMap(([key, value]): [string, string][] =>
          value === undefined
            ? []
            : [[key, typeof value === 'object' ? JSON.stringify(value) : String(value)]],
        ),
      )
      yield { method, path: `${path}?${asked}`, ...(hasBody && { json: '{}' }) }
    }
  }
  for (const name of route.path.match(/:\w+/g) ?? []) {
    for (const wrong of WRONG) {
      if (typeof wrong !== 'string' || wrong === '' || wrong.length > 10_000) continue
      const text = encodeURIComponent(wrong.toWellFormed())
      yield { method, path: fill(route.path.replace(name, text)), ...(hasBody && { json: '{}' }) }
    }
  }
}

async function ask({ method, path, json }: Asked, token: string | null) {
  const response = await fetch(`${world.url}/api${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: json }),
    signal: AbortSignal.timeout(30_000),
  })
  if (response.headers.get('content-type')?.includes('event-stream')) await response.body?.cancel()
  else await response.arrayBuffer()
  return response.status
}

test.each(ROUTES)(
  '$method $path',
  async (route) => {
    const faults: string[] = []
    const seen = new Set<string>()
    const all = [...askedOf(route)].filter((asked) => {
      const key = JSON.stringify(asked)
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
    const statuses: Record<string, number> = {}
    let next = 0
    const start = performance.now()
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (next < all.length) {
          const asked = all[next++]!
          const began = performance.now()
          const status = await ask(asked, owner.token).catch(
            (error: Error) => `broken ${error.message}`,
          )
          const took = performance.now() - began
          statuses[status] = (statuses[status] ?? 0) + 1
          if (took > 4_000)
            faults.push(
              `SLOW ${Math.round(took)} ${asked.method} ${asked.path} ${asked.json?.slice(0, 600) ?? ''}`,
            )
          if (typeof status === 'string' || status >= 500) {
            faults.push(
              `${status} ${asked.method} ${asked.path.slice(0, 300)} ${asked.json?.slice(0, 600) ?? ''}`,
            )
          }
        }
      }),
    )
    console.log(
      'FZ',
      route.method,
      route.path,
      all.length,
      Math.round(performance.now() - start),
      JSON.stringify(statuses),
    )
    expect(faults.slice(0, 5)).toEqual([])
  },
  600_000,
)
