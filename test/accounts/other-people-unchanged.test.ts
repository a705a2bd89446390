/** One person's changes to their own credentials and sessions leave those of all others as they are. */
import { describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/modules/accounts/password.ts'
import { resetPassword } from '../../src/modules/accounts/reset-password.ts'
import { startSession } from '../../src/modules/accounts/start-session.ts'
import { codeAt, timeStepAt } from '../../src/modules/accounts/totp.ts'
import type {
  BegunSecondFactor,
  RecoveryCodes,
} from '../../src/contract/dashboard/second-factor.ts'
import type { ListedSessionView } from '../../src/contract/dashboard/session.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { SIGN_IN_LIMITS } from '../../src/core/limits/sign-in.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { HOUR_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { type Answer, apiRequest, itemsOf, type Member, signedIn } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addMember, describePerson } from '../support/records/members.ts'
import {
  knowBrowsers,
  openPasswordReset,
  putSessions,
  waysInOf,
  waysInOfOthers,
} from '../support/records/ways-in.ts'
import { askWith, PASSWORD, sessionOf } from '../support/set-up.ts'
import { createShop } from '../support/shop.ts'

const NEW_PASSWORD = 'quite another password'

type Told = { token: string; secondFactorToken: string; code: string }
const codeNow = (secret: string) => codeAt(secret, timeStepAt(world.clock.now()))
const post = (path: string, json: unknown) => apiRequest<Told>(world.url, 'POST', path, { json })
const signIn = ({ email }: Member, client = 'program', password = PASSWORD) =>
  post('/session', { email, password, client })

const world = await openWorld()
const { accountId } = await createShop(world)
const passwordHash = await hashPassword(PASSWORD)
async function withPassword(email: string): Promise<Member> {
  const member = await signedIn(world, { accountId, email })
  await describePerson(world, member.personId, { passwordHash })
  return member
}
/** Two people with a password. Sara has one of every kind of credential and session. */
const sara = await withPassword('sara@example.com')
const omar = await withPassword('omar@example.com')
await signIn(sara, 'browser')
const begun = await sara.ask<BegunSecondFactor>('POST', '/me/second-factor/begin')
const confirmed = await sara.ask<RecoveryCodes>('POST', '/me/second-factor/confirm', {
  code: codeNow(begun.body.secret),
})
const [codeOfSara] = confirmed.body.recoveryCodes
const huda = await signedIn(world, { accountId })
await huda.ask('POST', '/me/second-factor/begin')
await openPasswordReset(world, sara)
// Sara's sign-in waits for its code after a right password.
await signIn(sara)
// Omar has as many known browsers as one person may have, all newer than Sara's.
await knowBrowsers(world, omar, SIGN_IN_LIMITS.devicesPerPerson)
world.clock.advance(30 * SECOND_MS)

/** Omar's current token: some of his requests replace it. */
let { token } = omar
let secretOfOmar: string
const ask = <Body = Told>(method: string, path: string, json?: unknown) =>
  askWith<Body>(world, token, method, path, json)
/** Sends a request with a code of the next time step. */
const askWithCode = (path: string) => {
  world.clock.advance(30 * SECOND_MS)
  return ask('POST', path, { code: codeNow(secretOfOmar) })
}

test('other people have every kind of row by which a person can sign in', async () => {
  const ways = Object.entries(await waysInOfOthers(world, omar))
  expect(ways.filter(([, rows]) => rows.length === 0)).toEqual([])
})

describe('Other people can sign in as before when one person', () => {
  test.each<[string, () => Promise<Answer<unknown>>, number]>([
    ['looks at their own sessions', () => listSessions(), 200],
    ['signs in in one more browser', () => signIn(omar, 'browser'), 201],
    [
      'enters their password again',
      () => ask('POST', '/session/confirm-password', { password: PASSWORD }),
      200,
    ],
    ['begins a second factor', () => begin(), 201],
    ['switches the second factor on', () => askWithCode('/me/second-factor/confirm'), 200],
    ['takes new recovery codes', () => askWithCode('/me/second-factor/recovery-codes'), 200],
    ['tries a recovery code of another person', () => tryCodeOfSara(), 401],
    ['switches the second factor off', () => askWithCode('/me/second-factor/switch-off'), 204],
    ['chooses another password', () => changePassword(), 200],
    ['ends all their other sessions', () => ask('DELETE', '/sessions'), 200],
    ['is given a password by the operator', () => signInWithNewPassword(), 201],
    ['is removed from the account', () => huda.ask('DELETE', `/members/${omar.memberId}`), 204],
  ])('%s', async (_, act, expected) => {
    const before = await waysInOfOthers(world, omar)
    expect((await act()).status).toBe(expected)
    expect(await waysInOfOthers(world, omar)).toEqual(before)
  })

  async function listSessions() {
    const answer = await ask<Page<ListedSessionView>>('GET', '/sessions')
    const own = JSON.stringify((await waysInOf(world, omar)).session)
    expect(answer.body.items.length).toBeGreaterThan(0)
    for (const { id } of answer.body.items) expect(own).toContain(id)
    return answer
  }
  async function begin() {
    const answer = await ask<BegunSecondFactor>('POST', '/me/second-factor/begin')
    secretOfOmar = answer.body.secret
    return answer
  }
  async function tryCodeOfSara() {
    const { secondFactorToken } = (await signIn(omar)).body
    const json = { secondFactorToken, code: codeOfSara, client: 'program' }
    return post('/session/second-factor', json)
  }
  async function changePassword() {
    const json = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    const answer = await ask('POST', '/session/password', json)
    token = answer.body.token
    return answer
  }
  async function signInWithNewPassword() {
    const { password } = await resetPassword(world.service.context, { email: omar.email })
    return signIn(omar, 'program', password)
  }
})

/** Begins a session of a program without a sign-in. */
function beginSession(of: { personId: string; accountId: string }) {
  const { db, ids, clock } = world.service.context
  const client = { carrier: 'bearer', userAgent: null, device: null } as const
  return transaction(db, (tx) => startSession(tx, { ids, now: clock.now() }, { ...of, client }))
}

test('a person removed from one account keeps their other accounts and what is theirs there', async () => {
  const other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
  const both = await signedIn(world, { accountId, role: 'agent' })
  const { personId } = both
  await addMember(world, other, both, 'agent')
  const talk = { handledBy: 'staff', assigneeId: personId }
  const conversationId = await addConversation(world, other, talk)
  const there = await beginSession({ personId, accountId: other.accountId })
  const askThere = async (method: string, path: string, json?: unknown) => {
    const at = `/companies/${other.companyId}${path}`
    return (await askWith<{ id: string }>(world, there.token, method, at, json)).body
  }
  const { id: leadId } = await askThere('POST', '/leads', { conversationId, ownerId: personId })
  expect((await huda.ask('DELETE', `/members/${both.memberId}`)).status).toBe(204)
  expect((await both.ask('GET', '/session')).status).toBe(401)
  const theirs = { id: personId }
  const assigned = await askThere('GET', `/conversations/${conversationId}`)
  expect(assigned).toMatchObject({ assignee: theirs })
  expect(await askThere('GET', `/leads/${leadId}`)).toMatchObject({ owner: theirs })
})

test("a sign-in opens the oldest membership and keeps 200 characters of the browser's name", async () => {
  const other = await createShop(world, { phoneNumberId: '3', businessAccountId: '3' })
  const laila = await withPassword('laila@example.com')
  await addMember(world, other, laila, 'agent', new Date(world.clock.now().getTime() - HOUR_MS))
  const json = { email: laila.email, password: PASSWORD, client: 'program' }
  const headers = { 'user-agent': 'x'.repeat(300) }
  const { body } = await apiRequest<Told>(world.url, 'POST', '/session', { json, headers })
  expect((await sessionOf(world, body.token)).account.id).toBe(other.accountId)
  const list = await askWith<Page<ListedSessionView>>(world, body.token, 'GET', '/sessions')
  expect(list.body.items[0]!.userAgent).toBe('x'.repeat(SIGN_IN_LIMITS.userAgentChars))
})

test('a session that was idle for 12 hours is no longer listed', async () => {
  const nadia = await signedIn(world, { accountId })
  const { sessionId } = await beginSession({ personId: nadia.personId, accountId })
  const list = async () =>
    (await itemsOf<ListedSessionView>(nadia, '/sessions')).map(({ id }) => id)
  expect(await list()).toContain(sessionId)
  const lastSeenAt = new Date(world.clock.now().getTime() - SIGN_IN_LIMITS.sessionIdleMs)
  await putSessions(world, { lastSeenAt }, { sessionId })
  expect(await list()).not.toContain(sessionId)
})
