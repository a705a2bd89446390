/** Decisions about a person while another request changes their account or their credentials. */
import { afterAll, expect, test } from 'vitest'
import { codeAt, timeStepAt } from '../../src/modules/accounts/totp.ts'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import type { InvitationView } from '../../src/contract/dashboard/member.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type {
  BegunSecondFactor,
  RecoveryCodes,
} from '../../src/contract/dashboard/second-factor.ts'
import { SIGN_IN_LIMITS } from '../../src/core/limits/sign-in.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { countBlockedBy, pidOf } from '../support/blocked.ts'
import { apiRequest, signedIn, type Answer } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { describePerson, personWith } from '../support/records/members.ts'
import { repeatFailures } from '../support/records/ways-in.ts'
import { askWith, EMAIL, PASSWORD, sessionOf, setUpOwner } from '../support/set-up.ts'
import { waitUntil } from '../support/wait.ts'

const world = await openWorld()
const { account, person } = await sessionOf(world, await setUpOwner(world))
const accountId = account.id
const holder = await world.database.db.pool.connect()
afterAll(() => holder.release())

type Told = { token: string; code: string; secondFactorToken: string }
const post = (path: string, more: Record<string, unknown>) =>
  apiRequest<Told>(world.url, 'POST', path, { json: { client: 'program', ...more } })
const signIn = (more: { email?: string } = {}) =>
  post('/session', { email: EMAIL, password: PASSWORD, ...more })
const ask = <Body = Told>(method: string, path: string, token: string, json?: unknown) =>
  askWith<Body>(world, token, method, path, json)
const replacePassword = (token: string) => {
  const newPassword = 'the password of a thief'
  return ask('POST', '/session/password', token, { currentPassword: PASSWORD, newPassword })
}

/** Returns a session that has begun to set up a second factor. */
async function beginSecondFactor() {
  const { token } = (await signIn()).body
  const { secret } = (await ask<BegunSecondFactor>('POST', '/me/second-factor/begin', token)).body
  const codeNow = () => codeAt(secret, timeStepAt(world.clock.now()))
  const confirm = () =>
    ask<Told & RecoveryCodes>('POST', '/me/second-factor/confirm', token, { code: codeNow() })
  const switchOff = async (code = codeNow()) => {
    const off = await ask('POST', '/me/second-factor/switch-off', token, { code })
    expect(off.status).toBe(204)
  }
  return { token, codeNow, confirm, switchOff }
}

/** Starts the requests one after the other while a lock holds them, then releases them together. */
async function whileHeld<Body>(
  hold: string,
  requests: readonly (() => Promise<Answer<Body>>)[],
  before = '',
): Promise<Answer<Body>[]> {
  const pid = await pidOf(holder)
  await holder.query(`begin; ${hold}`)
  const answers: Promise<Answer<Body>>[] = []
  try {
    for (const request of requests) {
      answers.push(request())
      await waitUntil('all that have begun wait', async () => {
        return (await countBlockedBy(world.database.db.pool, pid)) === answers.length
      })
    }
    await holder.query(before)
  } finally {
    await holder.query('commit')
  }
  return Promise.all(answers)
}

/** Locks the audit, which every change writes last. */
const BEFORE_COMMIT = 'lock table audit in share mode'
const THE_OWNER = `select from person where email = '${EMAIL}' for update`

test('a sign-in in progress ends when a second factor is switched on meanwhile', async () => {
  const { token, confirm, switchOff } = await beginSecondFactor()
  const [session, on] = await whileHeld<Told>(BEFORE_COMMIT, [() => signIn(), confirm])
  expect([session!.status, on!.status]).toEqual([201, 200])
  expect((await ask('GET', '/session', session!.body.token)).status).toBe(401)
  expect((await ask('GET', '/session', token)).status).toBe(200)
  world.clock.advance(MINUTE_MS)
  await switchOff()
})

test('a sign-in that waits for its code finishes once when two codes arrive concurrently', async () => {
  const { confirm, switchOff } = await beginSecondFactor()
  const { recoveryCodes } = (await confirm()).body
  const { secondFactorToken } = (await signIn()).body
  const finish = (code: string) => () => post('/session/second-factor', { secondFactorToken, code })
  const [one, other] = recoveryCodes as [string, string]
  const answers = await whileHeld(BEFORE_COMMIT, [finish(one), finish(other)])
  expect(answers.map(({ status }) => status)).toEqual([201, 401])
  await switchOff(other)
})

