/**
 * The owner's reply from the provider's app keeps flows and the assistant out of a conversation for a
 * day after the last one, then the conversation is given back by itself.
 */
import { beforeEach, expect, test } from 'vitest'
import type { ChannelView } from '../../src/contract/dashboard/channel.ts'
import { loadActionTurn } from '../../src/connections/load-action-turn.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { runOf } from '../support/records/runs.ts'
import { conversationWith, putConversation } from '../support/records/conversations.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { echoed, postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let phone: string
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
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
const conversation = () => conversationWith(world, shop, phone)
async function statusOfNewRun(): Promise<string> {
  const id = await shop.order(phone)
  await whatsApp.settle()
  return statusOf(id)
}
const statusOf = async (id: string) => {
  const { status } = await runOf(world, id)
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

systemTest('the last reply counts, in whatever order they come', async () => {
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

systemTest(
  'a reply after the conversation was given back takes it over anew, and ends what runs',
  async () => {
    await ownerReplies()
    world.clock.advance(24 * HOUR_MS)
    const runId = await shop.order(phone)
    await whatsApp.settle()
    expect(await statusOf(runId)).toBe('waiting')
    await ownerReplies()
    expect(await statusOf(runId)).toBe('cancelled')
  },
)

test('a reply that the provider tells of when its hours are over ends nothing', async () => {
  const runId = await shop.order(phone)
  await whatsApp.settle()
  await ownerReplies(new Date(world.clock.now().getTime() - 24 * HOUR_MS))
  expect(await statusOf(runId)).toBe('waiting')
  expect(await isAssistants()).toBe(true)
})

test('a reply that is told of late answers what came before it, and nothing that came after', async () => {
  const { waitingSince: first } = await conversation()
  expect(first).not.toBeNull()
  world.clock.advance(MINUTE_MS)
  const between = world.clock.now()
  world.clock.advance(MINUTE_MS)
  const again = written({ from: phone.slice(1), at: world.clock.now() })
  await postWebhook(world, webhookOf(shop, [again]))
  const { lastCustomerAt: second } = await conversation()
  await ownerReplies(new Date(first!.getTime() - MINUTE_MS))
  expect((await conversation()).waitingSince).toEqual(first)
  await ownerReplies(between)
  expect((await conversation()).waitingSince).toEqual(second)
  await ownerReplies()
  expect((await conversation()).waitingSince).toBeNull()
})

systemTest('a reply from the future counts from now', async () => {
  await ownerReplies(new Date('2999-01-01T00:00:00Z'))
  world.clock.advance(24 * HOUR_MS)
  expect(await statusOfNewRun()).toBe('waiting')
})

systemTest('what a member has taken over is not given back by itself', async () => {
  await ownerReplies()
  const { id } = await conversation()
  await putConversation(world, id, { handledBy: 'staff', takenOverUntil: null })
  await ownerReplies()
  world.clock.advance(1_000 * HOUR_MS)
  expect(await statusOfNewRun()).toBe('skipped')
})

systemTest(
  'the hours are the channel’s own, 1 to 168, and hold from the next reply on',
  async () => {
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
  },
)
