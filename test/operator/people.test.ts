/**
 * Owners that the command line creates, and the removal of the second factor of a person who has lost their
 * phone and recovery codes.
 */
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { openSetUp } from '../../src/modules/accounts/set-up.ts'
import { apiRequest, type Member, signedIn } from '../support/dashboard.ts'
import { OPERATOR_KEYS, runOperator, settingsFor } from '../support/operator.ts'
import { createShop } from '../support/shop.ts'
import { auditLog } from '../support/records/audit.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'
import { describePerson } from '../support/records/members.ts'
import { giveSecondFactor, waysInOf } from '../support/records/ways-in.ts'

const PASSWORD = 'a long password'

const world = await openWorld({ encryptionKeys: OPERATOR_KEYS })
const shop = await createShop(world)
const env = settingsFor(world.database.connection, tmpdir())

const create = (words: string[], password = PASSWORD) =>
  runOperator(env, ['create-owner', ...words], `${password}\n`)
const refuses = async (words: string[], why: RegExp, password?: string) =>
  expect(await create(words, password)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(why),
  })
const signIn = (email: string) =>
  apiRequest<{ token: string }>(world.url, 'POST', '/session', {
    json: { email, password: PASSWORD, client: 'program' },
  })

test('an Owner that breaks the rules of the set-up is refused before anything is created', async () => {
  const sara = ['sara@example.com', 'Sara', 'Sara’s shop']
  await refuses(sara, /The password: must be 12 to 128 characters long/, 'short')
  await refuses(['sara', 'Sara', 'Shop'], /^EMAIL: /)
  await refuses([sara[0]!, sara[1]!, 'x'.repeat(81)], /^ACCOUNT_NAME: /)
  // The command accepts no password as an argument.
  await refuses([...sara, PASSWORD], /Usage: create-owner/)
  // Set-up stays open as long as no person exists.
  expect(await openSetUp(world.service.context, world.service.keyRing)).not.toBe(null)
})

test('the first Owner can sign in, set-up is closed, and accounts without a member are theirs', async () => {
  expect(await openSetUp(world.service.context, world.service.keyRing)).not.toBe(null)
  const told = await create(['sara@example.com', 'Sara', 'Sara’s shop'])
  expect(told).toMatchObject({ code: 0, stderr: '' })
  expect(told.stdout).not.toContain(PASSWORD)
  const { status, body } = await signIn('sara@example.com')
  expect(status).toBe(201)
  const { body: session } = await apiRequest<{ accounts: { id: string; role: string }[] }>(
    world.url,
    'GET',
    '/session',
    { headers: { authorization: `Bearer ${body.token}` } },
  )
  expect(session.accounts.map(({ role }) => role)).toEqual(['owner', 'owner'])
  expect(session.accounts.map(({ id }) => id)).toContain(shop.accountId)
  expect(await openSetUp(world.service.context, world.service.keyRing)).toBe(null)
})

systemTest('another Owner of an account, by its id, is in the account’s audit', async () => {
  expect(await create(['omar@example.com', 'Omar', shop.accountId])).toMatchObject({ code: 0 })
  expect((await signIn('omar@example.com')).status).toBe(201)
  const audit = await auditLog(world, { action: 'member.added' })
  expect(audit).toMatchObject([{ accountId: shop.accountId, actorKind: 'service' }])
  await refuses(['OMAR@example.com', 'Omar', shop.accountId], /is already registered here/)
  const nobodys = '00000000-0000-7000-8000-000000000000'
  await refuses(
    ['noor@example.com', 'Noor', nobodys],
    new RegExp(`No account with the ID ${nobodys}`),
  )
})

const { accountId } = shop
const operator = (...words: string[]) => runOperator(env, ['remove-second-factor', ...words])

/** Signs in a member with a second factor and a recovery code. */
async function withSecondFactor(role: 'owner' | 'agent') {
  const member = await signedIn(world, { accountId, role })
  await giveSecondFactor(world, member)
  return member
}

/** Returns how many second factors, recovery codes and sessions a member has. */
async function leftOf(member: Member): Promise<number[]> {
  const ways = await waysInOf(world, member)
  return [ways.second_factor, ways.recovery_code, ways.session].map(({ length }) => length)
}

test('a second factor is removed with recovery codes and sessions, with an audit entry', async () => {
  const [lost, other] = [await withSecondFactor('agent'), await withSecondFactor('owner')]
  expect(await leftOf(lost)).toEqual([1, 1, 1])
  const told = await operator(lost.email)
  expect(told).toMatchObject({ code: 0, stderr: '' })
  expect(told.stdout).toContain(`Two-factor authentication is off for ${lost.email}`)
  expect(await leftOf(lost)).toEqual([0, 0, 0])
  expect((await lost.ask('GET', '/session')).status).toBe(401)
  expect(await leftOf(other)).toEqual([1, 1, 1])
  const audit = await auditLog(world, { action: 'second_factor.removed' })
  expect(audit).toMatchObject([{ accountId, actorId: null, subjectId: lost.personId }])
})

test('a person without one is refused, and so are an unknown person and a missing address', async () => {
  const without = await signedIn(world, { accountId })
  const none = await operator(without.email)
  expect([none.code, none.stdout]).toEqual([1, ''])
  expect(none.stderr).toContain(without.email)
  expect(await leftOf(without)).toEqual([0, 0, 1])
  expect((await operator('nobody@example.com')).code).toBe(1)
  expect((await operator()).stderr).toContain('remove-second-factor EMAIL')
  expect((await operator(without.email, 'not-an-id')).code).toBe(1)
})

systemTest(
  'one of several persons with one address is chosen by who verified it, or by name',
  async () => {
    const elsewhere = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
    const [proved, believed] = [await withSecondFactor('owner'), await withSecondFactor('agent')]
    const unproved = { email: proved.email, unverifiedInAccountId: elsewhere.accountId }
    await describePerson(world, believed.personId, unproved)
    expect((await operator(proved.email, elsewhere.accountId)).code).toBe(0)
    expect(await leftOf(believed)).toEqual([0, 0, 0])
    expect(await leftOf(proved)).toEqual([1, 1, 1])
    expect((await operator(proved.email)).code).toBe(0)
    expect(await leftOf(proved)).toEqual([0, 0, 0])
  },
)
