import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectionView } from '../../src/contract/dashboard/connection.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { CALL_LIMITS } from '../../src/limits/calls.ts'
import { SIGN_IN_LIMITS } from '../../src/contract/sign-in-limits.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createHostileResolver } from '../support/hostile-receiver.ts'
import { createWorld, type World } from '../support/service.ts'
import { startShopApi, type ShopApi } from '../support/shop-api.ts'
import { createShop, type Shop } from '../support/shop.ts'

const SECRET = 'sk_live_never_shown_1234'

let world: World
let shop: Shop
let owner: Member
let api: ShopApi
beforeAll(async () => {
  world = await createWorld({
    resolve: createHostileResolver({
      public: [['8.8.8.8']],
      mixed: [['8.8.8.8', '10.0.0.5']],
      'link-local': [['8.8.8.8', 'fe80::1']],
      unknown: ['servfail'],
      printer: [['8.8.8.8']],
    }),
  })
  api = await startShopApi(world)
})
afterAll(async () => {
  await api.close()
  await world.close()
})
let shops = 0
beforeEach(async () => {
  const number = String(++shops)
  shop = await createShop(world, { phoneNumberId: number, businessAccountId: number })
  owner = await signedIn(world, { accountId: shop.accountId })
})

const path = (companyId = shop.companyId) => `/companies/${companyId}/connections`
const create = (input: object = {}) =>
  owner.ask<ConnectionView>('POST', path(), { name: 'Shop system', baseUrl: api.baseUrl, ...input })
const made = async (input: object = {}) => (await create(input)).body
const fieldsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: { field: string; code: string }[] | null }).errors?.map(
    ({ field, code }) => `${field}: ${code}`,
  )
const setPlan = (plan: string) =>
  world.database.db.kysely
    .updateTable('account')
    .set({ plan })
    .where('id', '=', shop.accountId)
    .execute()

const everythingStored = async () => {
  const tables = ['api_connection', 'audit', 'call_log']
  const rows = await Promise.all(
    tables.map((table) => world.database.db.pool.query(`select * from ${table}`)),
  )
  return JSON.stringify([rows.map(({ rows: found }) => found), world.logged])
}

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
    // One that is so already stays as it is.
    expect((await owner.ask<ConnectionView>('POST', `${at}/switch-on`)).body.isOn).toBe(true)
    expect((await owner.ask<Page<ConnectionView>>('GET', path())).body.items).toHaveLength(1)
    expect((await owner.ask('DELETE', at)).status).toBe(204)
    expect((await owner.ask('GET', at)).status).toBe(404)
    expect((await owner.ask<Page<ConnectionView>>('GET', path())).body.items).toEqual([])
    const audit = await owner.ask<Page<{ action: string }>>('GET', '/audit')
    expect(audit.body.items.map(({ action }) => action)).toEqual([
      'connection.deleted',
      'connection.switched_on',
      'connection.switched_off',
      'connection.edited',
      'connection.created',
    ])
  })

  test('stands on one page of the list', async () => {
    const ids = [(await made()).id, (await made()).id, (await made()).id]
    const list = async (query: string) =>
      (await owner.ask<Page<ConnectionView>>('GET', `${path()}?limit=2${query}`)).body
    const first = await list('')
    const second = await list(`&cursor=${first.nextCursor}`)
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
    expect(second.nextCursor).toBe(null)
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
    const stored = await everythingStored()
    for (const secret of [SECRET, 'elevenchars', 'the-password-77']) {
      expect(stored).not.toContain(secret)
    }
    await owner.ask('DELETE', `${path()}/${long.id}`)
    const { rows } = await world.database.db.pool.query(
      'select credential, credential_last_four, headers from api_connection where id = $1',
      [long.id],
    )
    expect(rows).toEqual([{ credential: null, credential_last_four: null, headers: '[]' }])
  })

  test('keeps its credential when other fields are edited', async () => {
    const { id } = await made({ auth: { kind: 'bearer', token: SECRET } })
    await owner.ask('PATCH', `${path()}/${id}`, { name: 'Name only' })
    await owner.ask('PATCH', `${path()}/${id}`, { baseUrl: `${api.baseUrl}/v2` })
    await owner.ask('POST', `${path()}/${id}/test`, {})
    expect(api.requests.at(-1)).toMatchObject({
      url: '/api/v2/',
      headers: { authorization: `Bearer ${SECRET}` },
    })
  })

  test('asks for the credential again when its base URL leads to another origin', async () => {
    const { id } = await made({ auth: { kind: 'bearer', token: SECRET } })
    const at = `${path()}/${id}`
    const other = 'https://public.merchant.example/api'
    const refused = await owner.ask('PATCH', at, { baseUrl: other })
    expect(refused.status).toBe(422)
    expect(fieldsOf(refused)).toEqual(['auth: credential_needed_again'])
    const auth = { kind: 'bearer', token: 'another_token_5678' }
    const moved = await owner.ask<ConnectionView>('PATCH', at, { baseUrl: other, auth })
    expect(moved.body).toMatchObject({ baseUrl: other, auth: { lastFour: '5678' } })
    const open = await made()
    expect((await owner.ask('PATCH', `${path()}/${open.id}`, { baseUrl: other })).status).toBe(200)
  })

  test('is not overwritten by who saw it before another change', async () => {
    const { id, updatedAt } = await made()
    const at = `${path()}/${id}`
    world.clock.advance(1)
    await owner.ask('PATCH', at, { name: 'First' })
    expect((await owner.ask('PATCH', at, { name: 'Second', updatedAt })).body).toMatchObject({
      code: 'stale',
    })
  })

  test('takes the password again where its credential is set', async () => {
    const { id } = await made()
    world.clock.advance(SIGN_IN_LIMITS.passwordFreshMs + 1)
    expect((await create()).body).toMatchObject({ code: 'password_needed' })
    const auth = { kind: 'bearer', token: SECRET }
    const set = await owner.ask('PATCH', `${path()}/${id}`, { auth })
    expect(set.body).toMatchObject({ code: 'password_needed' })
    expect((await owner.ask('PATCH', `${path()}/${id}`, { name: 'Free' })).status).toBe(200)
  })
})

