import { beforeEach, describe, expect, test } from 'vitest'
import { codeAt, timeStepAt } from '../../src/modules/accounts/totp.ts'
import type {
  BegunSecondFactor,
  RecoveryCodes,
  SecondFactorView,
} from '../../src/contract/dashboard/second-factor.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { SecondFactorNeeded } from '../../src/contract/dashboard/session.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { routeGroups } from '../../src/http/dashboard-api/app.ts'
import { apiRequest, signedIn } from '../support/dashboard.ts'
import { listenLive } from '../support/live.ts'
import { openWorld } from '../support/open-world.ts'
import { addAccount } from '../support/records/accounts.ts'
import { auditLog } from '../support/records/audit.ts'
import { textOfEverything } from '../support/records/erasing.ts'
import { personWith } from '../support/records/members.ts'
import { waysInOf } from '../support/records/ways-in.ts'
import { askWith, EMAIL, PASSWORD, sessionOf, setUpOwner } from '../support/set-up.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
await setUpOwner(world)
let secret: string
let recoveryCodes: string[]
// The time lets codes and failures of an earlier test expire.
beforeEach(() => world.clock.advance(16 * MINUTE_MS))

type Told = { token: string; code: string; reason: string; params: { left: number } }
const post = <Body = Told & SecondFactorNeeded>(
  path: string,
  json: unknown,
  headers: Record<string, string> = {},
) => apiRequest<Body>(world.url, 'POST', path, { json, headers })
const ask = <Body = Told>(method: string, path: string, token: string, json?: unknown) =>
  askWith<Body>(world, token, method, path, json)
