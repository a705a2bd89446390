import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ask } from '../../src/models/model.ts'
import { createTestDatabase } from '../support/database.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { createWorldOn, type World } from '../support/world.ts'

let world: World
let whatsApp: SimulatedWhatsApp
const asked: Ask[] = []

beforeAll(async () => {
  world = await createWorldOn(await createTestDatabase(), {
    askModels: ({ ask }) => {
      asked.push(ask)
      return Promise.resolve({
        answer: {
          ok: true,
          text: 'Hello there.',
          calls: [],
          finish: 'stop',
          usage: { tokensIn: 10, tokensOut: 3, isEstimated: false },
        },
        model: 'test',
        tried: [],
      })
    },
  })
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

test('one reply, after 3 s of quiet', async () => {
  const shop = await whatsApp.openShop()
  const { kysely } = world.database.db
  const now = world.clock.now()
  await kysely
    .insertInto('assistant')
    .values({ companyId: shop.companyId, isOn: true, updatedAt: now })
    .execute()
  await kysely
    .insertInto('model')
    .values({
      id: world.service.context.ids.uuid(),
      accountId: shop.accountId,
      position: 1,
      kind: 'openai',
      modelName: 'x',
      credential: Buffer.from('x'),
      contextTokens: 8000,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  const phone = newPhone()
  const st = await postWebhook(
    world,
    webhookOf(shop, [written({ from: phone.slice(1), text: 'hello' })]),
  )
  if (st !== 200)
    console.log(world.logged.filter((l) => l.includes('err')).map((l) => l.slice(0, 1500)))
  await whatsApp.settle()
  expect(asked).toHaveLength(0)
  world.clock.advance(3_000)
  await whatsApp.settle()
  expect(asked).toHaveLength(1)
  const rows = await kysely
    .selectFrom('message')
    .select(['sender', 'text', 'status', 'errorCode', 'errorDetail'])
    .where('companyId', '=', shop.companyId)
    .execute()
  const replies = await kysely
    .selectFrom('assistantReply')
    .selectAll()
    .where('companyId', '=', shop.companyId)
    .execute()
  console.log(
    rows,
    replies,
    asked[0],
    world.logged.filter((l) => l.includes('"level":50')),
  )
  expect(replies[0]!.state).toBe('sent')
})
