/** Whatever is asked for under one's own company by the id of another's is not there, and no list has it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
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
/** What routes that name nothing tell: the shop's owner before there was another company, and both after. */
const told: Record<'ownerBefore' | 'owner' | 'stranger', Told> = {
  ownerBefore: {},
  owner: {},
  stranger: {},
}

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  told.ownerBefore = await tellAll(owner, shop)
  other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
  stranger = await signedIn(world, { accountId: other.accountId })
  Object.assign(ids, await makeOneOfEach(world, other, stranger))
  await addMore()
  told.owner = await tellAll(owner, shop)
  told.stranger = await tellAll(stranger, other)
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

type Told = Record<string, unknown>

/** What they ask for where they would else be refused. */
const QUERIES: Record<string, string> = {
  'GET /companies/:companyId/search': '?text=Sara',
  'GET /companies/:companyId/appointments': '?from=2026-12-01T00:00:00Z',
}

const LISTS = assertAccessDeclared(nouns)
  .filter(({ method, access }) => method === 'GET' && access.session)
  .map(({ path }) => `GET ${path}`)
  .filter((route) => !/:(?!companyId)|\/live$/.test(route))

async function tellAll(by: Member, { companyId }: Shop): Promise<Told> {
  const answers: Told = {}
  for (const route of LISTS) {
    const path = route.replace('GET ', '').replace(':companyId', companyId) + (QUERIES[route] ?? '')
    const { status, body } = await by.ask('GET', path)
    answers[route] = status === 200 ? body : status
  }
  return answers
}

/** What lists tell of that routes need no id of. */
async function addMore() {
  const company = `/companies/${other.companyId}`
  const huda = { name: 'Huda', tags: ['theirs', 'gone'], phone: '+966501112233' }
  const { body } = await stranger.ask<ContactView>('POST', `${company}/contacts`, huda)
  await stranger.ask('POST', `${company}/tags/rename`, { tag: 'gone', newTag: 'here' })
  await stranger.ask('POST', `${company}/contacts`, { name: body.name })
  await stranger.ask('POST', '/invitations', { email: 'new@example.com', role: 'agent' })
  await stranger.ask('POST', '/companies', { name: 'Their project' })
  const { accountId, companyId } = other
  await signedIn(world, { accountId, role: 'agent' })
  const { db, ids: made, clock } = world.service.context
  const notice = { id: made.uuid(), kind: 'endpoint_failing', subjectId: other.endpointId }
  await db.kysely
    .insertInto('notice')
    .values({ ...notice, accountId, companyId, details: '{}', createdAt: clock.now() })
    .execute()
  const talks = db.kysely.updateTable('conversation').where('companyId', '=', companyId)
  await talks.set({ needsStaff: true }).execute()
}

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

describe('What another company makes', () => {
  test.each(LISTS)('changes no answer to who is of none of it: %s', (route) => {
    expect(told.owner[route]).toEqual(told.ownerBefore[route])
  })

  test('is told to its own members, but for what they have nothing of', () => {
    const same = LISTS.filter(
      (route) => JSON.stringify(told.stranger[route]) === JSON.stringify(told.ownerBefore[route]),
    )
    expect(same.map((route) => route.replace(/.*companyId\//, ''))).toEqual([
      'GET /me/second-factor',
      'files',
      'deliveries/views',
      'calls',
      'assistant',
      'booking-page',
      'slots',
      'appointments/shifted',
      'knowledge/synonyms',
      'GET /models',
      'GET /models/usage',
    ])
  })

  test('is not to be had by its id in a query or a body either', async () => {
    const own = `/companies/${shop.companyId}`
    const canned = `${own}/canned-replies?conversationId=${ids.conversationId}`
    expect((await owner.ask('GET', canned)).status).toBe(404)
    const mine = await owner.ask<ContactView>('POST', `${own}/contacts`, { phone: '+966501234567' })
    type Ways = { items: { channel: { id: string } }[] }
    const ways = await owner.ask<Ways>('GET', `${own}/contacts/${mine.body.id}/ways-to-write`)
    expect(ways.body.items.map(({ channel }) => channel.id)).toEqual([shop.channelId])
    const said = { key: 'k', template: { name: 'order_ready', body: [] } }
    for (const [field, wrong] of [
      ['channelId', { channelId: other.channelId, contactId: mine.body.id }],
      ['contactId', { channelId: shop.channelId, contactId: ids.contactId }],
    ] as const) {
      const refused = await owner.ask('POST', `${own}/conversations`, { ...said, ...wrong })
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ field }] } })
    }
  })
})
