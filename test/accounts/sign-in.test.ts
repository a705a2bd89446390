import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type { ListedSessionView } from '../../src/contract/dashboard/session.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import {
  countFailedSignIn,
  addressCounters,
  emailCounter,
} from '../../src/modules/accounts/throttle-sign-in.sql.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { apiRequest, signedIn } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { addAccount } from '../support/records/accounts.ts'
import { addMember, addPerson, personWith } from '../support/records/members.ts'
import { askWith, EMAIL, PASSWORD, sessionOf, setUpOwner } from '../support/set-up.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld({ databasePool: '8' })
await setUpOwner(world)
// The time lets failures of an earlier test expire.
beforeEach(() => world.clock.advance(16 * MINUTE_MS))

type Token = { token: string | null; code: string }
const signIn = (change: Record<string, unknown> = {}) => {
  const json = { email: EMAIL, password: PASSWORD, client: 'program', ...change }
  return apiRequest<Token>(world.url, 'POST', '/session', { json })
}
const ask = <Body = Token>(method: string, path: string, token: string, json?: unknown) =>
  askWith<Body>(world, token, method, path, json)
const statusOf = async (token: string) => (await ask('GET', '/session', token)).status
/** Returns the token of a new session of a program. */
const newToken = async () => (await signIn()).body.token!
/** Returns the cookie of a new session of a browser. */
const newCookie = async () =>
  (await signIn({ client: 'browser' })).headers.get('set-cookie')!.split(';')[0]!
const WRONG = { password: 'not my password' }

describe('a browser', () => {
  test('gets its token as a cookie that pages cannot read and other sites do not send', async () => {
    const answer = await signIn({ client: 'browser' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ token: null })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const [cookie, device] = answer.headers.getSetCookie() as [string, string]
    expect(device).toMatch(/^device=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/)
    // The cookie is `__Host-sid` and Secure anywhere but on plain HTTP of this machine.
    expect(cookie).toMatch(/^sid=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
    const headers = { cookie: cookie.split(';')[0]! }
    expect((await apiRequest(world.url, 'GET', '/session', { headers })).status).toBe(200)
  })

  test('is signed out by its cookie, with the origin named', async () => {
    const cookie = await newCookie()
    const without = await apiRequest(world.url, 'DELETE', '/session', { headers: { cookie } })
    expect([without.status, without.body.code]).toEqual([403, 'wrong_origin'])
    const headers = { cookie, origin: world.url }
    const out = await apiRequest(world.url, 'DELETE', '/session', { headers })
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toMatch(/^sid=; Max-Age=0/)
    expect((await apiRequest(world.url, 'GET', '/session', { headers: { cookie } })).status).toBe(
      401,
    )
  })

  test('cannot use its cookie as a bearer token, nor a program its token as a cookie', async () => {
    expect(await statusOf((await newCookie()).slice('sid='.length))).toBe(401)
    const headers = { cookie: `sid=${await newToken()}` }
    expect((await apiRequest(world.url, 'GET', '/session', { headers })).status).toBe(401)
  })
})

describe('signing in', () => {
  test('ignores case in the address, and refuses a wrong password and an unknown address alike', async () => {
    expect((await signIn({ email: ' OWNER@example.COM ' })).status).toBe(201)
    const wrong = await signIn(WRONG)
    expect([wrong.status, wrong.body.code]).toEqual([401, 'sign_in_failed'])
    const unknown = await signIn({ email: 'nobody@example.com' })
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
    // An address with a NUL is unknown too, and is answered without a 500.
    expect((await signIn({ email: 'a\u0000b@example.com' })).body.code).toBe('sign_in_failed')
  })

  test('logs, audits and counts a failure without password and address in plain text', async () => {
    const token = await newToken()
    const { body: before } = await ask<Page<AuditView>>('GET', '/audit', token)
    const from = world.logged.length
    const { body } = await signIn({ email: EMAIL.toUpperCase(), ...WRONG })
    await signIn({ email: 'nobody@example.com' })
    const lines = world.logged
      .slice(from)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const failed = lines.filter(({ msg }) => msg === 'sign-in failed')
    expect(failed).toHaveLength(2)
    expect(failed[0]).toMatchObject({
      requestId: (body as { requestId?: string }).requestId,
      address: '127.0.0.1',
      reason: 'email_or_password_wrong',
    })
    expect(lines).toContainEqual(
      expect.objectContaining({
        requestId: (body as { requestId?: string }).requestId,
        route: '/api/session',
        method: 'POST',
        status: 401,
        ms: expect.any(Number),
      }),
    )
    expect(JSON.stringify(lines).toLowerCase()).not.toMatch(
      /owner@example|nobody@example|not my password/,
    )
    const refusals = async () =>
      (await ask<Page<AuditView>>('GET', '/audit', token)).body.items.filter(
        ({ action }) => action === 'session.refused',
      )
    const known = before.items.filter(({ action }) => action === 'session.refused').length
    // The audit is written after the response, and only for an address that a person has.
    await waitUntil('the audit', async () => (await refusals()).length === known + 1)
    expect((await refusals())[0]!.detail).toEqual({
      address: '127.0.0.1',
      reason: 'email_or_password_wrong',
    })
  })

  test('refuses a person who is no longer a member of any account', async () => {
    const { passwordHash } = await personWith(world, EMAIL)
    await addPerson(world, { email: 'gone@example.com', passwordHash })
    expect((await signIn({ email: 'gone@example.com' })).body.code).toBe('forbidden')
  })

  test('five wrong passwords for one address slow it down for 15 minutes, the right one included', async () => {
    for (let n = 0; n < 5; n++) {
      expect((await signIn(WRONG)).status).toBe(401)
      world.clock.advance(MINUTE_MS)
    }
    const refused = await signIn()
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe(String(10 * 60))
    world.clock.advance(10 * MINUTE_MS)
    expect((await signIn()).status).toBe(201)
  })

  test('applies the same limit to concurrent failures', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(WRONG)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  test('forgets the earlier wrong passwords of an address after the right one', async () => {
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 4; n++) await signIn(WRONG)
      expect((await signIn()).status).toBe(201)
    }
  })

  systemTest('twenty failures slow down a network address, whatever the e-mail', async () => {
    for (let n = 0; n < 20; n++) {
      expect((await signIn({ email: `guess${n}@example.com` })).status).toBe(401)
    }
    expect((await signIn()).status).toBe(429)
  })
})

