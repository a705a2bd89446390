/**
 * A hook URL that is deleted while requests to it are answered together with other companies' is not there any
 * more; the others are answered as if they had come alone. Spec: Hooks › Order of checks.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { HookResponse } from '../../src/contract/hook-response.ts'
import { createVersionReader } from '../../src/flows/design/load-version.ts'
import { createHookDesk, HOOK_DESK, type AnswerHook } from '../../src/hooks/answer-desk.ts'
import { customerLockKey } from '../../src/messaging/lock-customer.ts'
import { waitUntilBlocked } from '../support/blocked.ts'
import { ORDER } from '../support/ask-hook.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let answer: AnswerHook
let leaving: Shop
let staying: Shop
let phones = 0
beforeAll(async () => {
  world = await createWorld()
  answer = createHookDesk(
    { ...world.service.context, readVersion: createVersionReader() },
    { ...HOOK_DESK, giveUpMs: 15_000 },
  )
})
afterAll(() => world.close())
beforeEach(async () => {
  leaving = await newShop()
  staying = await newShop()
  // Both are known: their counters and kept shapes are there.
  await askBoth()
})

async function newShop(): Promise<Shop> {
  phones += 1
  return createShop(world, { phoneNumberId: `p${phones}`, businessAccountId: `b${phones}` })
}

/** In one batch. */
const askBoth = (body: unknown = ORDER): Promise<HookResponse[]> =>
  Promise.all(
    [leaving, staying].map(({ hookToken }) =>
      answer({
        token: hookToken,
        idempotencyKey: undefined,
        body: Buffer.from(JSON.stringify(body)),
      }),
    ),
  )

const deleteHook = ({ hookToken }: Shop) => ({
  text: 'delete from hook_url where token_hash = sha256($1)',
  values: [Buffer.from(hookToken)],
})

test.each([
  ['is being counted', ORDER, 'accepted'],
  ['is refused', { customer: 'none' }, 'invalid_phone'],
])('while a request %s', async (_, body, ofOther) => {
  const { pool } = world.database.db
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query(deleteHook(leaving))
  const asked = askBoth(body)
  await waitUntilBlocked('the counting', pool, holder)
  await holder.query('commit')
  holder.release()
  expect(await asked).toMatchObject([{ status: 'not_found' }, { status: ofOther }])
})

test('after it was counted, before it is written', async () => {
  const { pool } = world.database.db
  const holder = await pool.connect()
  await holder.query('begin')
  const number = { kind: 'number', value: ORDER.customer.phone.slice(1) } as const
  const key = customerLockKey(staying.companyId, number)
  await holder.query('select pg_advisory_xact_lock($1)', [String(key)])
  const asked = askBoth()
  await waitUntilBlocked('the writing', pool, holder)
  await pool.query(deleteHook(leaving))
  await holder.query('commit')
  holder.release()
  expect(await asked).toMatchObject([{ status: 'not_found' }, { status: 'accepted' }])
})
