/** Owners that are made from the command line. */
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSetUp } from '../../src/accounts/set-up.ts'
import { askApi } from '../support/dashboard.ts'
import { OPERATOR_KEYS, runOperator, settingsFor } from '../support/operator.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { PATIENCE } from '../support/patience.ts'
import { systemTest } from '../support/system-tests.ts'

const SLOWLY = { timeout: 60_000 * PATIENCE }
const PASSWORD = 'a long password'

let world: World
let shop: Shop
let env: Record<string, string>
beforeAll(async () => {
  world = await createWorld({ encryptionKeys: OPERATOR_KEYS })
  shop = await createShop(world)
  env = settingsFor(world.database.connection, tmpdir())
})
afterAll(() => world.close())

const create = (words: string[], password = PASSWORD) =>
  runOperator(env, ['create-owner', ...words], `${password}\n`)
const signIn = (email: string) =>
  askApi<{ token: string }>(world.url, 'POST', '/session', {
    json: { email, password: PASSWORD, client: 'program' },
  })

test(
  'what is not by the rules of the set-up is refused before anything is made',
  SLOWLY,
  async () => {
    const sara = ['sara@example.com', 'Sara', 'Sara’s shop']
    expect(await create(sara, 'short')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The password: must have from 12 to 128 characters'),
    })
    expect(await create(['sara', 'Sara', 'Shop'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^EMAIL: /),
    })
    expect(await create([sara[0]!, sara[1]!, 'x'.repeat(81)])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ACCOUNT_NAME: /),
    })
    // A password has no place among the words.
    expect(await create([...sara, PASSWORD])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Three words are needed'),
    })
    const { rowCount } = await world.database.db.pool.query('select from person')
    expect(rowCount).toBe(0)
  },
)

test(
  'the first Owner can sign in, set-up is over, and accounts without a member are theirs',
  SLOWLY,
  async () => {
    expect(await openSetUp(world.service.context)).not.toBe(null)
    const told = await create(['sara@example.com', 'Sara', 'Sara’s shop'])
    expect(told).toMatchObject({ code: 0, stderr: '' })
    expect(told.stdout).not.toContain(PASSWORD)
    const { status, body } = await signIn('sara@example.com')
    expect(status).toBe(201)
    const { body: session } = await askApi<{ accounts: { id: string; role: string }[] }>(
      world.url,
      'GET',
      '/session',
      { headers: { authorization: `Bearer ${body.token}` } },
    )
    expect(session.accounts.map(({ role }) => role)).toEqual(['owner', 'owner'])
    expect(session.accounts.map(({ id }) => id)).toContain(shop.accountId)
    expect(await openSetUp(world.service.context)).toBe(null)
  },
)

systemTest(
  'another Owner of an account, by its id, is in the account’s audit',
  SLOWLY,
  async () => {
    expect(await create(['omar@example.com', 'Omar', shop.accountId])).toMatchObject({ code: 0 })
    expect((await signIn('omar@example.com')).status).toBe(201)
    const audit = await world.database.db.kysely
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'member.added')
      .execute()
    expect(audit).toMatchObject([{ accountId: shop.accountId, actorKind: 'service' }])
    expect(await create(['OMAR@example.com', 'Omar', shop.accountId])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is known here already'),
    })
    const nobodys = '00000000-0000-7000-8000-000000000000'
    expect(await create(['noor@example.com', 'Noor', nobodys])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no account ${nobodys}`),
    })
  },
)
