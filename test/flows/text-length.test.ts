/**
 * A text that the channel would not take is never handed to the provider.
 * Spec: Concepts › Channel capabilities; reading N6.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../support/service.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop({
    steps: {
      ...ORDER_READY_STEPS,
      ask: { ...ORDER_READY_STEPS.ask, next: 'echo', onTimeout: null },
      echo: { kind: 'send_message', text: '{{vars.answer}}{{vars.answer}}', next: null },
    },
  })
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

async function answer(text: string) {
  const phone = newPhone()
  const runId = await shop.order(phone)
  await whatsApp.settle()
  await postWebhook(world, webhookOf(shop, [written({ from: phone.slice(1), text })]))
  await whatsApp.settle()
  const run = await world.database.db.kysely
    .selectFrom('flowRun')
    .select(['status', 'endReason', 'endDetail'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  const messages = await world.database.db.kysely
    .selectFrom('message')
    .select(['status', 'templateName'])
    .where('runId', '=', runId)
    .execute()
  return { run, texts: messages.filter(({ templateName }) => templateName === null) }
}

test('a filled-in text of 4,096 characters goes out on whatsapp, emoji counted as one', async () => {
  const { run, texts } = await answer('😀'.repeat(2_048))
  expect(run.status).toBe('completed')
  expect(texts).toHaveLength(1)
})

test('a longer one is not sent: the run fails and says by how much', async () => {
  const { run, texts } = await answer('x'.repeat(2_049))
  expect(run).toEqual({
    status: 'failed',
    endReason: 'error',
    endDetail: storeFact(
      fact('text_too_long', { length: 4_098, most: 4_096, unit: 'code_points' }),
    ),
  })
  expect(texts).toEqual([])
})
