/** What one person does about their own way in leaves everybody else's as it is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/password.ts'
import { resetPassword } from '../../src/accounts/reset-password.ts'
import { startSession } from '../../src/accounts/start-session.ts'
import { codeAt, stepAt } from '../../src/accounts/totp.ts'
import type {
  BegunSecondFactor,
  RecoveryCodes,
} from '../../src/contract/dashboard/second-factor.ts'
import type { ListedSessionView, SessionView } from '../../src/contract/dashboard/session.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { SIGN_IN_LIMITS } from '../../src/contract/sign-in-limits.ts'
import { transaction } from '../../src/database/transaction.ts'
import { HOUR_MS, SECOND_MS } from '../../src/limits/units.ts'
import { askApi, signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

const PASSWORD = 'a long enough password'
const NEW_PASSWORD = 'quite another password'

let world: World
let shop: Shop
/** Two with a password; of Sara there is one of everything that a way in is made of. */
let sara: Member
let omar: Member
let huda: Member
let codesOfSara: string[]
let secretOfOmar: string
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  const passwordHash = await hashPassword(PASSWORD)
  const person = async (email: string) => {
    const member = await signedIn(world, { accountId: shop.accountId, email })
    const { kysely } = world.database.db
    await kysely
      .updateTable('person')
      .set({ passwordHash })
      .where('id', '=', member.personId)
      .execute()
    return member
  }
  sara = await person('sara@example.com')
  omar = await person('omar@example.com')
  await signIn(sara, 'browser')
  const { body } = await sara.ask<BegunSecondFactor>('POST', '/me/second-factor/begin')
  const json = { code: codeNow(body.secret) }
  const on = await sara.ask<RecoveryCodes>('POST', '/me/second-factor/confirm', json)
  codesOfSara = on.body.recoveryCodes
  huda = await signedIn(world, { accountId: shop.accountId })
  await huda.ask('POST', '/me/second-factor/begin')
  await world.database.db.kysely
    .insertInto('passwordReset')
    .values({
      id: world.service.context.ids.uuid(),
      personId: sara.personId,
      tokenHash: Buffer.alloc(32, 1),
      expiresAt: new Date(world.clock.now().getTime() + HOUR_MS),
    })
    .execute()
  // Her password was right a moment ago; the code is still to come.
  await signIn(sara)
  await knowBrowsersOfOmar()
  world.clock.advance(30 * SECOND_MS)
})
afterAll(() => world.close())

type Told = { token: string; secondFactorToken: string; code: string }
const codeNow = (secret: string) => codeAt(secret, stepAt(world.clock.now()))
const post = (path: string, json: unknown) => askApi<Told>(world.url, 'POST', path, { json })
const signIn = ({ email }: Member, client = 'program', password = PASSWORD) =>
  post('/session', { email, password, client })

/** As many as one person may have, all newer than Sara's. */
async function knowBrowsersOfOmar() {
  const { ids, clock } = world.service.context
  const knownSince = new Date(clock.now().getTime() + 1)
  const expiresAt = new Date(knownSince.getTime() + HOUR_MS)
  const rows = Array.from({ length: SIGN_IN_LIMITS.devicesPerPerson }, (_, at) => ({
    id: ids.uuid(),
    tokenHash: Buffer.alloc(32, at + 2),
    personId: omar.personId,
    knownSince,
    expiresAt,
  }))
  await world.database.db.kysely.insertInto('knownDevice').values(rows).execute()
}

/** Every row by which somebody else than Omar comes in; when they were seen last is not looked at. */
async function ofOthers(): Promise<[string, unknown[]][]> {
  const tables = ['session', 'known_device', 'second_factor', 'recovery_code', 'begun_sign_in']
  const rows: [string, unknown[]][] = []
  for (const table of [...tables, 'password_reset', 'person']) {
    const column = table === 'person' ? 'id' : 'person_id'
    const { rows: found } = await world.database.db.pool.query(
      `select to_jsonb(t) - 'last_seen_at' as row from ${table} t where ${column} <> $1
        order by to_jsonb(t)::text`,
      [omar.personId],
    )
    rows.push([table, found])
  }
  return rows
}

/** By the token that he has by then: some of what he does gives him another. */
let token: string | undefined
const ask = <Body = Told>(method: string, path: string, json?: unknown) =>
  askApi<Body>(world.url, method, path, {
    json,
    headers: { authorization: `Bearer ${token ?? omar.token}` },
  })

test('Of others there is every kind of row by which one comes in', async () => {
  const rows = await ofOthers()
  expect(rows.filter(([, found]) => found.length === 0)).toEqual([])
})

