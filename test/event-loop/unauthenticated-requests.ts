/**
 * The costliest requests of an unauthenticated client: every public route with its most costly bodies, addresses and
 * header values.
 */
import type { Hono } from 'hono'
import { createCalendarHandler } from '../../src/http/calendar.ts'
import type { HttpDeps } from '../../src/http/http-deps.ts'
import { createPublicPages } from '../../src/http/public-pages/app.ts'
import { createWebsiteRoutes } from '../../src/http/visitors/website-routes.ts'
import { createWidgetRoutes } from '../../src/http/visitors/widget-routes.ts'
import { WIDGET_FILES } from '../../src/widget/widget-files.ts'
import { signMetaWebhook } from '../../simulators/index.ts'
import { DASHBOARD_LIMITS } from '../../src/core/limits/http.ts'
import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { PAGE_LIMITS } from '../../src/core/limits/pages.ts'
import { ENQUIRY_LIMITS, VISITOR_LIMITS } from '../../src/core/limits/visitors.ts'
import { APP_SECRET, type Shop } from '../support/shop.ts'
import { SITE } from '../support/visitors.ts'
import { webhookOf, written } from '../support/whatsapp-webhook.ts'
import type { Asked } from './measure.ts'
import { costlyFiles, costlyJson, TEXTS, textOf } from './worst-values.ts'

type Public = {
  shop: Shop
  widgetKey: string
  websiteKey: string
  visitorToken: string
  slug: string
  optOutToken: string
}

/** Returns the routes of every public route group, from its own table. */
export function knownRoutes(): string[] {
  const none = {} as HttpDeps
  const routes: [string, Hono<never>][] = [
    ['', createPublicPages(none) as unknown as Hono<never>],
    ['/widget/v1', createWidgetRoutes(none, noTakeIn) as unknown as Hono<never>],
    ['/website/v1', createWebsiteRoutes(none, noTakeIn) as unknown as Hono<never>],
    ['/calendar', createCalendarHandler(none) as unknown as Hono<never>],
  ]
  return routes.flatMap(([prefix, router]) =>
    router.routes
      .filter(({ method }) => method === 'GET' || method === 'POST')
      .map(({ method, path }) => `${method} ${prefix}${path}`),
  )
}

const noTakeIn = () => {
  throw new Error('nothing is asked of it')
}

/** Header sizes: this leaves enough for the request line and the other headers. */
const HEADER_CHARS = 14_000
/** Headers that the service may read. */
const HEADERS = [
  'accept accept-language accept-encoding authorization cookie content-type forwarded',
  'idempotency-key if-none-match last-event-id origin range referer sec-fetch-site user-agent',
  'x-forwarded-for x-hub-signature-256',
].flatMap((names) => names.split(' '))
const HEADER_TEXTS = ',|;q=|a, |"|=|en-US;q=0.5,|127.0.0.1, | |sid=a; |\t|[::1]:'.split('|')

/** One route for each way in which the service reads headers. */
const READ_HEADERS = new Set([
  'GET *',
  'GET /api/session',
  'GET /b/:slug',
  'GET /hooks/:token',
  'GET /webhooks/whatsapp',
  'GET /widget/v1/settings/:key',
  'GET /widget/v1/stream',
])

type Body = { what: string; type: string; body: string | Buffer }