const signIn = (change: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  post('/session', { email: EMAIL, password: PASSWORD, client: 'program', ...change }, headers)
const codeNow = (steps = 0) => codeAt(secret, timeStepAt(world.clock.now()) + steps)
const finish = (
  secondFactorToken: string,
  code: string,
  client = 'program',
  headers: Record<string, string> = {},
) => post('/session/second-factor', { secondFactorToken, code, client }, headers)
const begun = async () => (await signIn()).body.secondFactorToken

/** Returns a session whose password was just entered. */
async function inside(): Promise<string> {
  world.clock.advance(90 * SECOND_MS)
  return (await finish(await begun(), codeNow())).body.token
}

describe('setting a second factor up', () => {
  test('needs the password again and a code of the app, and shows the recovery codes once', async () => {
    const { token } = (await signIn()).body
    const other = (await signIn()).body.token
    world.clock.advance(16 * MINUTE_MS)
    expect((await ask('POST', '/me/second-factor/begin', token)).body.code).toBe('password_needed')
    await ask('POST', '/session/confirm-password', token, { password: PASSWORD })
    const early = await ask('POST', '/me/second-factor/confirm', token, { code: '000000' })
    expect([early.body.code, early.body.reason]).toEqual(['conflict', 'second_factor_not_begun'])
    const first = await ask<BegunSecondFactor>('POST', '/me/second-factor/begin', token)
    const again = await ask<BegunSecondFactor>('POST', '/me/second-factor/begin', token)
    expect(first.body.secret).not.toBe(again.body.secret)
    expect(again.body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: `otpauth://totp/Wasla:owner%40example.com?secret=${again.body.secret}&issuer=Wasla&algorithm=SHA1&digits=6&period=30`,
    })
    // A sign-in asks for no code until the set-up is finished.
    expect((await signIn()).status).toBe(201)
    secret = again.body.secret
    const ofFirst = codeAt(first.body.secret, timeStepAt(world.clock.now()))
    const wrong = await ask('POST', '/me/second-factor/confirm', token, { code: ofFirst })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid'])
    const json = { code: codeNow() }
    const on = await ask<RecoveryCodes>('POST', '/me/second-factor/confirm', token, json)
    recoveryCodes = on.body.recoveryCodes
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
    // Sessions that knew the password alone have ended.
    expect((await ask('GET', '/session', other)).status).toBe(401)
    const { secondFactor } = await sessionOf(world, token)
    expect(secondFactor).toMatchObject({ isOn: true, recoveryCodesLeft: 10, mustSetUp: false })
    const twice = await ask('POST', '/me/second-factor/begin', token)
    expect(twice.body.reason).toBe('second_factor_on')
    expect(await auditLog(world, { action: 'second_factor.switched_on' })).toHaveLength(1)
  })

  test('stores neither the secret nor a recovery code in plain text', async () => {
    const stored = await textOfEverything(world)
    expect(stored).toMatch(/"secret":"v1\./)
    // Only the hash of each code is stored.
    expect(stored.match(/"code_hash":"\\\\x[0-9a-f]{64}"/g)).toHaveLength(10)
    const logged = world.logged.join('\n')
    for (const text of [secret, ...recoveryCodes]) {
      expect(logged).not.toContain(text)
      expect(stored).not.toContain(text)
      expect(stored).not.toContain(text.replaceAll('-', ''))
    }
  })
})

describe('signing in with a second factor', () => {
  test('the password alone gives no session, and a wrong one gives the same answer as without it', async () => {
    const answer = await signIn({ client: 'browser' })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.body).toEqual({
      status: 'second_factor_needed',
      secondFactorToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: new Date(world.clock.now().getTime() + 5 * MINUTE_MS).toISOString(),
    })
    const wrong = await signIn({ password: 'not my password' })
    expect([wrong.status, wrong.body.reason]).toEqual([401, 'email_or_password_wrong'])
    expect((await ask('GET', '/session', answer.body.secondFactorToken)).status).toBe(401)
  })

  test('a code gives a session once, also when typed in Arabic digits', async () => {
    const code = codeNow().replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
    const [one, other] = [await begun(), await begun()]
    const answer = await finish(one, code)
    expect(answer.status).toBe(201)
    expect((await ask('GET', '/session', answer.body.token)).status).toBe(200)
    const replayed = await finish(other, codeNow())
    expect([replayed.status, replayed.body.reason]).toEqual([401, 'sign_in_code_wrong'])
    expect((await finish(other, codeNow(-1))).body.reason).toBe('sign_in_code_wrong')
    expect((await finish(other, codeNow(1))).status).toBe(201)
    // A finished sign-in cannot be finished again.
    expect((await finish(one, codeNow(1))).body.reason).toBe('sign_in_over')
  })

  test('one code that is used in concurrent sign-ins gives one session', async () => {
    const tokens = await Promise.all([begun(), begun(), begun()])
    const answers = await Promise.all(tokens.map((token) => finish(token, codeNow())))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401])
  })

  test('one sign-in has five minutes and five codes', async () => {
    const late = await begun()
    world.clock.advance(5 * MINUTE_MS)
    expect((await finish(late, codeNow())).body.reason).toBe('sign_in_over')
    const tried = await begun()
    const left = []
    for (let n = 0; n < 5; n++) left.push((await finish(tried, '000000')).body.params.left)
    expect(left).toEqual([4, 3, 2, 1, 0])
    expect((await finish(tried, codeNow())).body.reason).toBe('sign_in_over')
  })

  test('five wrong codes slow a person down however often the password is entered', async () => {
    const tokens = await Promise.all(Array.from({ length: 4 }, begun))
    const tries = tokens.flatMap((token) => [finish(token, '000000'), finish(token, '111111')])
    const statuses = (await Promise.all(tries)).map(({ status }) => status).toSorted()
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    const refused = await finish(await begun(), codeNow())
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    world.clock.advance(15 * MINUTE_MS)
    expect((await finish(await begun(), codeNow())).status).toBe(201)
  })

  test('an attacker with the password does not lock the person out of a known browser', async () => {
    const origin = { origin: world.url }
    const browser = await signIn({ client: 'browser' }, origin)
    const cookies = await finish(browser.body.secondFactorToken, codeNow(), 'browser', origin)
    const device = cookies.headers.getSetCookie()[1]!.split(';')[0]!
    for (let n = 0; n < 5; n++) await finish(await begun(), '000000')
    world.clock.advance(30 * SECOND_MS)
    expect((await finish(await begun(), codeNow())).status).toBe(429)
    const known = { cookie: device, ...origin }
    const own = await signIn({ client: 'browser' }, known)
    const done = await finish(own.body.secondFactorToken, codeNow(), 'browser', known)
    expect(done.status).toBe(201)
  })

  test("a token of a browser's sign-in begins no session of a program", async () => {
    const { secondFactorToken } = (await signIn({ client: 'browser' })).body
    expect((await finish(secondFactorToken, codeNow())).body.reason).toBe('sign_in_over')
    for (const token of ['', 'x', `${secondFactorToken} `, '\0']) {
      expect((await finish(token, codeNow(), 'browser')).body.reason).toBe('sign_in_over')
    }
    expect((await finish(secondFactorToken, 'x'.repeat(65), 'browser')).status).toBe(422)
  })

  test('replacing the password ends sign-ins that began with the old one', async () => {
    const token = await inside()
    const waiting = await begun()
    const newPassword = 'quite another password'
    const json = { currentPassword: PASSWORD, newPassword }
    const changed = await ask('POST', '/session/password', token, json)
    world.clock.advance(30 * SECOND_MS)
    expect((await finish(waiting, codeNow())).body.reason).toBe('sign_in_over')
    const back = { currentPassword: newPassword, newPassword: PASSWORD }
    await ask('POST', '/session/password', changed.body.token, back)
  })

  test('a recovery code works once, and the number of those left is shown', async () => {
    const [first] = recoveryCodes as [string]
    const { token } = (await finish(await begun(), first.toUpperCase().replaceAll('-', ' '))).body
    const { body } = await ask<SecondFactorView>('GET', '/me/second-factor', token)
    expect(body).toMatchObject({ isOn: true, recoveryCodesLeft: 9 })
    expect((await finish(await begun(), first)).status).toBe(401)
    const last = (await auditLog(world, { action: 'session.started' })).at(-1)
    expect(last!.detail).toEqual({ secondFactor: 'recovery' })
  })

  test('accepting an invitation with a password asks for the code too', async () => {
    const accountId = await addAccount(world)
    const other = await signedIn(world, { accountId })
    const json = { email: EMAIL, role: 'agent' }
    const invited = await other.ask<{ token: string }>('POST', '/invitations', json)
    const given = { token: invited.body.token, password: PASSWORD, client: 'program' }
    const accepted = await post('/invitations/accept', given)
    expect([accepted.status, accepted.body.status]).toEqual([200, 'second_factor_needed'])
    const { token } = (await finish(accepted.body.secondFactorToken, codeNow())).body
    const session = await sessionOf(world, token)
    expect(session).toMatchObject({ account: { id: accountId }, role: 'agent' })
  })
})

