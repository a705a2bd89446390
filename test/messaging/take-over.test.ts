/**
 * The owner's reply from the provider's app keeps flows and the assistant out of a conversation for a
 * day after the last one, then the conversation is given back by itself.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ChannelView } from '../../src/contract/dashboard/channel.ts'
import { loadActionTurn } from '../../src/connections/load-action-turn.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { echoed, postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let phone: string
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})
beforeEach(async () => {
  phone = newPhone()
  await postWebhook(world, webhookOf(shop, [written({ from: phone.slice(1) })]))
})

const kysely = () => world.database.db.kysely
const ownerReplies = async (at = world.clock.now()) => {
  const webhook = webhookOf(shop, [echoed({ to: phone.slice(1), at })])
  expect(await postWebhook(world, webhook)).toBe(200)
  await whatsApp.settle()
}
const conversation = () =>
  kysely()
    .selectFrom('conversation')
    .selectAll()
    .where('channelId', '=', shop.channelId)
    .where('filedUnder', '=', phone.slice(1))
    .executeTakeFirstOrThrow()
async function statusOfNewRun(): Promise<string> {
  const id = await shop.order(phone)
  await whatsApp.settle()
  return statusOf(id)
}
const statusOf = async (id: string) => {
  const { status } = await kysely()
    .selectFrom('flowRun')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return status
}
const isAssistants = async () => {
  const { id } = await conversation()
  const at = { companyId: shop.companyId, conversationId: id }
  return (await loadActionTurn(kysely(), at, world.clock.now()))!.isAssistants
}

test('for 24 hours hooks start nothing and the assistant is silent, and then they are back', async () => {
  await ownerReplies()
  world.clock.advance(24 * HOUR_MS - 1)
  expect(await statusOfNewRun()).toBe('skipped')
  expect(await isAssistants()).toBe(false)
  world.clock.advance(1)
  expect(await statusOfNewRun()).toBe('waiting')
  expect(await isAssistants()).toBe(true)
})

test('the last reply counts, in whatever order they come', async () => {
  const first = world.clock.now()
  await ownerReplies()
  world.clock.advance(20 * HOUR_MS)
  await ownerReplies()
  await ownerReplies(new Date(first.getTime() + HOUR_MS))
  world.clock.advance(23 * HOUR_MS)
  expect(await statusOfNewRun()).toBe('skipped')
  world.clock.advance(HOUR_MS)
  expect(await statusOfNewRun()).toBe('waiting')
})

test('a reply after the conversation was given back takes it over anew, and ends what runs', async () => {
  await ownerReplies()
  world.clock.advance(24 * HOUR_MS)
  const runId = await shop.order(phone)
  await whatsApp.settle()
  expect(await statusOf(runId)).toBe('waiting')
  await ownerReplies()
  expect(await statusOf(runId)).toBe('cancelled')
})

test('a reply that the provider tells of when its hours are over ends nothing', async () => {
  const runId = await shop.order(phone)
  await whatsApp.settle()
  await ownerReplies(new Date(world.clock.now().getTime() - 24 * HOUR_MS))
  expect(await statusOf(runId)).toBe('waiting')
  expect(await isAssistants()).toBe(true)
})

test('a reply ends the waiting for staff, but of what was written after it, however late it is told of', async () => {
  const { id, lastCustomerAt } = await conversation()
  await kysely()
    .updateTable('conversation')
    .set({ needsStaff: true, waitingSince: lastCustomerAt })
    .where('id', '=', id)
    .execute()
  await ownerReplies(new Date(lastCustomerAt!.getTime() - MINUTE_MS))
  expect(await conversation()).toMatchObject({ waitingSince: lastCustomerAt })
  world.clock.advance(MINUTE_MS)
  await ownerReplies()
  expect(await conversation()).toMatchObject({ waitingSince: null })
})

test('a reply from the future counts from now', async () => {
  await ownerReplies(new Date('2999-01-01T00:00:00Z'))
  world.clock.advance(24 * HOUR_MS)
  expect(await statusOfNewRun()).toBe('waiting')
})

test('what a member has taken over is not given back by itself', async () => {
  await ownerReplies()
  const { id } = await conversation()
  await kysely()
    .updateTable('conversation')
    .set({ handledBy: 'staff', takenOverUntil: null })
    .where('id', '=', id)
    .execute()
  await ownerReplies()
  world.clock.advance(1_000 * HOUR_MS)
  expect(await statusOfNewRun()).toBe('skipped')
})

test('the hours are the channel’s own, 1 to 168, and hold from the next reply on', async () => {
  const owner = await signedIn(world, { accountId: shop.accountId })
  const path = `/companies/${shop.companyId}/channels/${shop.channelId}`
  const channel = async () => (await owner.ask<ChannelView>('GET', path)).body
  expect(await channel()).toMatchObject({ takeOverHours: 24 })
  for (const takeOverHours of [0, 169, 1.5, null, '24']) {
    const refused = await owner.ask('PATCH', path, { takeOverHours })
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toMatchObject([{ field: 'takeOverHours' }])
  }
  await ownerReplies()
  expect((await owner.ask('PATCH', path, { takeOverHours: 2 })).status).toBe(200)
  expect(await channel()).toMatchObject({ takeOverHours: 2 })
  world.clock.advance(2 * HOUR_MS)
  expect(await statusOfNewRun()).toBe('skipped')
  world.clock.advance(22 * HOUR_MS)
  await ownerReplies()
  world.clock.advance(2 * HOUR_MS - MINUTE_MS)
  expect(await statusOfNewRun()).toBe('skipped')
  world.clock.advance(MINUTE_MS)
  expect(await statusOfNewRun()).toBe('waiting')
})