describe('Everybody else comes in as before when one person', () => {
  test.each<[string, () => Promise<unknown>, unknown]>([
    ['looks at their own sessions', () => listSessions(), ['omar@example.com']],
    ['signs in in one more browser', async () => (await signIn(omar, 'browser')).status, 201],
    [
      'enters their password again',
      async () => (await ask('POST', '/session/confirm-password', { password: PASSWORD })).status,
      200,
    ],
    ['begins a second factor', () => begin(), 201],
    [
      'switches it on',
      async () => {
        const json = { code: codeNow(secretOfOmar) }
        return (await ask('POST', '/me/second-factor/confirm', json)).status
      },
      200,
    ],
    [
      'takes new recovery codes',
      async () => {
        world.clock.advance(30 * SECOND_MS)
        const json = { code: codeNow(secretOfOmar) }
        return (await ask('POST', '/me/second-factor/recovery-codes', json)).status
      },
      200,
    ],
    [
      'tries a recovery code of somebody else',
      async () => {
        const { secondFactorToken } = (await signIn(omar)).body
        const json = { secondFactorToken, code: codesOfSara[0], client: 'program' }
        return (await post('/session/second-factor', json)).status
      },
      401,
    ],
    [
      'switches it off',
      async () => {
        world.clock.advance(30 * SECOND_MS)
        const json = { code: codeNow(secretOfOmar) }
        return (await ask('POST', '/me/second-factor/switch-off', json)).status
      },
      204,
    ],
    ['chooses another password', () => changePassword(), 200],
    ['ends all their other sessions', async () => (await ask('DELETE', '/sessions')).status, 200],
    [
      'is given a password by the operator',
      async () => {
        const { password } = await resetPassword(world.service.context, { email: omar.email })
        return (await signIn(omar, 'program', password)).status
      },
      201,
    ],
    [
      'is taken out of the account',
      async () => (await huda.ask('DELETE', `/members/${omar.memberId}`)).status,
      204,
    ],
  ])('%s', async (_, act, expected) => {
    const before = await ofOthers()
    expect(await act()).toEqual(expected)
    expect(await ofOthers()).toEqual(before)
  })

  async function listSessions() {
    const { body } = await ask<Page<ListedSessionView>>('GET', '/sessions')
    const { rows } = await world.database.db.pool.query<{ email: string }>(
      `select distinct email from session join person on person.id = person_id
        where session.id = any($1)`,
      [body.items.map(({ id }) => id)],
    )
    return rows.map(({ email }) => email)
  }
  async function begin() {
    const { status, body } = await ask<BegunSecondFactor>('POST', '/me/second-factor/begin')
    secretOfOmar = body.secret
    return status
  }
  async function changePassword() {
    const json = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    const { status, body } = await ask('POST', '/session/password', json)
    token = body.token
    return status
  }
})

test('Who is taken out of one account stays in the others that they are in, with what they have there', async () => {
  const other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
  const both = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const { accountId, companyId, channelId } = other
  const { db, ids, clock } = world.service.context
  const now = clock.now()
  const client = { carrier: 'bearer', userAgent: null, device: null } as const
  const { personId } = both
  const [memberId, leadId] = [ids.uuid(), ids.uuid()]
  const there = await transaction(db, async (tx) => {
    const member = { id: memberId, role: 'agent', accountId, personId, createdAt: now }
    await tx.insertInto('member').values(member).execute()
    const talk = { id: 'c_theirs', companyId, channelId, channelType: 'whatsapp', createdAt: now }
    await tx
      .insertInto('conversation')
      .values({ ...talk, filedUnder: '1', handledBy: 'staff', assigneeId: personId })
      .execute()
    const lead = { id: leadId, companyId, conversationId: talk.id, ownerId: personId }
    await tx
      .insertInto('lead')
      .values({ ...lead, status: 'open', source: 'member', createdAt: now, updatedAt: now })
      .execute()
    return startSession(tx, { ids, now }, { personId, accountId, client })
  })
  expect((await huda.ask('DELETE', `/members/${both.memberId}`)).status).toBe(204)
  expect((await both.ask('GET', '/session')).status).toBe(401)
  token = there.token
  const at = `/companies/${companyId}`
  const theirs = { id: personId }
  expect((await ask('GET', `${at}/conversations/c_theirs`)).body).toMatchObject({
    assignee: theirs,
  })
  expect((await ask('GET', `${at}/leads/${leadId}`)).body).toMatchObject({ owner: theirs })
})

test('A sign-in leads into the account that one has been a member of longest, and tells of the browser in 200 letters', async () => {
  const other = await createShop(world, { phoneNumberId: '3', businessAccountId: '3' })
  const { kysely } = world.database.db
  const { ids, clock } = world.service.context
  const laila = await signedIn(world, { accountId: shop.accountId, email: 'laila@example.com' })
  const passwordHash = await hashPassword(PASSWORD)
  const person = kysely.updateTable('person').where('id', '=', laila.personId)
  await person.set({ passwordHash }).execute()
  const since = new Date(clock.now().getTime() - HOUR_MS)
  const member = { id: ids.uuid(), role: 'agent', accountId: other.accountId, createdAt: since }
  await kysely
    .insertInto('member')
    .values({ ...member, personId: laila.personId })
    .execute()
  const json = { email: laila.email, password: PASSWORD, client: 'program' }
  const headers = { 'user-agent': 'x'.repeat(300) }
  const { body } = await askApi<Told>(world.url, 'POST', '/session', { json, headers })
  token = body.token
  const session = await ask<SessionView>('GET', '/session')
  expect(session.body.account.id).toBe(other.accountId)
  const { items } = (await ask<Page<ListedSessionView>>('GET', '/sessions')).body
  expect(items[0]!.userAgent).toBe('x'.repeat(SIGN_IN_LIMITS.userAgentChars))
})

test('A session that was idle for 12 hours is listed no more', async () => {
  const { db, ids, clock } = world.service.context
  const now = clock.now()
  const nadia = await signedIn(world, { accountId: shop.accountId })
  const of = { personId: nadia.personId, accountId: shop.accountId }
  const client = { carrier: 'bearer', userAgent: null, device: null } as const
  const { sessionId } = await transaction(db, (tx) =>
    startSession(tx, { ids, now }, { ...of, client }),
  )
  const list = async () =>
    (await nadia.ask<Page<ListedSessionView>>('GET', '/sessions')).body.items.map(({ id }) => id)
  expect(await list()).toContain(sessionId)
  const lastSeenAt = new Date(now.getTime() - SIGN_IN_LIMITS.sessionIdleMs)
  await db.kysely.updateTable('session').set({ lastSeenAt }).where('id', '=', sessionId).execute()
  expect(await list()).not.toContain(sessionId)
})
