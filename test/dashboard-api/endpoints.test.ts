import { fact } from '../../src/core/facts/fact.ts'
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EndpointView, NewEndpoint } from '../../src/contract/dashboard/endpoint.ts'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { OutboundError } from '../../src/infra/egress/outbound-error.ts'
import { EVENT_TYPES } from '../../src/core/vocabulary/events.ts'
import { refusalsOf, signedIn, type Member, itemsOf } from '../support/dashboard.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { setPlan } from '../support/records/accounts.ts'
import { auditLog } from '../support/records/audit.ts'
import { textOfSecrets } from '../support/records/erasing.ts'
import type { Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const PUBLIC = '93.184.216.34'

let shop: Shop
let owner: Member
let admin: Member
/** The addresses that the resolver returns; a name that is missing here has no address. */
const names = new Map<string, string[]>()
let lookUps = 0

const world = await openWorld({
  resolve: async (host) => {
    lookUps += 1
    const addresses = names.get(host)
    if (!addresses) throw new OutboundError('dns_failed', fact('host_without_address'))
    return addresses
  },
})

beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
  admin = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
  names.clear()
  names.set('shop.example.com', [PUBLIC])
  lookUps = 0
})

const endpoints = () => `/companies/${shop.companyId}/endpoints`
const endpoint = (id = shop.endpointId) => `${endpoints()}/${id}`

const INPUT = {
  name: 'Orders',
  url: 'https://shop.example.com/events',
  eventTypes: ['flow.completed', 'message.received'],
}

async function make(input: object = {}, member = owner): Promise<NewEndpoint> {
  const made = await member.ask<NewEndpoint>('POST', endpoints(), { ...INPUT, ...input })
  expect(made.status).toBe(201)
  return made.body
}

const show = async (id?: string) => (await owner.ask<EndpointView>('GET', endpoint(id))).body

