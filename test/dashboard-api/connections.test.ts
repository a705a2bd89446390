import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectionView } from '../../src/contract/dashboard/connection.ts'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { refusalsOf, type Member, itemsOf } from '../support/dashboard.ts'
import { createHostileResolver } from '../support/hostile-receiver.ts'
import { startShopApi } from '../support/shop-api.ts'
import type { Shop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { setPlan } from '../support/records/accounts.ts'
import { connectionOf } from '../support/records/calls.ts'
import { textOfSecrets } from '../support/records/erasing.ts'

const SECRET = 'sk_live_never_shown_1234'

let shop: Shop
let owner: Member
const world = await openWorld({
  resolve: createHostileResolver({
    public: [['8.8.8.8']],
    mixed: [['8.8.8.8', '10.0.0.5']],
    unknown: ['servfail'],
  }),
})
const api = await startShopApi(world)
afterAll(() => api.close())
beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
})

const path = (companyId = shop.companyId) => `/companies/${companyId}/connections`
const create = (input: object = {}) =>
  owner.ask<ConnectionView>('POST', path(), { name: 'Shop system', baseUrl: api.baseUrl, ...input })
const made = async (input: object = {}) => (await create(input)).body
describe('A connection', () => {
  test('is made, shown, listed, edited, switched and deleted, each change in the audit log', async () => {
    const connection = await made({
      auth: { kind: 'bearer', token: ` ${SECRET} ` },
      headers: [{ name: 'X-Shop', value: 'riyadh' }],
    })
    expect(connection).toEqual({
      id: expect.any(String),
      name: 'Shop system',
      baseUrl: api.baseUrl,
      auth: { kind: 'bearer', name: null, lastFour: '1234' },
      headers: [{ name: 'X-Shop', value: 'riyadh' }],
      timeoutSeconds: 10,
      isOn: true,
      createdAt: world.clock.now().toISOString(),
      updatedAt: world.clock.now().toISOString(),
    })
    const at = `${path()}/${connection.id}`
    expect((await owner.ask('GET', at)).body).toEqual(connection)
    world.clock.advance(1)
    const edited = await owner.ask<ConnectionView>('PATCH', at, { name: 'New', timeoutSeconds: 15 })
    expect(edited.body).toEqual({
      ...connection,
      name: 'New',
      timeoutSeconds: 15,
      updatedAt: world.clock.now().toISOString(),
    })
    expect((await owner.ask<ConnectionView>('POST', `${at}/switch-off`)).body.isOn).toBe(false)
    expect((await owner.ask<ConnectionView>('POST', `${at}/switch-on`)).body.isOn).toBe(true)
    // Switching on a connection that is on changes nothing.
    expect((await owner.ask<ConnectionView>('POST', `${at}/switch-on`)).body.isOn).toBe(true)
    expect(await itemsOf<ConnectionView>(owner, path())).toHaveLength(1)
    expect((await owner.ask('DELETE', at)).status).toBe(204)
    expect((await owner.ask('GET', at)).status).toBe(404)
    expect(await itemsOf<ConnectionView>(owner, path())).toEqual([])
    const audit = await itemsOf<{ action: string }>(owner, '/audit')
    expect(audit.map(({ action }) => action)).toEqual([
      'connection.deleted',
      'connection.switched_on',
      'connection.switched_off',
      'connection.edited',
      'connection.created',
    ])
  })

  test('keeps its credential encrypted, shows at most its last four, and wipes it when deleted', async () => {
    const headers = [{ name: 'X-Shop', value: 'riyadh' }]
    const long = await made({ auth: { kind: 'header', name: 'X-Api-Key', key: SECRET }, headers })
    expect(long.auth).toEqual({ kind: 'header', name: 'X-Api-Key', lastFour: '1234' })
    const short = await made({ auth: { kind: 'query', name: 'key', key: 'elevenchars' } })
    expect(short.auth).toEqual({ kind: 'query', name: 'key', lastFour: null })
    const twelve = await made({ auth: { kind: 'bearer', token: 'twelve_chars' } })
    expect(twelve.auth.lastFour).toBe('hars')
    for (const key of ['four', 'seven77']) {
      expect((await made({ auth: { kind: 'bearer', token: key } })).auth.lastFour).toBeNull()
    }
    const basic = await made({
      auth: { kind: 'basic', username: 'sara', password: 'the-password-77' },
    })
    expect(basic.auth).toEqual({ kind: 'basic', name: null, lastFour: 'd-77' })
    const stored = (await textOfSecrets(world)) + world.logged.join('')
    for (const secret of [SECRET, 'elevenchars', 'the-password-77']) {
      expect(stored).not.toContain(secret)
    }
    await owner.ask('DELETE', `${path()}/${long.id}`)
    expect(await connectionOf(world, { connectionId: long.id })).toMatchObject({
      credential: null,
      credentialLastFour: null,
      headers: '[]',
    })
  })

  test('keeps its credential in other edits, and asks for it again when its base URL changes its origin', async () => {
    const { id } = await made({ auth: { kind: 'bearer', token: SECRET } })
    const at = `${path()}/${id}`
    await owner.ask('PATCH', at, { name: 'Name only' })
    await owner.ask('PATCH', at, { baseUrl: `${api.baseUrl}/v2` })
    await owner.ask('POST', `${at}/test`, {})
    expect(api.requests.at(-1)).toMatchObject({
      url: '/api/v2/',
      headers: { authorization: `Bearer ${SECRET}` },
    })
    const other = 'https://public.merchant.example/api'
    const refused = await owner.ask('PATCH', at, { baseUrl: other })
    expect([refused.status, refusalsOf(refused)]).toEqual([422, ['auth: credential_needed_again']])
    const auth = { kind: 'bearer', token: 'another_token_5678' }
    const moved = await owner.ask<ConnectionView>('PATCH', at, { baseUrl: other, auth })
    expect(moved.body).toMatchObject({ baseUrl: other, auth: { lastFour: '5678' } })
    const open = await made()
    expect((await owner.ask('PATCH', `${path()}/${open.id}`, { baseUrl: other })).status).toBe(200)
  })

  test('is not overwritten by a member who saw it before another change', async () => {
    const { id, updatedAt } = await made()
    const at = `${path()}/${id}`
    world.clock.advance(1)
    await owner.ask('PATCH', at, { name: 'First' })
    expect((await owner.ask('PATCH', at, { name: 'Second', updatedAt })).body).toMatchObject({
      code: 'stale',
    })
  })
})