/** Returns every public route, by its pattern in the service. */
export function publicRoutes(
  known: Public,
): { route: string; path: string; bodies: Iterable<Body> }[] {
  const { widgetKey, websiteKey, slug, optOutToken, shop } = known
  const none: Body[] = []
  const get = (route: string, path = route) => ({ route: `GET ${route}`, path, bodies: none })
  const post = (route: string, path: string, bodies: Iterable<Body>) => {
    return { route: `POST ${route}`, path, bodies }
  }
  const widget = '/widget/v1'
  const website = '/website/v1'
  return [
    get('/healthz'),
    get('/readyz'),
    get('/metrics'),
    get('/errors'),
    get('*', '/sign-in'),
    get('/api/session'),
    get('/calendar/:file', `/calendar/${'a'.repeat(40)}.ics`),
    get('/o/:token', `/o/${optOutToken}`),
    get('/b/:slug', `/b/${slug}`),
    get('/a/:token', `/a/apt_${'a'.repeat(43)}`),
    get('/a/:token/move', `/a/apt_${'a'.repeat(43)}/move`),
    get('/a/:token/appointment.ics', `/a/apt_${'a'.repeat(43)}/appointment.ics`),
    get(`${widget}/settings/:key`, `${widget}/settings/${widgetKey}`),
    get(`${widget}/frame/:key`, `${widget}/frame/${widgetKey}`),
    ...[...WIDGET_FILES.keys()].map((name) => get(`${widget}/${name}`)),
    get(`${widget}/messages`),
    get(`${widget}/files/:fileId`, `${widget}/files/none`),
    get(`${widget}/stream`),
    get(`${website}/:key/form`, `${website}/${websiteKey}/form`),
    get('/webhooks/whatsapp'),
    get('/hooks/:token', `/hooks/${shop.hookToken}`),
    post('/hooks/:token', `/hooks/${shop.hookToken}`, hookBodies()),
    post('/hooks/none', '/hooks/none', jsonBodies(HOOK_LIMITS.bodyBytes)),
    post('/webhooks/whatsapp', '/webhooks/whatsapp', webhookBodies(shop)),
    post('/webhooks/messenger', '/webhooks/messenger', jsonBodies(PROVIDER_LIMITS.webhookBytes)),
    post('/api/session', '/api/session', jsonBodies(DASHBOARD_LIMITS.bodyBytesWithoutSession)),
    post(`${widget}/sessions`, `${widget}/sessions`, sessionBodies(known)),
    post(`${widget}/messages`, `${widget}/messages`, messageBodies()),
    post(`${widget}/tickets`, `${widget}/tickets`, jsonBodies(VISITOR_LIMITS.bodyBytes)),
    post(`${widget}/uploads`, `${widget}/uploads?name=a.png`, uploads()),
    post(`${website}/:key/leads`, `${website}/${websiteKey}/leads`, enquiries()),
    post(`${website}/:key/form`, `${website}/${websiteKey}/form`, forms(ENQUIRY_LIMITS.bodyBytes)),
    post('/o/:token', `/o/${optOutToken}`, forms(PAGE_LIMITS.formBytes)),
    post('/b/:slug', `/b/${slug}`, forms(PAGE_LIMITS.formBytes)),
    post('/a/:token', `/a/apt_${'a'.repeat(43)}`, forms(PAGE_LIMITS.formBytes)),
    post('/a/:token/move', `/a/apt_${'a'.repeat(43)}/move`, forms(PAGE_LIMITS.formBytes)),
  ]
}

export function* unauthenticatedRequests(known: Public, only = /./): Generator<Asked> {
  for (const { route, path, bodies } of publicRoutes(known)) {
    if (!only.test(route)) continue
    const [method = ''] = route.split(' ')
    const headers = {
      authorization: `Bearer ${known.visitorToken}`,
      ...(path.startsWith('/website') && { origin: SITE }),
    }
    const plain = { route, method, path, headers }
    for (const { what, type, body } of bodies) {
      // Only a signed body is a buffer under such a name.
      const signed = what.startsWith('signed') && {
        'x-hub-signature-256': signMetaWebhook(body as Buffer, APP_SECRET),
      }
      yield { ...plain, what, body, headers: { ...headers, 'content-type': type, ...signed } }
    }
    if (method !== 'GET') continue
    yield { ...plain, what: 'plain' }
    for (const kind of Object.keys(TEXTS)) {
      const text = encodeURIComponent(textOf(kind, 2_000))
        .slice(0, HEADER_CHARS)
        .replace(/%.?$/, '')
      yield { ...plain, what: `address of ${kind}`, path: `${path}${text}` }
      const query = `a=${text}&hub.challenge=${text.slice(0, 500)}`
      yield { ...plain, what: `query of ${kind}`, path: `${path}?${query}` }
    }
    yield { ...plain, what: 'many parameters', path: `${path}?${'a=1&'.repeat(3_400)}` }
    yield { ...plain, what: 'many halves', path: `${path}?${'%d8'.repeat(4_500)}` }
    yield { ...plain, what: 'many slashes', path: `${path}${'/..'.repeat(4_500)}` }
    if (!READ_HEADERS.has(route)) continue
    for (const name of HEADERS) {
      for (const text of HEADER_TEXTS) {
        const value = text.repeat(HEADER_CHARS / text.length).trim() || 'a'
        const what = `${name}: ${JSON.stringify(text)}`
        yield { ...plain, what, headers: { ...headers, [name]: value } }
      }
    }
  }
}

const costly = (bytes: number) => costlyJson({ bytes, values: Infinity, depth: Infinity })

const textOfBody = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const json = (what: string, value: unknown): Body => {
  return { what, type: 'application/json', body: textOfBody(value) }
}

function* jsonBodies(bytes: number): Generator<Body> {
  for (const [what, body] of Object.entries(costly(bytes - 40))) {
    yield json(what, body)
    yield json(`a field of ${what}`, `{"customer":${body},"a":1}`)
  }
}

