/** What is decided about a person while somebody else changes who they are, or how they prove it. */
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSetUp } from '../../src/accounts/set-up.ts'
import { codeAt, stepAt } from '../../src/accounts/totp.ts'
import type { InvitationView } from '../../src/contract/dashboard/member.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type {
  BegunSecondFactor,
  RecoveryCodes,
} from '../../src/contract/dashboard/second-factor.ts'
import { SIGN_IN_LIMITS } from '../../src/contract/sign-in-limits.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { countBlockedBy, pidOf } from '../support/blocked.ts'
import { askApi, signedIn, type Answer } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const EMAIL = 'owner@example.com'
const PASSWORD = 'a long enough password'

let world: World
let holder: pg.PoolClient
beforeAll(async () => {
  world = await createWorld()
  const setupToken = await openSetUp(world.service.context)
  const owner = { email: EMAIL, name: 'Owner', password: PASSWORD, accountName: 'Shop' }
  await askApi(world.url, 'POST', '/setup', { json: { setupToken, ...owner } })
  holder = await world.database.db.pool.connect()
})
afterAll(async () => {
  holder.release()
  await world.close()
})

type Told = { token: string; code: string; secondFactorToken: string }
const signIn = (password = PASSWORD) =>
  askApi<Told>(world.url, 'POST', '/session', {
    json: { email: EMAIL, password, client: 'program' },
  })
const ask = <Body = Told>(method: string, path: string, token: string, json?: unknown) =>
  askApi<Body>(world.url, method, path, { json, headers: { authorization: `Bearer ${token}` } })

/** Lets requests begin one after the other while something is held, and go on together. */
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

/** Whatever is written down in the audit waits at its very end. */
const BEFORE_COMMIT = 'lock table audit in share mode'

test('a sign-in that is under way when a second factor is switched on does not outlive it', async () => {
  const { token } = (await signIn()).body
  const { secret } = (await ask<BegunSecondFactor>('POST', '/me/second-factor/begin', token)).body
  const code = codeAt(secret, stepAt(world.clock.now()))
  const [session, on] = await whileHeld(BEFORE_COMMIT, [
    () => signIn(),
    () => ask('POST', '/me/second-factor/confirm', token, { code }),
  ])
  expect([session!.status, on!.status]).toEqual([201, 200])
  expect((await ask('GET', '/session', session!.body.token)).status).toBe(401)
  expect((await ask('GET', '/session', token)).status).toBe(200)
  await world.database.db.kysely.deleteFrom('secondFactor').execute()
})

test('a sign-in that waits for its code is finished once, whatever two codes come at once', async () => {
  const { token } = (await signIn()).body
  const { secret } = (await ask<BegunSecondFactor>('POST', '/me/second-factor/begin', token)).body
  const code = codeAt(secret, stepAt(world.clock.now()))
  const { body } = await ask<RecoveryCodes>('POST', '/me/second-factor/confirm', token, { code })
  const { secondFactorToken } = (await signIn()).body
  const finish = (recoveryCode: string | undefined) => () =>
    askApi<Told>(world.url, 'POST', '/session/second-factor', {
      json: { secondFactorToken, code: recoveryCode, client: 'program' },
    })
  const [one, other] = body.recoveryCodes
  const answers = await whileHeld(BEFORE_COMMIT, [finish(one), finish(other)])
  expect(answers.map(({ status }) => status)).toEqual([201, 401])
  await world.database.db.kysely.deleteFrom('secondFactor').execute()
})

test('wrong passwords from an address slow codes from there down too', async () => {
  const { token } = (await signIn()).body
  const { secret } = (await ask<BegunSecondFactor>('POST', '/me/second-factor/begin', token)).body
  const code = codeAt(secret, stepAt(world.clock.now()))
  await ask('POST', '/me/second-factor/confirm', token, { code })
  const { secondFactorToken } = (await signIn()).body
  const nobody = { email: 'nobody@example.com', password: PASSWORD, client: 'program' }
  await askApi(world.url, 'POST', '/session', { json: nobody })
  // As if the one had come so often: by its address, and with its address for e-mail.
  await sql`insert into sign_in_failure (id, throttle_key, failed_at)
    select gen_random_uuid(), throttle_key, failed_at from sign_in_failure,
      generate_series(2, ${SIGN_IN_LIMITS.failuresPerAddress}::int)`.execute(
    world.database.db.kysely,
  )
  world.clock.advance(MINUTE_MS)
  const json = {
    secondFactorToken,
    code: codeAt(secret, stepAt(world.clock.now())),
    client: 'program',
  }
  const finished = await askApi<Told>(world.url, 'POST', '/session/second-factor', { json })
  expect([finished.status, finished.body.code]).toEqual([429, 'rate_limited'])
  await world.database.db.kysely.deleteFrom('secondFactor').execute()
  world.clock.advance(16 * MINUTE_MS)
})