describe('A base URL', () => {
  const long = (chars: number) => `https://public.merchant.example/${'a'.repeat(chars - 32)}`
  test.each([
    [long(500), true],
    [long(501), 'url_too_long'],
    ['http://public.merchant.example', 'url_not_https'],
    ['https://10.0.0.5', 'url_address'],
    ['https://mixed.merchant.example', 'url_address'],
    ['https://unknown.merchant.example', 'url_not_found'],
  ])('%s: %s', async (baseUrl, expected) => {
    const answer = await create({ baseUrl })
    if (expected === true) expect(answer.status).toBe(201)
    else expect([answer.status, refusalsOf(answer)]).toEqual([422, [`baseUrl: ${expected}`]])
  })
})

describe('The fields of a connection', () => {
  const bearer = (token: string) => ({ auth: { kind: 'bearer', token } })
  const header = (name: string, key: string) => ({ auth: { kind: 'header', name, key } })
  const query = (key: string) => ({ auth: { kind: 'query', name: 'k', key } })
  const basic = (username: string, password: string) => ({
    auth: { kind: 'basic', username, password },
  })
  const headers = (count: number) => ({
    headers: Array.from({ length: count }, (_, i) => ({ name: `X-${i}`, value: 'v' })),
  })
  const OURS = `Host authorization COOKIE Content-Length Content-Type Proxy-X Sec-X X-Forwarded-For
    Expect Set-Cookie`.split(/\s+/)
  const ours = { headers: OURS.map((name) => ({ name, value: 'v' })) }
  const refusedOurs = OURS.map((_, place) => `headers[${place}].name: not_settable`)

  test.each([
    ['a name of 80 characters', { name: 'n'.repeat(80) }, undefined],
    ['a name of 81 characters', { name: 'n'.repeat(81) }, ['name: too_long']],
    ['no name', { name: ' ' }, ['name: too_short']],
    ['1 second', { timeoutSeconds: 1 }, undefined],
    ['15 seconds', { timeoutSeconds: 15 }, undefined],
    ['0 seconds', { timeoutSeconds: 0 }, ['timeoutSeconds: too_small']],
    ['16 seconds', { timeoutSeconds: 16 }, ['timeoutSeconds: too_big']],
    ['half a second', { timeoutSeconds: 1.5 }, ['timeoutSeconds: wrong_type']],
    ['10 headers', headers(10), undefined],
    ['11 headers', headers(11), ['headers: too_big']],
    ['headers that the service writes, in any case', ours, refusedOurs],
    ['a credential of 4,096', bearer('t'.repeat(4_096)), undefined],
    ['a credential of 4,097', bearer('t'.repeat(4_097)), ['auth.token: secret_too_long']],
    ['a line break in it', bearer('a\r\nb'), ['auth.token: control_character']],
    ['none', bearer(' '), ['auth.token: missing']],
    ['a dash that is not one of ASCII', bearer('sk\u2013live'), ['auth.token: not_ascii']],
    ['a mark from copying', header('X-Api-Key', 'key\u200b'), ['auth.key: not_ascii']],
    ['an Arabic key in a query, where it is encoded', query('مفتاح'), undefined],
    ['a password in Arabic, which is sent in Base64', basic('سارة', 'كلمة'), undefined],
    ['a method', header('X-HTTP-Method-Override', 'DELETE'), ['auth.name: not_settable']],
    ['a colon in the user name', basic('a:b', ''), ['auth.username: username_wrong']],
    ['a pair too long', basic('a', 'p'.repeat(4_095)), ['auth.password: pair_too_long']],
    ['a key in a header of this service', header('Cookie', 'k'), ['auth.name: not_settable']],
    ['a key in Authorization', header('Authorization', 'Token k'), undefined],
    ['an unknown kind', { auth: { kind: 'digest' } }, ['auth.kind: not_a_choice']],
  ])('%s', async (_, input, expected) => {
    const answer = await create(input)
    expect([answer.status, refusalsOf(answer)]).toEqual([expected ? 422 : 201, expected])
  })
})

test('An 11th connection is refused, also among concurrent requests; a deleted one frees its place', async () => {
  for (let count = 1; count < CALL_LIMITS.connectionsPerCompany; count++) await made()
  const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  const items = await itemsOf<ConnectionView>(owner, path())
  await owner.ask('DELETE', `${path()}/${items[0]!.id}`)
  expect((await create()).status).toBe(201)
})

test('Members who left Business may edit, switch off and delete, but not create, switch on or test', async () => {
  const at = `${path()}/${(await made()).id}`
  await setPlan(world, shop, 'pro')
  const refused = { status: 403, body: { code: 'not_in_plan' } }
  expect(await create()).toMatchObject(refused)
  expect(await owner.ask('POST', `${at}/test`, {})).toMatchObject(refused)
  expect((await owner.ask('PATCH', at, { name: 'Kept' })).status).toBe(200)
  expect((await owner.ask('POST', `${at}/switch-off`)).status).toBe(200)
  expect(await owner.ask('POST', `${at}/switch-on`)).toMatchObject(refused)
  expect((await owner.ask('DELETE', at)).status).toBe(204)
})
