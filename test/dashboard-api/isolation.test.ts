/** A company finds nothing of another by its ids, and no list has it. A change of one row changes no other row. */
import { describe, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { routeGroups } from '../../src/http/dashboard-api/app.ts'
import { type Member, signedIn, itemsOf } from '../support/dashboard.ts'
import { conversationsOf, putConversation } from '../support/records/conversations.ts'
import { addNotice } from '../support/records/notices.ts'
import { makeOneOfEach } from '../support/company-fixture.ts'
import { openOwnedShop, ownedShop } from '../support/owned-shop.ts'
import { ORDER_READY_STEPS, type Shop } from '../support/shop.ts'
import type { ActionView } from '../../src/contract/dashboard/action.ts'
import type { HookUrlView } from '../../src/contract/dashboard/hook-url.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { addFlow } from '../support/add-flow.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { copyChannel } from '../support/records/credentials.ts'
import { setupBeside } from '../support/records/erasing.ts'
import { connectApi } from '../support/shop-api.ts'

/** Bodies that the routes accept. */
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
  'POST /companies/:companyId/contacts/:contactId/unmerge': {
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

const ROUTES = assertAccessDeclared(routeGroups)
  .map(({ method, path }) => `${method} ${path}`)
  .filter((route) => /^\w+ \/companies\/:companyId\/.*:/.test(route))

type Told = Record<string, unknown>

/** Queries of routes that would refuse a request without one. */
const QUERIES: Record<string, string> = {
  'GET /companies/:companyId/search': '?text=Sara',
  'GET /companies/:companyId/appointments': '?from=2026-12-01T00:00:00Z',
}

const LISTS = assertAccessDeclared(routeGroups)
  .filter(({ method, access }) => method === 'GET' && access.session)
  .map(({ path }) => `GET ${path}`)
  .filter((route) => !/:(?!companyId)|\/live$/.test(route))

/** Ids of the other company's rows, by the parameter of the routes. */
const ids: Record<string, string> = {}
/**
 * Answers of routes without ids: for the shop's owner before and after the other company exists, and for that
 * company.
 */
const told: Record<'ownerBefore' | 'owner' | 'stranger', Told> = {
  ownerBefore: {},
  owner: {},
  stranger: {},
}

const { world, shop, owner } = await openOwnedShop()
told.ownerBefore = await tellAll(owner, shop)
const { shop: other, owner: stranger } = await ownedShop(world)
Object.assign(ids, await makeOneOfEach(world, other, stranger))
await addMore()
told.owner = await tellAll(owner, shop)
told.stranger = await tellAll(stranger, other)

async function tellAll(by: Member, { companyId }: Shop): Promise<Told> {
  const answers: Told = {}
  for (const route of LISTS) {
    const path = route.replace('GET ', '').replace(':companyId', companyId) + (QUERIES[route] ?? '')
    const { status, body } = await by.ask('GET', path)
    answers[route] = status === 200 ? body : status
  }
  return answers
}

/** Adds what lists return for routes that need no id. */
async function addMore() {
  const company = `/companies/${other.companyId}`
  const huda = { name: 'Huda', tags: ['theirs', 'gone'], phone: '+966501112233' }
  const { body } = await stranger.ask<ContactView>('POST', `${company}/contacts`, huda)
  await stranger.ask('POST', `${company}/tags/rename`, { tag: 'gone', newTag: 'here' })
  await stranger.ask('POST', `${company}/contacts`, { name: body.name })
  await stranger.ask('POST', '/invitations', { email: 'new@example.com', role: 'agent' })
  await stranger.ask('POST', '/companies', { name: 'Their project' })
  await signedIn(world, { accountId: other.accountId, role: 'agent' })
  await addNotice(world, other, { kind: 'endpoint_failing', subjectId: other.endpointId })
  const { companyId } = other
  for (const { id } of await conversationsOf(world, { companyId })) {
    await putConversation(world, id, { needsStaff: true })
  }
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
      // A flow without a draft has no draft to check: 409.
      expect([200, 409]).toContain((await stranger.ask(method, path)).status)
    },
  )
})