describe('an account that requires a second factor of every member', () => {
  systemTest('lets a member without one only set it up, and ends their live streams', async () => {
    const token = await inside()
    const { account } = await sessionOf(world, token)
    const agent = await signedIn(world, { accountId: account.id, role: 'agent' })
    const owner = await signedIn(world, { accountId: account.id, role: 'owner' })
    const without = await owner.ask<Told>('PUT', '/account/second-factor', { isNeeded: true })
    expect(without.body.reason).toBe('second_factor_of_your_own')
    const asAgent = await agent.ask('PUT', '/account/second-factor', { isNeeded: true })
    expect(asAgent.body.code).toBe('forbidden')
    const companies = await agent.ask<Page<{ id: string }>>('GET', '/companies')
    const companyId = companies.body.items[0]!.id
    const listening = await listenLive(world, agent, companyId)
    const mine = await listenLive(world, { token }, companyId)
    expect([listening.status, mine.status]).toEqual([200, 200])
    const needed = await ask('PUT', '/account/second-factor', token, { isNeeded: true })
    expect(needed.body).toMatchObject({ needsSecondFactor: true })
    // The clock does not move, so no heartbeat has ended the stream. A member with a second factor
    // keeps theirs.
    expect(await listening.ended()).toBe(true)
    expect(mine.isOver()).toBe(false)
    mine.close()
    expect((await listenLive(world, agent, companyId)).status).toBe(403)
    for (const { method, path, access } of assertAccessDeclared(routeGroups)) {
      if (!access.session || access.isBeforeSecondFactor) continue
      if (!access.roles.includes('agent')) continue
      const json = method === 'GET' || method === 'DELETE' ? undefined : {}
      const answer = await agent.ask(method, path.replaceAll(/:\w+/g, account.id), json)
      expect([method, path, answer.body.code]).toEqual([method, path, 'second_factor_needed'])
    }
    expect((await sessionOf(world, agent.token)).secondFactor.mustSetUp).toBe(true)
    const begunHere = await agent.ask<BegunSecondFactor>('POST', '/me/second-factor/begin')
    const code = codeAt(begunHere.body.secret, timeStepAt(world.clock.now()))
    expect((await agent.ask('POST', '/me/second-factor/confirm', { code })).status).toBe(200)
    expect((await agent.ask('GET', '/companies')).status).toBe(200)
    await ask('PUT', '/account/second-factor', token, { isNeeded: false })
    expect((await owner.ask('GET', '/companies')).status).toBe(200)
  })

  test('answers only requests about oneself before it is set up', () => {
    const before = assertAccessDeclared(routeGroups)
      .filter(({ access }) => access.isBeforeSecondFactor)
      .map(({ method, path }) => `${method} ${path}`)
    expect(before.toSorted()).toEqual([
      'DELETE /session',
      'GET /me',
      'GET /me/second-factor',
      'GET /session',
      'PATCH /me',
      'POST /me/second-factor/begin',
      'POST /me/second-factor/confirm',
      'POST /me/second-factor/recovery-codes',
      'POST /me/second-factor/switch-off',
      'POST /session/account',
      'POST /session/confirm-password',
    ])
  })
})

describe('a second factor that is on', () => {
  test('gets ten new recovery codes that replace the earlier ones', async () => {
    const token = await inside()
    const path = '/me/second-factor/recovery-codes'
    expect((await ask('POST', path, token, { code: codeNow() })).body.code).toBe('invalid')
    world.clock.advance(30 * SECOND_MS)
    const renewed = await ask<RecoveryCodes>('POST', path, token, { code: codeNow() })
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    expect((await finish(await begun(), recoveryCodes[1]!)).status).toBe(401)
    recoveryCodes = renewed.body.recoveryCodes
    expect((await finish(await begun(), recoveryCodes[1]!)).status).toBe(201)
  })

  test('limits how many codes a session can try', async () => {
    const token = await inside()
    const statuses = []
    for (let n = 0; n < 6; n++) {
      const json = { code: '000000' }
      statuses.push((await ask('POST', '/me/second-factor/switch-off', token, json)).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })

  test('is switched off with a code or a recovery code, and then the password is enough', async () => {
    const token = await inside()
    const json = { code: recoveryCodes[2]! }
    expect((await ask('POST', '/me/second-factor/switch-off', token, json)).status).toBe(204)
    expect((await signIn()).status).toBe(201)
    const { id: personId } = await personWith(world, EMAIL)
    expect((await waysInOf(world, { personId })).recovery_code).toEqual([])
    expect(await auditLog(world, { action: 'second_factor.switched_off' })).toHaveLength(1)
  })
})
