/** The operator lets in again who has lost their phone and their recovery codes. */
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATOR_KEYS, runOperator, settingsFor } from '../support/operator.ts'
import { signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'

let world: World
let accountId: string
let env: Record<string, string>
beforeAll(async () => {
  world = await createWorld({ encryptionKeys: OPERATOR_KEYS })
  ;({ accountId } = await createShop(world))
  env = settingsFor(world.database.connection, tmpdir())
})
afterAll(() => world.close())

const operator = (...words: string[]) => runOperator(env, ['remove-second-factor', ...words])

/** A member who has one on, with a recovery code. */
async function withSecondFactor(role: 'owner' | 'agent') {
  const member = await signedIn(world, { accountId, role })
  const { personId } = member
  const { kysely } = world.database.db
  const now = world.clock.now()
  const row = { id: world.service.context.ids.uuid(), personId, secret: 'v1.any', createdAt: now }
  await kysely
    .insertInto('secondFactor')
    .values({ ...row, confirmedAt: now })
    .execute()
  await kysely
    .insertInto('recoveryCode')
    .values({ personId, codeHash: Buffer.from(personId) })
    .execute()
  return member
}

async function leftOf(personId: string) {
  const { kysely } = world.database.db
  const of = (table: 'secondFactor' | 'recoveryCode' | 'session') =>
    kysely.selectFrom(table).select('personId').where('personId', '=', personId).execute()
  const [factors, codes, sessions] = await Promise.all([
    of('secondFactor'),
    of('recoveryCode'),
    of('session'),
  ])
  return [factors.length, codes.length, sessions.length]
}

test('takes it from one person with their recovery codes and sessions, and it is audited', async () => {
  const [lost, other] = [await withSecondFactor('agent'), await withSecondFactor('owner')]
  expect(await leftOf(lost.personId)).toEqual([1, 1, 1])
  const told = await operator(lost.email)
  expect(told).toMatchObject({ code: 0, stderr: '' })
  expect(told.stdout).toContain(`${lost.email} signs in by password alone`)
  expect(await leftOf(lost.personId)).toEqual([0, 0, 0])
  expect((await lost.ask('GET', '/session')).status).toBe(401)
  expect(await leftOf(other.personId)).toEqual([1, 1, 1])
  const audited = await world.database.db.kysely
    .selectFrom('audit')
    .select(['accountId', 'actorId', 'subjectId'])
    .where('action', '=', 'second_factor.removed')
    .execute()
  expect(audited).toEqual([{ accountId, actorId: null, subjectId: lost.personId }])
})

test('refuses who has none, nobody, and an address that is not named', async () => {
  const without = await signedIn(world, { accountId })
  const none = await operator(without.email)
  expect([none.code, none.stdout]).toEqual([1, ''])
  expect(none.stderr).toContain(without.email)
  expect(await leftOf(without.personId)).toEqual([0, 0, 1])
  expect((await operator('nobody@example.com')).code).toBe(1)
  expect((await operator()).stderr).toContain('remove-second-factor EMAIL')
  expect((await operator(without.email, 'not-an-id')).code).toBe(1)
})

test('of several people of one address it is the one who has proved it, or the one of the account named', async () => {
  const elsewhere = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
  const [proved, believed] = [await withSecondFactor('owner'), await withSecondFactor('agent')]
  await world.database.db.kysely
    .updateTable('person')
    .set({ email: proved.email, unprovedIn: elsewhere.accountId })
    .where('id', '=', believed.personId)
    .execute()
  expect((await operator(proved.email, elsewhere.accountId)).code).toBe(0)
  expect(await leftOf(believed.personId)).toEqual([0, 0, 0])
  expect(await leftOf(proved.personId)).toEqual([1, 1, 1])
  expect((await operator(proved.email)).code).toBe(0)
  expect(await leftOf(proved.personId)).toEqual([0, 0, 0])
})
