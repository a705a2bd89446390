/** The costliest requests of a member: every route of the dashboard's API with its most costly input. */
import type { z } from 'zod'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { routeGroups } from '../../src/http/dashboard-api/app.ts'
import { shapeOf } from '../../src/http/dashboard-api/read-input.ts'
import { IMPORT_LIMITS } from '../../src/core/limits/contacts.ts'
import { DASHBOARD_LIMITS } from '../../src/core/limits/http.ts'
import { FILE_LIMITS } from '../../src/core/limits/files.ts'
import { KNOWLEDGE_LIMITS } from '../../src/core/limits/knowledge.ts'
import type { Asked } from './measure.ts'
import { costlyFiles, costlyJson, fieldsOf, fill, TEXTS, textOf } from './worst-values.ts'

const { bodyBytes, bodyValues, bodyDepth } = DASHBOARD_LIMITS
/** These bodies are refused before any route reads them, so one route stands for all. */
const REFUSED = costlyJson({ bytes: bodyBytes - 10, values: Infinity, depth: Infinity })
const READ_BY = 'POST /companies/:companyId/contacts'
const QUERY_CHARS = [190, 12_000]

type Shapes = { json?: z.ZodType; query?: z.ZodType }

/** Returns every route with the schemas of its input. */
function routesOfMembers() {
  const shapes = new Map<string, Shapes>()
  for (const { method, path, handler } of routeGroups.routes) {
    const shape = shapeOf(handler)
    const known = shapes.get(`${method} ${path}`) ?? {}
    shapes.set(`${method} ${path}`, shape ? { ...known, [shape.from]: shape.schema } : known)
  }
  return assertAccessDeclared(routeGroups).map(({ method, path }) => {
    return { method, path, ...shapes.get(`${method} ${path}`) }
  })
}

/** Returns the requests. Requests that change nothing are first, and requests that delete are last. */
export function* memberRequests(
  ids: Record<string, string>,
  token: string,
  only = /./,
): Generator<Asked> {
  const rank = ({ method }: { method: string }) => VERBS.indexOf(method)
  const routes = routesOfMembers().toSorted((one, other) => rank(one) - rank(other))
  for (const { method, path, json, query } of routes) {
    const route = `${method} ${path}`
    if (LEFT_OUT.has(route) || !only.test(route)) continue
    const filled = path
      .replace(/:channelId(?=\/site)/, ids.siteChannelId!)
      .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'none'))
    const headers = { authorization: `Bearer ${token}` }
    const plain = { route, method, path: `/api${filled}`, headers }
    yield { ...plain, what: 'plain' }
    for (const [what, search] of queriesOf(query)) {
      yield { ...plain, what, path: `/api${filled}?${search}` }
    }
    if (method === 'GET' || method === 'DELETE') continue
    const typed = { ...plain, headers: { ...headers, 'content-type': 'application/json' } }
    for (const [what, body] of json ? bodiesOf(json) : []) yield { ...typed, what, body }
    for (const { what, type, name, body } of filesOf(route)) {
      const named = `${plain.path}?name=${name}`
      yield { ...plain, path: named, what, headers: { ...headers, 'content-type': type }, body }
    }
    if (route !== READ_BY) continue
    for (const [what, body] of Object.entries(REFUSED)) yield { ...typed, what, body }
  }
}

const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Routes that would end or change the session of the member. */
const LEFT_OUT = new Set(['DELETE /session', 'POST /session/account'])

function* queriesOf(query: z.ZodType | undefined): Generator<[string, string]> {
  if (!query) return
  yield ['the greatest page', 'limit=100']
  const fields = fieldsOf(query)
  for (const kind of Object.keys(TEXTS)) {
    // The texts are as long as a search term may be, and as long as an address may be.
    for (const chars of QUERY_CHARS) {
      for (const field of fields) {
        const search = new URLSearchParams({
          limit: '100',
          [field]: textOf(kind, chars),
        }).toString()
        if (search.length < 15_000) yield [`${field}: ${chars} ${kind}`, search]
      }
    }
  }
}

function* bodiesOf(schema: z.ZodType): Generator<[string, string]> {
  const fields = fieldsOf(schema)
  const full = (kind: string, items: number, option: number) =>
    JSON.stringify(fill(schema, { text: (chars) => textOf(kind, chars), items, option }))
  for (const kind of Object.keys(TEXTS)) {
    yield [`full of ${kind}`, full(kind, 100, 0)]
    const each = Math.floor(bodyBytes / 12 / Math.max(fields.length, 1))
    const body = Object.fromEntries(fields.map((field) => [field, textOf(kind, each)]))
    yield [`every field of ${each} ${kind}`, JSON.stringify(body)]
  }
  for (const option of [1, 2, 3]) yield [`choice ${option}`, full('arabic', 20, option)]
  const count = Math.max(fields.length, 1)
  const [bytes, values] = [Math.floor((bodyBytes - 5_000) / count), Math.floor(bodyValues / count)]
  const costly = costlyJson({ bytes, values: values - 2, depth: bodyDepth - 1 })
  for (const [what, value] of Object.entries(costly)) {
    yield [`every field of ${what}`, `{${fields.map((field) => `"${field}":${value}`).join()}}`]
  }
}

/** Routes with a file as their body: its largest size and its type. */
const FILES: Record<string, { bytes: number; type: string; name: string }> = {
  'POST /companies/:companyId/files': {
    bytes: FILE_LIMITS.bytes,
    type: 'application/octet-stream',
    name: 'a.pdf',
  },
  'POST /companies/:companyId/contact-imports': {
    bytes: IMPORT_LIMITS.bytes,
    type: 'text/csv',
    name: 'a.csv',
  },
  'POST /companies/:companyId/knowledge/files': {
    bytes: KNOWLEDGE_LIMITS.fileBytes,
    type: 'application/octet-stream',
    name: 'a.pdf',
  },
}

function* filesOf(route: string) {
  const file = FILES[route]
  if (!file) return
  for (const each of costlyFiles(file.bytes)) yield { ...file, ...each }
}
