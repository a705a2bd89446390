/**
 * Flows stay out of conversations that staff handles; the owner’s reply from the provider’s app counts as staff
 * for a day.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ChannelView } from '../../src/contract/dashboard/channel.ts'
import { loadActionContext } from '../../src/modules/connections/load-action-context.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { signedIn } from '../support/dashboard.ts'
import { runOf } from '../support/records/runs.ts'
import { messageAtProvider } from '../support/records/messages.ts'
import { conversationWith, putConversation } from '../support/records/conversations.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { customerWrites, echoed, postChanges } from '../support/whatsapp-webhook.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()

const conversationOf = (phone: string) => conversationWith(world, shop, phone)
const { phoneNumberId } = shop
const ownerAnswers = (from: string) =>
  whatsApp.simulator.ownerAnswers({ from, phoneNumberId, text: 'I will see to it' })
/** The service has skipped the run: it ended without an event. */
const KEPT_OUT = { endReason: null, endDetail: serializeFact(fact('staff_handling')) }

describe('a conversation that staff handles', () => {
  test('the owner’s reply from the provider’s app counts as staff: it ends the run, without events', async () => {
    const phone = newPhone()
    const runId = await shop.runFor(phone)
    const before = shop.events().length
    world.clock.advance(60_000)
    const providerMessageId = ownerAnswers(phone)
    await whatsApp.settle()
    expect(shop.events()).toHaveLength(before)
    expect(await conversationOf(phone)).toMatchObject({
      handledBy: 'staff',
      serviceWindowEndsAt: null,
      lastMessageAt: world.clock.now(),
    })
    const echo = await messageAtProvider(world, providerMessageId)
    expect(echo).toMatchObject({
      direction: 'out',
      sender: 'owner_app',
      text: 'I will see to it',
      isImported: false,
    })
    expect(await runOf(world, runId)).toMatchObject({ status: 'cancelled', ...KEPT_OUT })
    whatsApp.simulator.tapButton({ from: phone })
    await whatsApp.settle()
    const about = shop.eventsAbout(phone).map(({ type }) => type)
    expect(about).toContain('message.received')
    expect(about.filter((type) => type.startsWith('flow.'))).toEqual([])
  })

  systemTest('the runs of other conversations go on', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    await shop.order(phone)
    const runId = await shop.runFor(other)
    ownerAnswers(phone)
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({ status: 'waiting' })
  })
})

systemTest('a burst is handed over, and what runs in that conversation ends', async () => {
  const { tell, finish } = ORDER_READY_STEPS
  const pause = { kind: 'wait', until: { kind: 'minutes', minutes: 60 }, next: 'finish' }
  const own = await whatsApp.openShop({
    steps: { tell: { ...tell, next: 'pause' }, pause, finish },
  })
  const phone = newPhone()
  const runId = await own.runFor(phone)
  expect(await runOf(world, runId)).toMatchObject({ status: 'waiting' })
  const one = { from: phone, at: world.clock.now() }
  const texts = Array.from({ length: 21 }, (_, nth) => ({ ...one, text: `${nth}` }))
  await customerWrites(world, own, ...texts)
  await whatsApp.settle()
  expect(own.events('conversation.handover')).toMatchObject([{ data: { reason: 'message_burst' } }])
  expect(await runOf(world, runId)).toMatchObject({ status: 'cancelled' })
})

describe('the owner’s reply from the provider’s app keeps flows and the assistant out', () => {
  let phone: string
  beforeEach(async () => {
    phone = newPhone()
    await customerWrites(world, shop, { from: phone })
  })

  const ownerReplies = async (at = world.clock.now()) => {
    await postChanges(world, shop, echoed({ to: phone.slice(1), at }))
    await whatsApp.settle()
  }
  const conversation = () => conversationOf(phone)
  async function statusOfNewRun(): Promise<string> {
    const id = await shop.runFor(phone)
    return statusOf(id)
  }
  const statusOf = async (id: string) => (await runOf(world, id)).status
  const isAssistants = async () => {
    const { id } = await conversation()
    const at = { companyId: shop.companyId, conversationId: id }
    return (await loadActionContext(world.database.db.kysely, at, world.clock.now()))!
      .isAssistantHandling
  }

  test('for 24 hours hooks start nothing and the assistant is silent; then both work again', async () => {
    await ownerReplies()
    world.clock.advance(24 * HOUR_MS - 1)
    expect(await statusOfNewRun()).toBe('skipped')
    expect(await isAssistants()).toBe(false)
    world.clock.advance(1)
    expect(await statusOfNewRun()).toBe('waiting')
    expect(await isAssistants()).toBe(true)
  })

  systemTest('the last reply counts, in whatever order they arrive', async () => {
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
    'a reply after the conversation was given back takes it over again, and ends runs',
    async () => {
      await ownerReplies()
      world.clock.advance(24 * HOUR_MS)
      const runId = await shop.runFor(phone)
      expect(await statusOf(runId)).toBe('waiting')
      await ownerReplies()
      expect(await statusOf(runId)).toBe('cancelled')
    },
  )

  test('a reply that the provider reports after its hours ends nothing', async () => {
    const runId = await shop.runFor(phone)
    await ownerReplies(new Date(world.clock.now().getTime() - 24 * HOUR_MS))
    expect(await statusOf(runId)).toBe('waiting')
    expect(await isAssistants()).toBe(true)
  })

  test('a reply that is reported late answers earlier messages, and no later ones', async () => {
    const { waitingSince: first } = await conversation()
    expect(first).not.toBeNull()
    world.clock.advance(MINUTE_MS)
    const between = world.clock.now()
    world.clock.advance(MINUTE_MS)
    await customerWrites(world, shop, { from: phone, at: world.clock.now() })
    const { lastCustomerAt: second } = await conversation()
    await ownerReplies(new Date(first!.getTime() - MINUTE_MS))
    expect((await conversation()).waitingSince).toEqual(first)
    await ownerReplies(between)
    expect((await conversation()).waitingSince).toEqual(second)
    await ownerReplies()
    expect((await conversation()).waitingSince).toBeNull()
  })

  systemTest(
    'a conversation that a member has taken over is not given back automatically',
    async () => {
      await ownerReplies()
      const { id } = await conversation()
      await putConversation(world, id, { handledBy: 'staff', takenOverUntil: null })
      await ownerReplies()
      world.clock.advance(1_000 * HOUR_MS)
      expect(await statusOfNewRun()).toBe('skipped')
    },
  )

  systemTest(
    'its hours are a setting of the channel, 1 to 168, from the next reply on',
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
})