describe('A base URL', () => {
  const long = (chars: number) => `https://public.merchant.example/${'a'.repeat(chars - 32)}`
  test.each([
    ['https://public.merchant.example', true],
    ['https://public.merchant.example:8443/x', true],
    [long(500), true],
    [long(501), 'url_too_long'],
    ['http://public.merchant.example', 'url_not_https'],
    ['https://user:pass@public.merchant.example', 'url_userinfo'],
    ['https://public.merchant.example/?a=1', 'url_query'],
    ['https://public.merchant.example/#x', 'url_fragment'],
    ['https://public.merchant.example/a/../b', 'url_dot_segment'],
    ['https://public.merchant.example/a/.%2E/b', 'url_dot_segment'],
    ['https://public.merchant.example\\..\\b', 'url_bad_character'],
    ['https://printer.local', 'url_suffix'],
    ['https://db.internal.', 'url_suffix'],
    ['https://10.0.0.5', 'url_address'],
    ['https://172.16.0.1', 'url_address'],
    ['https://192.168.1.1', 'url_address'],
    ['https://169.254.169.254', 'url_address'],
    ['https://224.0.0.1', 'url_address'],
    ['https://0.0.0.0', 'url_address'],
    ['https://192.0.2.1', 'url_address'],
    ['https://203.0.113.1', 'url_address'],
    ['https://8.8.8.8', true],
    ['https://100.64.0.1', 'url_address'],
    ['https://[::1]', 'url_no_dot'],
    ['https://[2002:a00:1::]', 'url_no_dot'],
    ['https://0x7f.1', 'url_ip_spelling'],
    ['https://0177.0.0.1', 'url_ip_spelling'],
    ['https://متجر.merchant.example', true],
    ['https://public.merchant.example%00.evil.example', 'url_host'],
    ['not a url', 'url_bad_character'],
    ['https://mixed.merchant.example', 'url_address'],
    ['https://link-local.merchant.example', 'url_address'],
    ['https://unknown.merchant.example', 'url_not_found'],
  ])('%s: %s', async (baseUrl, expected) => {
    const answer = await create({ baseUrl })
    if (expected === true) expect(answer.status).toBe(201)
    else expect([answer.status, fieldsOf(answer)]).toEqual([422, [`baseUrl: ${expected}`]])
  })
})