test('a sign-in with the password before is no session once another is chosen', async () => {
  const [session] = await whileHeld(
    `select from person where email = '${EMAIL}' for update`,
    [() => signIn()],
    `update person set password_hash = password_hash || ' ' where email = '${EMAIL}'`,
  )
  expect([session!.status, session!.body.code]).toEqual([401, 'sign_in_failed'])
  await sql`update person set password_hash = rtrim(password_hash)`.execute(
    world.database.db.kysely,
  )
  world.clock.advance(16 * MINUTE_MS)
})

test('a password that is replaced is not overwritten by who still knew the one before', async () => {
  const { token } = (await signIn()).body
  const { passwordHash } = await world.database.db.kysely
    .selectFrom('person')
    .select('passwordHash')
    .where('email', '=', EMAIL)
    .executeTakeFirstOrThrow()
  const ofMailbox = "update person set password_hash = 'chosen by a link'; delete from session"
  const [changed] = await whileHeld(
    `select from person where email = '${EMAIL}' for update`,
    [
      () =>
        ask('POST', '/session/password', token, {
          currentPassword: PASSWORD,
          newPassword: 'the password of a thief',
        }),
    ],
    ofMailbox,
  )
  expect([changed!.status, changed!.body.code]).toEqual([401, 'sign_in_failed'])
  const person = world.database.db.kysely.selectFrom('person').select('passwordHash')
  expect(await person.executeTakeFirstOrThrow()).toEqual({ passwordHash: 'chosen by a link' })
  await world.database.db.kysely.updateTable('person').set({ passwordHash }).execute()
})

test('a session that is ended meanwhile changes no password', async () => {
  const { token } = (await signIn()).body
  const [changed] = await whileHeld(
    `select from person where email = '${EMAIL}' for update`,
    [
      () =>
        ask('POST', '/session/password', token, {
          currentPassword: PASSWORD,
          newPassword: 'the password of a thief',
        }),
    ],
    'delete from session',
  )
  expect([changed!.status, changed!.body.code]).toEqual([401, 'not_signed_in'])
  expect((await signIn()).status).toBe(201)
})

test('of Owners who take each other’s place at once the first is heard, and the other is no Owner', async () => {
  const { accountId } = await world.database.db.kysely
    .selectFrom('member')
    .select('accountId')
    .executeTakeFirstOrThrow()
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

test('who is taken out of the account invites nobody any more', async () => {
  const { accountId } = await world.database.db.kysely
    .selectFrom('member')
    .select('accountId')
    .executeTakeFirstOrThrow()
  const leaver = await signedIn(world, { accountId })
  const [invited] = await whileHeld(
    `select from account for update`,
    [() => leaver.ask<Told>('POST', '/invitations', { email: 'me@example.com', role: 'owner' })],
    `delete from member where id = '${leaver.memberId}'`,
  )
  expect([invited!.status, invited!.body.code]).toEqual([403, 'forbidden'])
})

test('one address that is invited twice at once has one invitation', async () => {
  const { accountId } = await world.database.db.kysely
    .selectFrom('member')
    .select('accountId')
    .executeTakeFirstOrThrow()
  const owner = await signedIn(world, { accountId })
  const json = { email: 'noura@example.com', role: 'agent' }
  const invite = () => owner.ask<Told>('POST', '/invitations', json)
  const answers = await whileHeld(BEFORE_COMMIT, [invite, invite])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  const { items } = (await owner.ask<Page<InvitationView>>('GET', '/invitations')).body
  expect(items.map(({ email }) => email)).toEqual(['noura@example.com'])
})

test('a company that is renamed while its hours are changed keeps both', async () => {
  const company = await world.database.db.kysely
    .selectFrom('company')
    .select(['id', 'accountId', 'name'])
    .executeTakeFirstOrThrow()
  const owner = await signedIn(world, company)
  const path = `/companies/${company.id}`
  const [changed] = await whileHeld(
    'select from company for update',
    [() => owner.ask<Told>('PATCH', path, { timeZone: 'Asia/Riyadh' })],
    `update company set name = 'Renamed meanwhile'`,
  )
  expect(changed!.status).toBe(200)
  expect(changed!.body).toMatchObject({ name: 'Renamed meanwhile', timeZone: 'Asia/Riyadh' })
  const named = world.database.db.kysely.selectFrom('company').select('name')
  expect(await named.executeTakeFirstOrThrow()).toEqual({ name: 'Renamed meanwhile' })
})
