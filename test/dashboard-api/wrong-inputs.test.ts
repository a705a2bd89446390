/**
 * The API refuses or accepts any value in a field, a query or a path, and never answers with a server error. The tests
 * ask one route of each shape of input, and every route at full size.
 */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { routeGroups } from '../../src/http/dashboard-api/app.ts'
import { shapeOf, type ReadShape } from '../../src/http/dashboard-api/read-input.ts'
import { signedIn } from '../support/dashboard.ts'
import { sampleOf, WRONG_TEXTS, wrongOf } from '../support/hostile-values.ts'
import { createRandom } from '../support/random.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'
import { makeOneOfEach } from '../support/company-fixture.ts'
import { openOwnedShop } from '../support/owned-shop.ts'

/** Wrong inputs of each route; a manual search uses some hundreds. */
const TRIES = Number(process.env.WRONG_INPUTS ?? 12)
const AT_ONCE = 8

const { world, shop, owner } = await openOwnedShop()
const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
const members = [owner, owner, owner, agent]
const ids: Record<string, string> = {
  ...(await makeOneOfEach(world, shop, owner)),
  companyId: shop.companyId,
}

type Route = { method: string; path: string; shapes: ReadShape[] }
const ROUTES: Route[] = assertAccessDeclared(routeGroups)
  .map(({ method, path }) => ({
    method,
    path,
    shapes: routeGroups.routes
      .filter((route) => route.method === method && route.path === path)
      .flatMap(({ handler }) => shapeOf(handler) ?? []),
  }))
  .filter(({ path, shapes }) => shapes.length > 0 || path.includes(':'))
  // It calls the merchant's API, and waits for it.
  .filter(({ path }) => !path.endsWith('/connections/:connectionId/test'))

/** Returns the kinds of values that a schema is made of, such as `object`, `array` and `string`. */
function kindsOf(schema: unknown, seen = new Set<unknown>()): string[] {
  // A schema may contain itself.
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const def = schema instanceof z.ZodType ? schema.def : undefined
  const isPlain = Array.isArray(schema) || Object.getPrototypeOf(schema) === Object.prototype
  const within = def ?? (isPlain ? schema : {})
  return [
    ...(def === undefined ? [] : [def.type]),
    ...Object.values(within).flatMap((one) => kindsOf(one, seen)),
  ]
}

const shapeNameOf = ({ shapes }: Route) =>
  shapes
    .map(({ from, schema }) => `${from} ${[...new Set(kindsOf(schema))].toSorted().join()}`)
    .join(' and ')

const ASKED = IS_FULL_SIZE
  ? ROUTES
  : [...new Map(ROUTES.map((route) => [shapeNameOf(route), route])).values()]

const chance = createRandom('wrong inputs')

type Asked = { method: string; path: string; json?: unknown }
const fill = (path: string) => path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '1')

function askedOf({ method, path, shapes }: Route): Asked[] {
  const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} }
  const inputs = shapes.flatMap(({ from, schema }) => {
    const wrong = Array.from({ length: TRIES }, () => wrongOf(schema, ids, chance))
    return [sampleOf(schema, ids), ...wrong].map((input): Asked =>
      from === 'json'
        ? { method, path: fill(path), json: input }
        : { method, path: `${fill(path)}?${queryOf(input)}`, ...json },
    )
  })
  const names = path.match(/:\w+/g) ?? []
  const paths = names.flatMap((name) =>
    Array.from({ length: Math.ceil(TRIES / 8) }, (): Asked => {
      const text = WRONG_TEXTS[Math.floor(chance() * WRONG_TEXTS.length)]!.slice(0, 1_000)
      const wrong = encodeURIComponent(text.toWellFormed()) || '%00'
      return { method, path: fill(path.replace(name, wrong)), ...json }
    }),
  )
  return [...inputs, ...paths]
}

function queryOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return encodeURIComponent(JSON.stringify(input))
  const texts = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])
  return new URLSearchParams(Object.fromEntries(texts) as Record<string, string>).toString()
}

/** Returns the status of a complete answer; an interrupted one has none. */
async function ask({ method, path, json }: Asked): Promise<number | string> {
  const { token } = members[Math.floor(chance() * members.length)]!
  const response = await fetch(`${world.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  if (response.headers.get('content-type')?.includes('event-stream')) {
    await response.body?.cancel()
    return response.status
  }
  return response.arrayBuffer().then(
    () => response.status,
    () => 'broken off',
  )
}

test.each(ASKED)('$method $path', async (route) => {
  const all = askedOf(route)
  const faults: unknown[] = []
  const lanes = Array.from({ length: AT_ONCE }, (_, lane) =>
    all.filter((_asked, at) => at % AT_ONCE === lane),
  )
  await Promise.all(
    lanes.map(async (lane) => {
      for (const asked of lane) {
        const status = await ask(asked)
        if (typeof status === 'string' || status >= 500) faults.push([status, asked])
      }
    }),
  )
  expect(faults).toEqual([])
})