test('the other company reads the same answers after all these tries', async () => {
  expect(await tellAll(stranger, other)).toEqual(told.stranger)
})

describe('Data of another company', () => {
  test.each(LISTS)('changes no answer to a company that owns none of it: %s', (route) => {
    expect(told.owner[route]).toEqual(told.ownerBefore[route])
  })

  test('is shown to its own members, except where they have no data', () => {
    const same = LISTS.filter(
      (route) => JSON.stringify(told.stranger[route]) === JSON.stringify(told.ownerBefore[route]),
    )
    expect(same.map((route) => route.replace(/.*companyId\//, ''))).toEqual([
      'GET /me/second-factor',
      'phone-country',
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

  test('is not reachable by its id in a query or a body either', async () => {
    const own = `/companies/${shop.companyId}`
    const canned = `${own}/canned-replies?conversationId=${ids.conversationId}`
    expect((await owner.ask('GET', canned)).status).toBe(404)
    const hook = { flowId: other.flowId }
    expect((await owner.ask('POST', `${own}/hook-urls`, hook)).status).toBe(404)
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

const { shop: own, owner: doer } = await ownedShop(world)
const company = `/companies/${own.companyId}`
const baseUrl = new URL('/api', world.receiver.url).href
const connect = () => connectApi(world, { ...own, baseUrl })
async function makeAction(toolName: string, connectionId: string): Promise<string> {
  const request = actionRequest(connectionId)
  const input = { toolName, description: 'Looks an order up.', request, parameters: [ORDER] }
  return (await doer.ask<ActionView>('POST', `${company}/actions`, input)).body.id
}

await connect()
const connections = await connect()
await makeAction('first', connections)
const { flowId: flows } = await addFlow(world, own)
const hooks = await itemsOf<HookUrlView>(doer, `${company}/hook-urls`)
/** The row that each route changes. Another row of the same kind exists for each. */
const one: Record<string, string> = {
  flows,
  'hook-urls': hooks.find(({ flow }) => flow.id === flows)!.id,
  endpoints: await addEndpoint(world, own),
  connections,
  actions: await makeAction('second', connections),
  // No action uses this connection, so it can be deleted at the end.
  'free-connections': await connect(),
  channels: await copyChannel(world, own),
}
await raisePings(world, own)

describe('Another row of the same company stays unchanged when', () => {
  test.each<[string, string, string, object?]>([
    ['endpoints', 'PATCH', '', { name: 'Renamed', eventTypes: ['ping'] }],
    ['endpoints', 'POST', '/secret/rotate'],
    ['endpoints', 'POST', '/secret/rotate'],
    ['endpoints', 'POST', '/secret/retire-old'],
    ['endpoints', 'POST', '/switch-off'],
    ['endpoints', 'POST', '/switch-on'],
    ['endpoints', 'DELETE', ''],
    ['actions', 'PATCH', '', { description: 'Another.', isOn: false }],
    ['actions', 'DELETE', ''],
    ['connections', 'PATCH', '', { name: 'Renamed' }],
    ['connections', 'POST', '/switch-off'],
    ['connections', 'POST', '/switch-on'],
    ['free-connections', 'DELETE', ''],
    ['hook-urls', 'POST', '/replace'],
    ['hook-urls', 'DELETE', ''],
    ['flows', 'PATCH', '', { name: 'Renamed', isOn: false }],
    ['flows', 'DELETE', ''],
    ['channels', 'PATCH', '', { name: 'Renamed' }],
    ['channels', 'POST', '/disconnect'],
    ['channels', 'DELETE', ''],
  ])('%s: one gets %s %s', async (list, method, action, input) => {
    const id = one[list]!
    const before = await setupBeside(world, id)
    world.clock.advance(1_000)
    const path = `${company}/${list.replace('free-', '')}/${id}${action}`
    const answer = await doer.ask(method, path, input ?? (method === 'POST' ? {} : undefined))
    const done = method === 'DELETE' ? [204, null] : [200, expect.anything()]
    expect([answer.status, answer.body]).toEqual(done)
    expect(await setupBeside(world, id)).toEqual(before)
  })
})