test('wrong passwords from a network address slow down codes from there too', async () => {
  const { codeNow, confirm, switchOff } = await beginSecondFactor()
  await confirm()
  const { secondFactorToken } = (await signIn()).body
  await signIn({ email: 'nobody@example.com' })
  // Repeats the failure for the network address and for the pair of network and e-mail address.
  await repeatFailures(world, SIGN_IN_LIMITS.failuresPerAddress)
  world.clock.advance(MINUTE_MS)
  const finished = await post('/session/second-factor', { secondFactorToken, code: codeNow() })
  expect([finished.status, finished.body.code]).toEqual([429, 'rate_limited'])
  await switchOff()
  world.clock.advance(16 * MINUTE_MS)
})

test('a sign-in with the old password is refused once a new password is set', async () => {
  const { passwordHash } = await personWith(world, EMAIL)
  const another = `update person set password_hash = password_hash || ' ' where email = '${EMAIL}'`
  const [session] = await whileHeld(THE_OWNER, [() => signIn()], another)
  expect([session!.status, session!.body.code]).toEqual([401, 'sign_in_failed'])
  await describePerson(world, person.id, { passwordHash })
  world.clock.advance(16 * MINUTE_MS)
})

test('replacing a password fails when a reset link has replaced it meanwhile', async () => {
  const { token } = (await signIn()).body
  const { passwordHash } = await personWith(world, EMAIL)
  const ofMailbox = "update person set password_hash = 'chosen by a link'; delete from session"
  const [changed] = await whileHeld(THE_OWNER, [() => replacePassword(token)], ofMailbox)
  expect([changed!.status, changed!.body.code]).toEqual([401, 'sign_in_failed'])
  expect((await personWith(world, EMAIL)).passwordHash).toBe('chosen by a link')
  await describePerson(world, person.id, { passwordHash })
})

test('a session that is ended meanwhile changes no password', async () => {
  const { token } = (await signIn()).body
  const ended = 'delete from session'
  const [changed] = await whileHeld(THE_OWNER, [() => replacePassword(token)], ended)
  expect([changed!.status, changed!.body.code]).toEqual([401, 'not_signed_in'])
  expect((await signIn()).status).toBe(201)
})

test('when two Owners demote each other concurrently, only the first demotion succeeds', async () => {
  const first = await signedIn(world, { accountId })
  const second = await signedIn(world, { accountId })
  const role = 'agent'
  const [one, other] = await whileHeld(`select from account for update`, [
    () => first.ask<Told>('PATCH', `/members/${second.memberId}`, { role }),
    () => second.ask<Told>('PATCH', `/members/${first.memberId}`, { role }),
  ])
  expect(one!.status).toBe(200)
  expect([other!.status, other!.body.code]).toEqual([403, 'forbidden'])
})

test('a removed member cannot invite any more', async () => {
  const leaver = await signedIn(world, { accountId })
  const [invited] = await whileHeld(
    `select from account for update`,
    [() => leaver.ask<Told>('POST', '/invitations', { email: 'me@example.com', role: 'owner' })],
    `delete from member where id = '${leaver.memberId}'`,
  )
  expect([invited!.status, invited!.body.code]).toEqual([403, 'forbidden'])
})

test('concurrent invitations of one address leave one invitation', async () => {
  const owner = await signedIn(world, { accountId })
  const json = { email: 'noura@example.com', role: 'agent' }
  const invite = () => owner.ask<Told>('POST', '/invitations', json)
  const answers = await whileHeld(BEFORE_COMMIT, [invite, invite])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  const { items } = (await owner.ask<Page<InvitationView>>('GET', '/invitations')).body
  expect(items.map(({ email }) => email)).toEqual(['noura@example.com'])
})

test('renaming a company while its hours are changed keeps both changes', async () => {
  const owner = await signedIn(world, { accountId })
  const companies = async () => (await owner.ask<Page<CompanyView>>('GET', '/companies')).body.items
  const path = `/companies/${(await companies())[0]!.id}`
  const [changed] = await whileHeld(
    'select from company for update',
    [() => owner.ask<Told>('PATCH', path, { timeZone: 'Asia/Riyadh' })],
    `update company set name = 'Renamed meanwhile'`,
  )
  expect(changed!.status).toBe(200)
  expect(changed!.body).toMatchObject({ name: 'Renamed meanwhile', timeZone: 'Asia/Riyadh' })
  expect(await companies()).toMatchObject([{ name: 'Renamed meanwhile' }])
})