function* hookBodies(): Generator<Body> {
  const room = HOOK_LIMITS.bodyBytes - 1_000
  yield* jsonBodies(HOOK_LIMITS.bodyBytes)
  for (const kind of Object.keys(TEXTS)) {
    const language = textOf(kind, 900)
    const customer = { phone: '+966501234567', name: textOf(kind, room / 12), language }
    yield json(`a name of ${kind}`, { customer, order: { number: language } })
    const phone = textOf(kind, room / 4)
    yield json(`a phone of ${kind}`, { customer: { language, name: 'a', phone } })
  }
  for (const unit of '+|00|٠|+966 |(|1-|+1|*|;ext=1| tel:|#|٫|x'.split('|')) {
    const phone = unit.repeat(room / 8 / unit.length)
    yield json(`a phone of ${unit}`, { customer: { phone } })
  }
  for (const [what, body] of Object.entries(costly(room))) {
    yield json(`beside ${what}`, `{"customer":{"phone":"+966501234567"},"order":${body}}`)
  }
}

function* webhookBodies(shop: Shop): Generator<Body> {
  const bytes = PROVIDER_LIMITS.webhookBytes
  yield* jsonBodies(bytes)
  const signed = (what: string, value: unknown): Body => {
    return { ...json(`signed ${what}`, ''), body: Buffer.from(textOfBody(value)) }
  }
  const empty = JSON.stringify(webhookOf(shop, [{ field: 'messages', value: { contacts: '@' } }]))
  for (const [what, body] of Object.entries(costly(bytes - 1_000))) {
    yield signed(what, body)
    const inside = empty.replace('"@"', () => body)
    yield signed(`with ${what}`, inside)
  }
  const messages = (count: number, says: { name?: string; text: string }) => {
    const changes = Array.from({ length: count }, (_, nth) =>
      written({ from: `9665${20_000_000 + nth}`, ...says }),
    )
    return webhookOf(shop, changes)
  }
  for (const kind of Object.keys(TEXTS)) {
    const says = { name: textOf(kind, 200), text: textOf(kind, 4_096) }
    yield signed(`messages of ${kind}`, messages(300, says))
  }
  for (const count of [4_500, 8_000]) {
    yield signed(`${count} messages`, messages(count, { text: 'a' }))
  }
}

function* sessionBodies({ widgetKey }: Public): Generator<Body> {
  yield* jsonBodies(VISITOR_LIMITS.bodyBytes)
  for (const kind of Object.keys(TEXTS)) {
    yield json(`a token of ${kind}`, { widgetKey, visitorToken: textOf(kind, 4_000) })
  }
}

function* messageBodies(): Generator<Body> {
  yield* jsonBodies(VISITOR_LIMITS.bodyBytes)
  for (const kind of Object.keys(TEXTS)) {
    for (const chars of [3_900, 9_000]) {
      const clientMessageId = `${kind}-${chars}`
      yield json(`${chars} of ${kind}`, { clientMessageId, text: textOf(kind, chars) })
    }
  }
}

function* uploads(): Generator<Body> {
  for (const { what, body } of costlyFiles(VISITOR_LIMITS.uploadBytes)) {
    yield { what, type: 'application/octet-stream', body }
  }
}

function* enquiries(): Generator<Body> {
  yield* jsonBodies(ENQUIRY_LIMITS.bodyBytes)
  yield* forms(ENQUIRY_LIMITS.bodyBytes)
  for (const kind of Object.keys(TEXTS)) {
    const long = textOf(kind, 5_000)
    yield json(`fields of ${kind}`, {
      page: `https://a.b/${long}`,
      fields: { name: long, email: long, phone: long, message: long },
    })
    const [name, phone, message] = [textOf(kind, 200), textOf(kind, 40), textOf(kind, 4_000)]
    yield json(`good fields of ${kind}`, { fields: { name, phone, message } })
  }
}

function* forms(bytes: number): Generator<Body> {
  const form = (what: string, body: string): Body => {
    return { what, type: 'application/x-www-form-urlencoded', body: body.slice(0, bytes) }
  }
  yield form('many fields', 'a=1&'.repeat(bytes / 4))
  yield form('many names', Array.from({ length: bytes / 6 }, (_, nth) => `k${nth}`).join('&'))
  yield form('escapes', `message=${'%d9%8e'.repeat(bytes / 6)}`)
  yield form('halves', `message=${'%d8'.repeat(bytes / 3)}`)
  yield form('plus signs', `message=a&phone=${'+'.repeat(bytes)}`)
  yield form('digits', `message=a&phone=${'1 '.repeat(bytes / 2)}`)
  const type = 'multipart/form-data; boundary=a'
  yield { what: 'multipart', type, body: '--a\r\n\r\n'.repeat(bytes / 7) }
}
