import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSetUp } from '../../src/accounts/set-up.ts'
import type { ListedSessionView, SessionView } from '../../src/contract/dashboard/session.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { askApi, signedIn, type Answer } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { systemTest } from '../support/system-tests.ts'

const EMAIL = 'owner@example.com'
const PASSWORD = 'a long enough password'

let world: World
beforeAll(async () => {
  world = await createWorld({ databasePool: '8' })
  const setupToken = await openSetUp(world.service.context)
  await post('/setup', {
    setupToken,
    email: EMAIL,
    name: 'Owner',
    password: PASSWORD,
    accountName: 'Shop',
  })
})
afterAll(() => world.close())
// Failures of an earlier test are forgotten.
beforeEach(() => world.clock.advance(16 * MINUTE_MS))

type Token = { token: string | null; code: string }
const post = (path: string, json: unknown, headers: Record<string, string> = {}) =>
  askApi<Token>(world.url, 'POST', path, { json, headers })
const signIn = (change: Record<string, unknown> = {}) =>
  post('/session', { email: EMAIL, password: PASSWORD, client: 'program', ...change })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const ask = <Body>(method: string, path: string, token: string, json?: unknown) =>
  askApi<Body>(world.url, method, path, { json, headers: bearer(token) })
const statusOf = async (token: string) => (await ask('GET', '/session', token)).status

async function tokenOf(answer: Promise<Answer<Token>>): Promise<string> {
  return (await answer).body.token!
}

describe('a browser', () => {
  test('gets its token as a cookie that pages cannot read and other sites do not send', async () => {
    const answer = await signIn({ client: 'browser' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ token: null })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const [cookie, device] = answer.headers.getSetCookie() as [string, string]
    expect(device).toMatch(/^device=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/)
    // On plain HTTP of this machine; anywhere else it is `__Host-sid` and Secure.
    expect(cookie).toMatch(/^sid=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
    const headers = { cookie: cookie.split(';')[0]! }
    expect((await askApi(world.url, 'GET', '/session', { headers })).status).toBe(200)
  })

  test('is signed out by its cookie, with the origin named', async () => {
    const cookie = (await signIn({ client: 'browser' })).headers.get('set-cookie')!.split(';')[0]!
    const without = await askApi(world.url, 'DELETE', '/session', { headers: { cookie } })
    expect([without.status, without.body.code]).toEqual([403, 'wrong_origin'])
    const headers = { cookie, origin: world.url }
    const out = await askApi(world.url, 'DELETE', '/session', { headers })
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toMatch(/^sid=; Max-Age=0/)
    expect((await askApi(world.url, 'GET', '/session', { headers: { cookie } })).status).toBe(401)
  })

  test('its cookie is no bearer token, nor the other way round', async () => {
    const cookie = (await signIn({ client: 'browser' })).headers.get('set-cookie')!.split(';')[0]!
    expect(await statusOf(cookie.slice('sid='.length))).toBe(401)
    const headers = { cookie: `sid=${await tokenOf(signIn())}` }
    expect((await askApi(world.url, 'GET', '/session', { headers })).status).toBe(401)
  })
})

describe('signing in', () => {
  test('is without case in the e-mail address', async () => {
    expect((await signIn({ email: ' OWNER@example.COM ' })).status).toBe(201)
  })

  test('a wrong password and an unknown address are refused alike', async () => {
    const wrong = await signIn({ password: 'not my password' })
    const unknown = await signIn({ email: 'nobody@example.com' })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'sign_in_failed'])
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
  })

  test('an address with a NUL is an unknown one, not an error of ours', async () => {
    expect((await signIn({ email: 'a\u0000b@example.com' })).body.code).toBe('sign_in_failed')
  })

  test('someone who is no longer a member of any account is told so', async () => {
    const { kysely } = world.database.db
    const person = await kysely
      .selectFrom('person')
      .select(['id', 'passwordHash'])
      .where('email', '=', EMAIL)
      .executeTakeFirstOrThrow()
    await kysely
      .insertInto('person')
      .values({
        id: world.service.context.ids.uuid(),
        email: 'gone@example.com',
        passwordHash: person.passwordHash,
        createdAt: world.clock.now(),
      })
      .execute()
    expect((await signIn({ email: 'gone@example.com' })).body.code).toBe('forbidden')
  })

  test('five wrong passwords for one address slow it down for 15 minutes, the right one included', async () => {
    for (let n = 0; n < 5; n++) {
      expect((await signIn({ password: 'not my password' })).status).toBe(401)
      world.clock.advance(MINUTE_MS)
    }
    const refused = await signIn()
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe(String(10 * 60))
    world.clock.advance(10 * MINUTE_MS)
    expect((await signIn()).status).toBe(201)
  })

  test('many at once cannot slip through', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => signIn({ password: 'not my password' })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  test('the right password forgives the earlier wrong ones of its address', async () => {
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 4; n++) await signIn({ password: 'not my password' })
      expect((await signIn()).status).toBe(201)
    }
  })

  systemTest(
    'twenty failures from one network address slow it down whatever the e-mail',
    async () => {
      for (let n = 0; n < 20; n++) {
        expect((await signIn({ email: `guess${n}@example.com` })).status).toBe(401)
      }
      expect((await signIn()).status).toBe(429)
    },
  )
})

