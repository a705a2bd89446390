/** Whatever is asked for under one's own company by the id of another's is not there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { nouns } from '../../src/http/dashboard-api/app.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { makeOneOfEach } from '../support/one-of-each.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let other: Shop
/** The owner of the account of the shop, and of the other one's. */
let owner: Member
let stranger: Member
/** What the other company has, by the name that routes give its id. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
  owner = await signedIn(world, { accountId: shop.accountId })
  stranger = await signedIn(world, { accountId: other.accountId })
  Object.assign(ids, await makeOneOfEach(world, other, stranger))
})
afterAll(() => world.close())

/** Bodies that the routes take. */
const INPUTS: Record<string, object> = {
  'PUT /companies/:companyId/flows/:flowId/draft': {
    channelId: '',
    trigger: { kind: 'manual' },
    start: 'tell',
    steps: ORDER_READY_STEPS,
  },
  'POST /companies/:companyId/flows/:flowId/runs': { phone: '+966501234567' },
  'POST /companies/:companyId/flows/:flowId/test-runs': { phone: '+966501234567' },
  'POST /companies/:companyId/broadcasts/:broadcastId/test': {
    contactId: '01890000-0000-7000-8000-000000000000',
  },
  'POST /companies/:companyId/appointments/:appointmentId/move': {
    startsAt: '2026-12-09T10:00:00Z',
  },
  'POST /companies/:companyId/contacts/:contactId/opt-in': { reason: 'asked for it' },
  'POST /companies/:companyId/contacts/:contactId/merge': {
    fromId: '01890000-0000-7000-8000-000000000000',
  },
  'POST /companies/:companyId/contacts/:contactId/erase': { confirm: true },
  'POST /companies/:companyId/conversations/:conversationId/erase-visitor': { confirm: true },
  'POST /companies/:companyId/contact-imports/:importId/check': { columns: { name: 'name' } },
  'POST /companies/:companyId/conversations/:conversationId/take-over': { turn: 9 },
  'POST /companies/:companyId/conversations/:conversationId/assign': { turn: 9, assigneeId: null },
  'POST /companies/:companyId/conversations/:conversationId/messages': { key: 'k', text: 'Hello' },
  'POST /companies/:companyId/conversations/:conversationId/notes': { text: 'Hello' },
  'PUT /companies/:companyId/assistant/replies/:replyId/feedback': { isGood: true },
  'PATCH /companies/:companyId/conversations/:conversationId/notes/:noteId': { text: 'Hello' },
}

const ROUTES = assertAccessDeclared(nouns)
  .map(({ method, path }) => `${method} ${path}`)
  .filter((route) => /^\w+ \/companies\/:companyId\/.*:/.test(route))

function fill(route: string, companyId: string): [string, string, object | undefined] {
  const [method = '', path = ''] = route.split(' ')
  const filled = path
    .replace(':companyId', companyId)
    // Only a channel of a website has a site.
    .replace(/:channelId(?=\/site)/, ids.siteChannelId!)
    .replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? `no ${name}`)
  const hasBody = method !== 'GET' && method !== 'DELETE'
  return [method, filled, hasBody ? (INPUTS[route] ?? {}) : undefined]
}

describe('By the id of another company', () => {
  test('every kind of id is tried', () => {
    const names = new Set(ROUTES.flatMap((route) => route.match(/(?<=:)\w+/g) ?? []))
    names.delete('companyId')
    expect([...names].filter((name) => !(name in ids))).toEqual([])
  })

  test.each(ROUTES)('nothing is found, changed or done: %s', async (route) => {
    const [method, path, input] = fill(route, shop.companyId)
    const answer = await owner.ask(method, path, input)
    expect([answer.status, answer.body?.code]).toEqual([404, 'not_found'])
  })

  test.each(ROUTES.filter((route) => route.startsWith('GET ')))(
    'its own members find it: %s',
    async (route) => {
      const [method, path] = fill(route, other.companyId)
      // A flow without a draft has none to check: 409.
      expect([200, 409]).toContain((await stranger.ask(method, path)).status)
    },
  )
})
