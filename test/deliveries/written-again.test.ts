/**
 * What an attempt came to is written once, also where the database's answer to the commit was lost and it is
 * written again. Spec: Deliveries › Switch-off; Deliveries › Retries.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleAttempts } from '../../src/deliveries/settle-attempts.sql.ts'
import { endpointOf } from '../support/records/endpoints.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { attemptOf, claim, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let phones = 0
const openShop = () => createShop(world, { phoneNumberId: `${(phones += 1)}` })
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** Each write is committed, and made once more because nobody heard of it. */
async function unheard<T>(write: () => Promise<T>): Promise<T> {
  await write()
  return write()
}

async function underWay(shop: Shop) {
  await raisePings(world, shop)
  const [claimed] = await claim(world, { first: 1 })
  return claimed!
}

test('a success and a failure of one batch, each written twice, count once, and neither is late', async () => {
  const [well, failing] = [await openShop(), await openShop()]
  const attempts = [
    attemptOf(world, await underWay(well), null),
    attemptOf(world, await underWay(failing), 'timeout'),
  ]
  const settled = await settleAttempts({ ...world.service.context, written: unheard }, attempts)
  expect(settled).toEqual({ lateIds: [], switchedOff: [] })
  const [delivered] = await deliveriesOf(world, well)
  expect(delivered).toMatchObject({ state: 'delivered', attempts: 1, claimId: null })
  const [again] = await deliveriesOf(world, failing)
  expect(again).toMatchObject({
    state: 'pending',
    attempts: 1,
    claimId: null,
    lastError: 'timeout',
  })
  expect(await endpointOf(world, failing)).toMatchObject({ failuresInRow: 1 })
  for (const { id } of [delivered!, again!]) {
    expect(await attemptsOf(world, id)).toMatchObject([{ isLate: false }])
  }
})

systemTest.each([
  ['55P03', 204, 'delivered'],
  ['57014', 204, 'delivered'],
  ['55P03', 500, 'pending'],
])(
  'an outcome that %s keeps from being written, of an answer %i, is written all the same',
  async (code, answer, state) => {
    const { pool } = world.database.db
    await pool.query('create sequence refused')
    // A sequence goes on also where what asked it is taken back: it is the first write that fails.
    await pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin
      if nextval('refused') = 1 then raise exception 'crowded out' using errcode = '${code}'; end if;
      return new;
    end $$`)
    await pool.query(
      'create trigger refuse before insert on delivery_hour for each row execute function refuse()',
    )
    const shop = await openShop()
    world.receiver.answerWith(answer)
    const before = world.receiver.received.length
    await raisePings(world, shop)
    await world.service.processAll()
    await pool.query('drop function refuse cascade; drop sequence refused')
    const [delivery] = await deliveriesOf(world, shop)
    expect(delivery).toMatchObject({ state, attempts: 1, claimId: null })
    expect(await attemptsOf(world, delivery!.id)).toMatchObject([{ isLate: false }])
    expect(world.receiver.received.length - before).toBe(1)
  },
)
