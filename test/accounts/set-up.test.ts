import { afterEach, describe, expect, test } from 'vitest'
import { openSetUp } from '../../src/modules/accounts/set-up.ts'
import { SIGN_IN_LIMITS } from '../../src/core/limits/sign-in.ts'
import { systemRandom } from '../../src/core/ids.ts'
import { createKeyRing } from '../../src/infra/secrets/key-ring.ts'
import type { MemberView } from '../../src/contract/dashboard/member.ts'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { apiRequest } from '../support/dashboard.ts'
import { addAccount } from '../support/records/accounts.ts'
import { textOfEverything } from '../support/records/erasing.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { askWith, PASSWORD, sessionOf } from '../support/set-up.ts'
import { systemTest } from '../support/system-tests.ts'

const OWNER = {
  email: 'Sara@Example.com',
  name: 'Sara',
  password: PASSWORD,
  accountName: 'Sara’s shop',
  client: 'program',
}

let world: World
/** Creates a world whose set-up is open, and returns the set-up token. */
async function openWorld(options: Parameters<typeof createWorld>[0] = {}): Promise<string> {
  world = await createWorld(options)
  return (await openSetUp(world.service.context, world.service.keyRing))!
}
afterEach(() => world.close())

type Told = { token: string; code: string; errors: { field: string }[] }
const setUp = (setupToken: string, change: Record<string, unknown> = {}) =>
  apiRequest<Told>(world.url, 'POST', '/setup', { json: { ...OWNER, setupToken, ...change } })
const itemsOf = async <Item>(token: string, path: string) =>
  (await askWith<Page<Item>>(world, token, 'GET', path)).body.items

describe('the first set-up', () => {
  test('makes the first account on the Business plan, its company and its signed-in Owner', async () => {
    const { status, body } = await setUp(await openWorld())
    expect(status).toBe(201)
    expect(await sessionOf(world, body.token)).toMatchObject({
      person: { email: 'Sara@Example.com', name: 'Sara' },
      account: { name: 'Sara’s shop', plan: 'business' },
      role: 'owner',
    })
    const companies = await itemsOf<CompanyView>(body.token, '/companies')
    expect(companies).toMatchObject([{ name: 'Sara’s shop', isProject: false }])
  })

  test('has one token for all starts of a day, also of processes that start together', async () => {
    const { context, keyRing } = (world = await createWorld({ databasePool: '8' })).service
    const starts = Array.from({ length: 4 }, () => openSetUp(context, keyRing))
    const tokens = new Set(await Promise.all(starts))
    world.clock.advance(SIGN_IN_LIMITS.setUpTokenMs - 1)
    tokens.add(await openSetUp(context, keyRing))
    expect(tokens.size).toBe(1)
    expect((await setUp([...tokens][0]!)).status).toBe(201)
  })

  test('has a new token for a start a day later, and refuses the earlier one', async () => {
    const earlier = await openWorld()
    world.clock.advance(SIGN_IN_LIMITS.setUpTokenMs)
    const token = await openSetUp(world.service.context, world.service.keyRing)
    const wrong = await setUp(earlier)
    expect([wrong.status, wrong.body.code]).toEqual([403, 'forbidden'])
    expect((await setUp(token!)).status).toBe(201)
  })

  test('refuses a token that other encryption keys make of the same rows', async () => {
    await openWorld()
    const other = createKeyRing([{ id: 'other', key: Buffer.alloc(32, 7) }], systemRandom)
    const wrong = await setUp((await openSetUp(world.service.context, other))!)
    expect([wrong.status, wrong.body.code]).toEqual([403, 'forbidden'])
  })

  test('is refused before it was opened', async () => {
    world = await createWorld()
    const answer = await setUp('anything')
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  })

  test('closes for good: the same token is refused, and no later start opens it', async () => {
    const token = await openWorld()
    await setUp(token)
    const again = await setUp(token, { email: 'other@example.com' })
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect(await openSetUp(world.service.context, world.service.keyRing)).toBeNull()
  })

  systemTest('makes one Owner of concurrent requests', async () => {
    const token = await openWorld({ databasePool: '8' })
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => setUp(token, { email: `owner${at}@example.com` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
    const { body } = answers.find(({ status }) => status === 201)!
    expect(await itemsOf<MemberView>(body.token, '/members')).toMatchObject([{ role: 'owner' }])
    // If the account had no member, the next start would make this person its Owner.
    await openSetUp(world.service.context, world.service.keyRing)
    expect((await sessionOf(world, body.token)).accounts).toHaveLength(1)
  })

  systemTest(
    'makes the first Owner a member of an account without members, also of a later one',
    async () => {
      const token = await openWorld()
      await addAccount(world, { name: 'Demonstration' })
      const { body } = await setUp(token)
      await addAccount(world, { name: 'Later' })
      expect(await openSetUp(world.service.context, world.service.keyRing)).toBeNull()
      const session = await sessionOf(world, body.token)
      expect(session.account.name).toBe('Sara’s shop')
      expect(session.accounts.map(({ name, role }) => [name, role])).toEqual([
        ['Sara’s shop', 'owner'],
        ['Demonstration', 'owner'],
        ['Later', 'owner'],
      ])
    },
  )

  test.each([
    ['a password of 11 characters', { password: 'elevenchars' }, 'password'],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, 'password'],
    ['a password over 1,024 bytes', { password: '漢'.repeat(400) }, 'password'],
    ['an address that is none', { email: 'sara' }, 'email'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a field that it does not have', { plan: 'free' }, 'plan'],
  ])('refuses %s with the field named', async (_what, change, field) => {
    const answer = await setUp(await openWorld(), change)
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid'])
    expect(answer.body.errors.map((error) => error.field)).toEqual([field])
  })

  test('puts neither the password nor a token into the log, the database or the audit', async () => {
    const setupToken = await openWorld()
    const { body } = await setUp(setupToken)
    await setUp('a wrong set-up token')
    const stored = await textOfEverything(world)
    for (const secret of [PASSWORD, setupToken, body.token]) {
      expect(world.logged.join('\n')).not.toContain(secret)
      expect(stored).not.toContain(secret)
    }
    expect(stored).toContain('$argon2id$')
  })
})