describe('An endpoint', () => {
  test('is registered with its secret shown once; later only its last four characters and a fingerprint', async () => {
    const made = await owner.ask<NewEndpoint>('POST', endpoints(), INPUT)
    expect(made.status).toBe(201)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { secret, endpoint: view } = made.body
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    const now = world.clock.now().toISOString()
    expect(view).toEqual({
      id: view.id,
      name: 'Orders',
      url: 'https://shop.example.com/events',
      eventTypes: ['message.received', 'flow.completed'],
      apiVersion: '2026-10',
      isOn: true,
      state: 'untried',
      off: null,
      secrets: [
        {
          lastFour: secret.slice(-4),
          fingerprint: createHash('sha256').update(secret).digest('hex').slice(0, 8),
          createdAt: now,
          signsUntil: null,
        },
      ],
      failuresInRow: 0,
      failingSince: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      createdAt: now,
      updatedAt: now,
    })
    expect(await show(view.id)).toEqual(view)
    expect((await textOfSecrets(world)) + world.logged.join('')).not.toContain(secret)
  })

  test.each<[string, object, string, string]>([
    ['without a name', { name: ' ' }, 'name', 'too_short'],
    ['with a name of 81 characters', { name: 'م'.repeat(81) }, 'name', 'too_long'],
    ['without an event type', { eventTypes: [] }, 'eventTypes', 'too_small'],
    ['with an unknown event type', { eventTypes: ['order.made'] }, 'eventTypes[0]', 'not_a_choice'],
    ['with an unknown version', { apiVersion: '2020-01' }, 'apiVersion', 'not_a_choice'],
    ['with an unknown field', { secret: 'mine' }, 'secret', 'unknown_field'],
    ['with an http URL', { url: 'http://shop.example.com/' }, 'url', 'url_not_https'],
    ['with a URL of 501 characters', { url: longUrl(501) }, 'url', 'url_too_long'],
    ['with an unknown host', { url: 'https://unknown.example.com/' }, 'url', 'url_not_found'],
  ])('%s is refused: the answer names the field and the rule', async (_, input, field, code) => {
    const refused = await owner.ask('POST', endpoints(), { ...INPUT, ...input })
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid' } })
    expect(refused.body.errors).toEqual([
      { field, code, params: expect.any(Object), message: expect.stringMatching(/\w{3}/) },
    ])
  })

  test('subscribes to any of the 14 event types', async () => {
    expect((await make({ eventTypes: EVENT_TYPES })).endpoint.eventTypes).toEqual(EVENT_TYPES)
  })

  test('accepts a port, a query, a URL of 500 characters and a name of 80 Arabic letters', async () => {
    const url = 'https://shop.example.com:8443/hook?shop=1'
    expect((await make({ url })).endpoint.url).toBe(url)
    expect((await make({ url: longUrl(500) })).endpoint.url).toHaveLength(500)
    expect((await make({ name: 'م'.repeat(80) })).endpoint.name).toBe('م'.repeat(80))
  })

  test.each([
    ['one address of several is private', [PUBLIC, '10.1.2.3']],
    ['its name leads to an IPv4 address inside IPv6', ['::ffff:10.0.0.1']],
  ])('is refused when %s, and the answer names no address', async (_, addresses) => {
    names.set('shop.example.com', addresses)
    const refused = await owner.ask('POST', endpoints(), INPUT)
    expect(refused.status).toBe(422)
    expect(refusalsOf(refused)).toEqual(['url: url_address'])
    for (const address of addresses) expect(JSON.stringify(refused.body)).not.toContain(address)
  })

  systemTest('is one of at most 10 per company, also if made concurrently', async () => {
    for (let count = 1; count < DELIVERY_LIMITS.endpointsPerCompany - 1; count += 1) await make()
    const answers = await Promise.all(
      [owner, admin, owner, admin].map((member) => member.ask('POST', endpoints(), INPUT)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    const refused = answers.find(({ status }) => status === 409)!
    expect(refused.body).toMatchObject({ code: 'limit_reached', detail: /at most 10/ as never })
    const list = await itemsOf<EndpointView>(owner, `${endpoints()}?limit=100`)
    expect(list).toHaveLength(DELIVERY_LIMITS.endpointsPerCompany)
    // A deleted endpoint frees its place.
    expect((await owner.ask('DELETE', endpoint())).status).toBe(204)
    await make()
  })

  test('is still editable after the account left Business, but is neither made nor switched on', async () => {
    const extra = await make()
    await setPlan(world, shop, 'pro')
    for (const [method, path, json] of [
      ['POST', endpoints(), INPUT],
      ['POST', `${endpoint()}/switch-on`, undefined],
    ] as const) {
      const refused = await owner.ask(method, path, json)
      expect(refused).toMatchObject({ status: 403, body: { code: 'not_in_plan' } })
    }
    expect((await owner.ask('PATCH', endpoint(), { name: 'Kept' })).status).toBe(200)
    expect((await owner.ask('POST', `${endpoint()}/switch-off`)).status).toBe(200)
    expect((await owner.ask('POST', `${endpoint()}/secret/rotate`)).status).toBe(200)
    expect((await owner.ask('POST', `${endpoint()}/secret/retire-old`)).status).toBe(200)
    expect((await owner.ask('DELETE', endpoint(extra.endpoint.id))).status).toBe(204)
  })

  test('leaves each change in the audit log, without secrets and without the query of its URL', async () => {
    const { endpoint: view } = await make({ url: 'https://shop.example.com/a?key=s3cret-in-url' })
    const url = 'https://shop.example.com/b?key=s3cret-in-url'
    await owner.ask('PATCH', endpoint(view.id), { url })
    for (const change of ['switch-off', 'switch-on', 'secret/rotate', 'secret/retire-old']) {
      await owner.ask('POST', `${endpoint(view.id)}/${change}`)
    }
    await owner.ask('DELETE', endpoint(view.id))
    const rows = await auditLog(world, { subjectId: view.id })
    expect(rows.map(({ action }) => action)).toEqual([
      'endpoint.created',
      'endpoint.edited',
      'endpoint.switched_off',
      'endpoint.switched_on',
      'endpoint.secret_rotated',
      'endpoint.old_secret_retired',
      'endpoint.deleted',
    ])
    for (const row of rows) expect(row.actorId).toBe(owner.personId)
    expect(JSON.stringify(rows)).not.toMatch(/s3cret-in-url|whsec_/)
  })
})

describe('Editing an endpoint', () => {
  test('changes only the named fields', async () => {
    const before = await show()
    world.clock.advance(1_000)
    const edited = await owner.ask<EndpointView>('PATCH', endpoint(), {
      eventTypes: ['flow.failed', 'flow.failed', 'message.received'],
    })
    expect(edited.body).toEqual({
      ...before,
      eventTypes: ['message.received', 'flow.failed'],
      updatedAt: world.clock.now().toISOString(),
    })
    const again = await owner.ask<EndpointView>('PATCH', endpoint(), { name: before.name })
    expect(again.body).toEqual(edited.body)
  })

  test('looks up a new URL, but not an unchanged one', async () => {
    expect((await owner.ask('PATCH', endpoint(), { name: 'New' })).status).toBe(200)
    const { url } = await show()
    expect((await owner.ask('PATCH', endpoint(), { url })).status).toBe(200)
    expect(lookUps).toBe(0)
    names.set('shop.example.com', ['192.168.1.1'])
    const refused = await owner.ask('PATCH', endpoint(), { url: INPUT.url })
    expect(refusalsOf(refused)).toEqual(['url: url_address'])
    expect((await show()).url).toBe(url)
    names.set('shop.example.com', [PUBLIC])
    const edited = await owner.ask<EndpointView>('PATCH', endpoint(), { url: INPUT.url })
    expect(edited.body.url).toBe(INPUT.url)
  })

  test("keeps a colleague's change, and succeeds once among concurrent edits", async () => {
    const seen = await show()
    const edit = (member: Member, name: string, updatedAt: string) =>
      member.ask('PATCH', endpoint(), { name, updatedAt })
    world.clock.advance(1_000)
    await edit(admin, 'By the admin', seen.updatedAt)
    const late = await edit(owner, 'By the owner', seen.updatedAt)
    expect(late).toMatchObject({ status: 409, body: { code: 'stale' } })
    const { name, updatedAt } = await show()
    expect(name).toBe('By the admin')
    world.clock.advance(1_000)
    const answers = await Promise.all(
      [owner, admin, owner, admin].map((member, at) => edit(member, `Name ${at}`, updatedAt)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  })
})

function longUrl(chars: number): string {
  const start = 'https://shop.example.com/'
  return start + 'x'.repeat(chars - start.length)
}
