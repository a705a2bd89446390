import { afterEach, describe, expect, test } from 'vitest'
import { openSetUp } from '../../src/accounts/set-up.ts'
import type { SessionView } from '../../src/contract/dashboard/session.ts'
import { askApi } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { systemTest } from '../support/system-tests.ts'

const PASSWORD = 'a long enough password'
const OWNER = {
  email: 'Sara@Example.com',
  name: 'Sara',
  password: PASSWORD,
  accountName: 'Sara’s shop',
  client: 'program',
}

let world: World
afterEach(() => world.close())

async function setUp(setupToken: string, change: Record<string, unknown> = {}) {
  return askApi<{ token: string; code: string; errors: { field: string }[] }>(
    world.url,
    'POST',
    '/setup',
    { json: { ...OWNER, setupToken, ...change } },
  )
}

async function sessionOf(token: string) {
  const headers = { authorization: `Bearer ${token}` }
  return (await askApi<SessionView>(world.url, 'GET', '/session', { headers })).body
}

describe('the first set-up', () => {
  test('makes the first account on the Business plan, its company and its Owner, signed in', async () => {
    world = await createWorld()
    const token = await openSetUp(world.service.context)
    const answer = await setUp(token!)
    expect(answer.status).toBe(201)
    const session = await sessionOf(answer.body.token)
    expect(session).toMatchObject({
      person: { email: 'Sara@Example.com', name: 'Sara' },
      account: { name: 'Sara’s shop', plan: 'business' },
      role: 'owner',
    })
    const companies = await world.database.db.kysely.selectFrom('company').selectAll().execute()
    expect(companies).toMatchObject([{ name: 'Sara’s shop', isProject: false }])
  })

  test('the token of the newest start is the one that is good', async () => {
    world = await createWorld()
    const earlier = await openSetUp(world.service.context)
    const token = await openSetUp(world.service.context)
    const wrong = await setUp(earlier!)
    expect([wrong.status, wrong.body.code]).toEqual([403, 'forbidden'])
    expect((await setUp(token!)).status).toBe(201)
  })

  test('before it was opened nobody can set up', async () => {
    world = await createWorld()
    const answer = await setUp('anything')
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  })

  test('set-up closes for good: the same token is refused, and no later start opens it', async () => {
    world = await createWorld()
    const token = await openSetUp(world.service.context)
    await setUp(token!)
    const again = await setUp(token!, { email: 'other@example.com' })
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect(await openSetUp(world.service.context)).toBeNull()
  })

  systemTest('simultaneous set-ups make one owner', async () => {
    world = await createWorld({ databasePool: '8' })
    const token = await openSetUp(world.service.context)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => setUp(token!, { email: `owner${at}@example.com` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
    const { kysely } = world.database.db
    expect(await kysely.selectFrom('member').select('role').execute()).toEqual([{ role: 'owner' }])
    expect(await kysely.selectFrom('account').select('id').execute()).toHaveLength(1)
  })

  test('an account without a member, such as the demonstration’s, gets the first Owner too, also when it comes later', async () => {
    world = await createWorld()
    const { context } = world.service
    const addAccount = (name: string) =>
      context.db.kysely
        .insertInto('account')
        .values({ id: context.ids.uuid(), name, plan: 'business', createdAt: context.clock.now() })
        .execute()
    await addAccount('Demonstration')
    const token = await openSetUp(context)
    const { body } = await setUp(token!)
    await addAccount('Later')
    expect(await openSetUp(context)).toBeNull()
    const session = await sessionOf(body.token)
    expect(session.account.name).toBe('Sara’s shop')
    expect(session.accounts.map(({ name, role }) => [name, role])).toEqual([
      ['Sara’s shop', 'owner'],
      ['Demonstration', 'owner'],
      ['Later', 'owner'],
    ])
  })

  test.each([
    ['a password of 11 characters', { password: 'elevenchars' }, 'password'],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, 'password'],
    ['a password over 1,024 bytes', { password: '漢'.repeat(400) }, 'password'],
    ['an address that is none', { email: 'sara' }, 'email'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a field that it does not have', { plan: 'free' }, 'plan'],
  ])('%s is refused with the field named', async (_what, change, field) => {
    world = await createWorld()
    const token = await openSetUp(world.service.context)
    const answer = await setUp(token!, change)
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid'])
    expect(answer.body.errors.map((error) => error.field)).toEqual([field])
  })

  test('neither password nor any token is in the log, the database or the audit', async () => {
    world = await createWorld()
    const setupToken = (await openSetUp(world.service.context))!
    const { body } = await setUp(setupToken)
    await setUp('a wrong set-up token')
    const tables = await world.database.db.pool.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    let stored = ''
    for (const { name } of tables.rows) {
      const { rows } = await world.database.db.pool.query(`select t::text as row from "${name}" t`)
      stored += JSON.stringify(rows)
    }
    for (const secret of [PASSWORD, setupToken, body.token]) {
      expect(world.logged.join('\n')).not.toContain(secret)
      expect(stored).not.toContain(secret)
    }
    expect(stored).toContain('$argon2id$')
  })
})