describe('a session', () => {
  test('is over after 12 idle hours', async () => {
    const token = await tokenOf(signIn())
    world.clock.advance(12 * HOUR_MS - 1)
    expect(await statusOf(token)).toBe(200)
    world.clock.advance(12 * HOUR_MS)
    expect(await statusOf(token)).toBe(401)
  })

  test('is over after 7 days however busy it is', async () => {
    const token = await tokenOf(signIn())
    for (let hours = 11; hours < 7 * 24; hours += 11) {
      world.clock.advance(11 * HOUR_MS)
      expect(await statusOf(token)).toBe(200)
    }
    world.clock.advance(11 * HOUR_MS)
    expect(await statusOf(token)).toBe(401)
  })

  test('each sign-in has a token of its own; they are listed, ended one by one and all at once', async () => {
    const tokens = []
    for (let n = 0; n < 4; n++) tokens.push(await tokenOf(signIn()))
    const [one, two, three, four] = tokens as [string, string, string, string]
    expect(new Set(tokens).size).toBe(4)
    const list = await ask<Page<ListedSessionView>>('GET', '/sessions?limit=4', one)
    expect(list.body.items.map(({ isThisOne }) => isThisOne)).toEqual([false, false, false, true])
    expect(list.body.items[0]!.kind).toBe('program')
    const fourth = list.body.items[0]!.id
    expect((await ask('DELETE', `/sessions/${fourth}`, one)).status).toBe(204)
    expect(await statusOf(four)).toBe(401)
    await ask('DELETE', '/sessions', one)
    expect(await Promise.all([one, two, three].map(statusOf))).toEqual([200, 401, 401])
  })

  test('of another person cannot be ended', async () => {
    const token = await tokenOf(signIn())
    const mine = (await ask<SessionView>('GET', '/session', token)).body
    const other = await signedIn(world, { accountId: mine.account.id, role: 'owner' })
    expect((await other.ask('DELETE', `/sessions/${mine.id}`)).status).toBe(404)
    expect(await statusOf(token)).toBe(200)
  })

  test('a new password ends every other session and gives this one a new token', async () => {
    const [one, other] = [await tokenOf(signIn()), await tokenOf(signIn())]
    const newPassword = 'quite another password'
    const wrong = await ask<Token>('POST', '/session/password', one, {
      currentPassword: 'not my password',
      newPassword,
    })
    expect(wrong.body.code).toBe('sign_in_failed')
    const changed = await ask<Token>('POST', '/session/password', one, {
      currentPassword: PASSWORD,
      newPassword,
    })
    expect(changed.status).toBe(200)
    expect(await Promise.all([one, other, changed.body.token!].map(statusOf))).toEqual([
      401, 401, 200,
    ])
    expect((await signIn()).status).toBe(401)
    expect((await signIn({ password: newPassword })).status).toBe(201)
    await ask('POST', '/session/password', changed.body.token!, {
      currentPassword: newPassword,
      newPassword: PASSWORD,
    })
  })

  test('what needs the password lately needs it again after 15 minutes', async () => {
    const token = await tokenOf(signIn())
    const invite = () =>
      ask<Token>('POST', '/invitations', token, { email: 'new@example.com', role: 'agent' })
    expect((await invite()).status).toBe(201)
    world.clock.advance(15 * MINUTE_MS + 1)
    expect((await invite()).body.code).toBe('password_needed')
    const wrong = await ask<Token>('POST', '/session/confirm-password', token, {
      password: 'not my password',
    })
    expect(wrong.body.code).toBe('sign_in_failed')
    expect((await invite()).body.code).toBe('password_needed')
    await ask('POST', '/session/confirm-password', token, { password: PASSWORD })
    expect((await invite()).status).toBe(201)
  })

  test('is for one account; a member of several switches, with a new token', async () => {
    const { ids, db, clock } = world.service.context
    const token = await tokenOf(signIn())
    const here = (await ask<SessionView>('GET', '/session', token)).body
    const otherId = ids.uuid()
    await db.kysely
      .insertInto('account')
      .values({ id: otherId, name: 'Other', plan: 'pro', createdAt: clock.now() })
      .execute()
    const refused = await ask<Token>('POST', '/session/account', token, { accountId: otherId })
    expect(refused.body.code).toBe('not_found')
    await db.kysely
      .insertInto('member')
      .values({
        id: ids.uuid(),
        accountId: otherId,
        personId: here.person.id,
        role: 'agent',
        createdAt: clock.now(),
      })
      .execute()
    const switched = await ask<Token>('POST', '/session/account', token, { accountId: otherId })
    expect(await statusOf(token)).toBe(401)
    const there = (await ask<SessionView>('GET', '/session', switched.body.token!)).body
    expect(there).toMatchObject({ account: { name: 'Other', plan: 'pro' }, role: 'agent' })
    expect((await ask<Token>('GET', '/members', switched.body.token!)).body.code).toBe('forbidden')
  })

  test('neither token nor password is in the log', async () => {
    const token = await tokenOf(signIn())
    await signIn({ password: 'not my password' })
    const logged = world.logged.join('\n')
    for (const secret of [token, PASSWORD, 'not my password']) expect(logged).not.toContain(secret)
  })
})
