/** Owners hear of an allowance that is used up, whoever of several at once has used it up. Spec: Assistant › Models. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { addModel, askAs } from './models-world.ts'

let world: World
let server: ModelServer
let accountId: string
beforeAll(async () => {
  world = await createWorld({ databasePool: '8' })
  const { key, cert } = world.receiver.authority
  server = await startModelServer({ tls: { key, cert } })
  ;({ accountId } = await createShop(world))
  await addModel(world, { accountId, baseUrl: server.baseUrl })
})
afterAll(async () => {
  await server.close()
  await world.close()
})

test('Two who ask at once each use a part of it, and who comes after is refused: told once', async () => {
  const { kysely } = world.database.db
  await kysely
    .updateTable('account')
    .set({ modelTokensPerDay: 200 })
    .where('id', '=', accountId)
    .execute()
  const both = await Promise.all([askAs(world, accountId), askAs(world, accountId)])
  expect(both.map(({ answer }) => answer.ok)).toEqual([true, true])
  for (const { answer } of [await askAs(world, accountId), await askAs(world, accountId)]) {
    expect(answer).toMatchObject({ failure: 'allowance_used_up' })
  }
  const notices = await kysely
    .selectFrom('notice')
    .select('details')
    .where('kind', '=', 'model_allowance')
    .execute()
  expect(notices.map(({ details }) => JSON.parse(details) as object)).toEqual([
    { percent: 100, tokensPerDay: 200 },
  ])
})