describe('The fields of a connection', () => {
  const auth = (value: object) => ({ auth: value })
  const OURS = `Host authorization COOKIE Content-Length Content-Type Proxy-X Sec-X X-Forwarded-For
    Expect Set-Cookie`.split(/\s+/)
  test.each([
    ['a name of 80 characters', { name: 'n'.repeat(80) }, undefined],
    ['a name of 81 characters', { name: 'n'.repeat(81) }, ['name: too_long']],
    ['no name', { name: ' ' }, ['name: too_short']],
    ['1 second', { timeoutSeconds: 1 }, undefined],
    ['15 seconds', { timeoutSeconds: 15 }, undefined],
    ['0 seconds', { timeoutSeconds: 0 }, ['timeoutSeconds: too_small']],
    ['16 seconds', { timeoutSeconds: 16 }, ['timeoutSeconds: too_big']],
    ['half a second', { timeoutSeconds: 1.5 }, ['timeoutSeconds: wrong_type']],
    ['10 headers', { headers: headers(10) }, undefined],
    ['11 headers', { headers: headers(11) }, ['headers: too_big']],
    [
      'headers that the service writes, in any case',
      { headers: OURS.map((name) => ({ name, value: 'v' })) },
      OURS.map((_, place) => `headers[${place}].name: not_settable`),
    ],
    ['a credential of 4,096', auth({ kind: 'bearer', token: 't'.repeat(4_096) }), undefined],
    [
      'a credential of 4,097',
      auth({ kind: 'bearer', token: 't'.repeat(4_097) }),
      ['auth.token: secret_too_long'],
    ],
    [
      'a line break in it',
      auth({ kind: 'bearer', token: 'a\r\nb' }),
      ['auth.token: control_character'],
    ],
    ['none', auth({ kind: 'bearer', token: ' ' }), ['auth.token: missing']],
    [
      'a dash that is not one of ASCII',
      auth({ kind: 'bearer', token: 'sk\u2013live' }),
      ['auth.token: not_ascii'],
    ],
    [
      'an invisible mark from copying',
      auth({ kind: 'header', name: 'X-Api-Key', key: 'key\u200b' }),
      ['auth.key: not_ascii'],
    ],
    [
      'the same in a query, where it is encoded',
      auth({ kind: 'query', name: 'k', key: 'مفتاح' }),
      undefined,
    ],
    [
      'a password in Arabic, which is sent in Base64',
      auth({ kind: 'basic', username: 'سارة', password: 'كلمة' }),
      undefined,
    ],
    [
      'a key in a header that names another method',
      auth({ kind: 'header', name: 'X-HTTP-Method-Override', key: 'DELETE' }),
      ['auth.name: not_settable'],
    ],
    [
      'a colon in the user name',
      auth({ kind: 'basic', username: 'a:b', password: '' }),
      ['auth.username: username_wrong'],
    ],
    [
      'user name and password too long together',
      auth({ kind: 'basic', username: 'a', password: 'p'.repeat(4_095) }),
      ['auth.password: pair_too_long'],
    ],
    [
      'a key in a header that it cannot be in',
      auth({ kind: 'header', name: 'Cookie', key: 'k' }),
      ['auth.name: not_settable'],
    ],
    [
      'a key in Authorization',
      auth({ kind: 'header', name: 'Authorization', key: 'Token k' }),
      undefined,
    ],
    ['a kind of its own', auth({ kind: 'digest' }), ['auth.kind: not_a_choice']],
  ])('%s', async (_, input, expected) => {
    const answer = await create(input)
    expect([answer.status, fieldsOf(answer)]).toEqual([expected ? 422 : 201, expected])
  })

  function headers(count: number) {
    return Array.from({ length: count }, (_, i) => ({ name: `X-${i}`, value: 'v' }))
  }
})

describe('Up to 10 connections', () => {
  test('an 11th is refused, also when two are made at once; a deleted one gives its place back', async () => {
    for (let count = 1; count < CALL_LIMITS.connectionsPerCompany; count++) await made()
    const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const { body } = await owner.ask<Page<ConnectionView>>('GET', path())
    await owner.ask('DELETE', `${path()}/${body.items[0]!.id}`)
    expect((await create()).status).toBe(201)
  })
})

describe('Plans and roles', () => {
  test('after leaving Business: edit, switch off and delete, but not create, switch on or test', async () => {
    const { id } = await made()
    await setPlan('pro')
    const at = `${path()}/${id}`
    const refused = { status: 403, body: { code: 'not_in_plan' } }
    expect(await create()).toMatchObject(refused)
    expect(await owner.ask('POST', `${at}/test`, {})).toMatchObject(refused)
    expect((await owner.ask('PATCH', at, { name: 'Kept' })).status).toBe(200)
    expect((await owner.ask('POST', `${at}/switch-off`)).status).toBe(200)
    expect(await owner.ask('POST', `${at}/switch-on`)).toMatchObject(refused)
    expect((await owner.ask('DELETE', at)).status).toBe(204)
  })

  test('an Agent sees nothing of it, another account neither', async () => {
    const { id } = await made()
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    const stranger = await signedIn(world, {
      accountId: (await createShop(world, { phoneNumberId: `s${id}`, businessAccountId: id }))
        .accountId,
    })
    const requests: [string, string, unknown?][] = [
      ['GET', path()],
      ['POST', path(), { name: 'x', baseUrl: api.baseUrl }],
      ['GET', `${path()}/${id}`],
      ['PATCH', `${path()}/${id}`, { name: 'x' }],
      ['DELETE', `${path()}/${id}`],
      ['POST', `${path()}/${id}/switch-off`],
      ['POST', `${path()}/${id}/test`, {}],
      ['GET', `/companies/${shop.companyId}/calls`],
    ]
    for (const request of requests) {
      expect((await agent.ask(...request)).status).toBe(403)
      expect((await stranger.ask(...request)).status).toBe(404)
    }
  })
})