describe('a session', () => {
  test('ends after 12 idle hours, and after 7 days however busy it is', async () => {
    const idle = await newToken()
    world.clock.advance(12 * HOUR_MS - 1)
    expect(await statusOf(idle)).toBe(200)
    world.clock.advance(12 * HOUR_MS)
    expect(await statusOf(idle)).toBe(401)
    const token = await newToken()
    for (let hours = 11; hours < 7 * 24; hours += 11) {
      world.clock.advance(11 * HOUR_MS)
      expect(await statusOf(token)).toBe(200)
    }
    world.clock.advance(11 * HOUR_MS)
    expect(await statusOf(token)).toBe(401)
  })

  test('has a token for each sign-in, is listed, and ends alone or with all others', async () => {
    const tokens = []
    for (let n = 0; n < 4; n++) tokens.push(await newToken())
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

  test('cannot be ended by another person', async () => {
    const token = await newToken()
    const mine = await sessionOf(world, token)
    const other = await signedIn(world, { accountId: mine.account.id, role: 'owner' })
    expect((await other.ask('DELETE', `/sessions/${mine.id}`)).status).toBe(404)
    expect(await statusOf(token)).toBe(200)
  })

  test('ends when another session changes the password, and that session gets a new token', async () => {
    const [one, other] = [await newToken(), await newToken()]
    const another = 'quite another password'
    const change = (token: string, currentPassword: string, newPassword: string) =>
      ask('POST', '/session/password', token, { currentPassword, newPassword })
    expect((await change(one, WRONG.password, another)).body.code).toBe('sign_in_failed')
    const { status, body } = await change(one, PASSWORD, another)
    expect(status).toBe(200)
    expect(await Promise.all([one, other, body.token!].map(statusOf))).toEqual([401, 401, 200])
    expect((await signIn()).status).toBe(401)
    expect((await signIn({ password: another })).status).toBe(201)
    await change(body.token!, another, PASSWORD)
  })

  test('needs the password again for sensitive requests after 15 minutes', async () => {
    const token = await newToken()
    const invite = () =>
      ask('POST', '/invitations', token, { email: 'new@example.com', role: 'agent' })
    expect((await invite()).status).toBe(201)
    world.clock.advance(15 * MINUTE_MS + 1)
    expect((await invite()).body.code).toBe('password_needed')
    const wrong = await ask('POST', '/session/confirm-password', token, WRONG)
    expect(wrong.body.code).toBe('sign_in_failed')
    expect((await invite()).body.code).toBe('password_needed')
    await ask('POST', '/session/confirm-password', token, { password: PASSWORD })
    expect((await invite()).status).toBe(201)
  })

  test('belongs to one account, and a member of several switches with a new token', async () => {
    const token = await newToken()
    const personId = (await sessionOf(world, token)).person.id
    const accountId = await addAccount(world, { name: 'Other', plan: 'pro' })
    const change = () => ask('POST', '/session/account', token, { accountId })
    expect((await change()).body.code).toBe('not_found')
    await addMember(world, { accountId }, { personId }, 'agent')
    const changed = (await change()).body.token!
    expect(await statusOf(token)).toBe(401)
    const there = await sessionOf(world, changed)
    expect(there).toMatchObject({ account: { name: 'Other', plan: 'pro' }, role: 'agent' })
    expect((await ask('GET', '/members', changed)).body.code).toBe('forbidden')
  })
})

systemTest('wrong passwords are counted for the networks of an IPv6 address too', async () => {
  const tryFrom = (network: string, n: number) =>
    countFailedSignIn(
      world.service.context,
      emailCounter(`${network}-${n}@example.com`),
      ...addressCounters(network),
    )
  // No single network reaches its limit.
  for (let n = 0; n < 80; n += 1) await tryFrom(`2001:db8:1:${n.toString(16)}::/64`, n)
  await expect(tryFrom('2001:db8:1:ff::/64', 80)).rejects.toThrow(
    expect.objectContaining({ code: 'rate_limited' }) as Error,
  )
  await tryFrom('2001:db8:1:100::/64', 81)
})
