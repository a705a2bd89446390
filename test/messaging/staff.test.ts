/** Where staff handles a conversation, flows keep out of it. */
import { describe, expect, test } from 'vitest'
import { accepted, startMeta } from '../channels/loopback-meta.ts'
import { runOf } from '../support/records/runs.ts'
import { messageAtProvider } from '../support/records/messages.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { newWamid, postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()

const conversationOf = (phone: string) => conversationWith(world, shop, phone)
const ownerAnswers = (phone: string) =>
  whatsApp.simulator.ownerAnswers({
    from: phone,
    phoneNumberId: shop.phoneNumberId,
    text: 'I will see to it',
  })
const sentTo = (phone: string) =>
  whatsApp.simulator.messages().filter(({ to }) => `+${to}` === phone)

describe('a conversation that staff handles', () => {
  test('a hook is answered 202, then the run is skipped with the reason and no event', async () => {
    const phone = newPhone()
    ownerAnswers(phone)
    await whatsApp.settle()
    const before = shop.events().length
    const runId = await shop.order(phone)
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({
      status: 'skipped',
      endReason: null,
      endDetail: storeFact(fact('staff_handling')),
    })
    expect(sentTo(phone)).toEqual([])
    expect(shop.events()).toHaveLength(before)
  })

  systemTest(
    'staff taking over while a run waits cancels it: neither flow.completed nor flow.failed',
    async () => {
      const phone = newPhone()
      const runId = await shop.order(phone)
      await whatsApp.settle()
      ownerAnswers(phone)
      await whatsApp.settle()
      expect(await runOf(world, runId)).toMatchObject({
        status: 'cancelled',
        endReason: null,
        endDetail: storeFact(fact('staff_handling')),
      })
      whatsApp.simulator.tapButton({ from: phone })
      await whatsApp.settle()
      const about = shop.eventsAbout(phone).map(({ type }) => type)
      expect(about).toContain('message.received')
      expect(about.filter((type) => type.startsWith('flow.'))).toEqual([])
    },
  )

  test('staff taking over while the run is at work cancels it before it waits', async () => {
    const phone = newPhone()
    const echo = {
      field: 'smb_message_echoes',
      value: {
        message_echoes: [
          {
            id: newWamid(),
            from: '15550783881',
            to: phone.slice(1),
            type: 'text',
            text: { body: 'Hi' },
          },
        ],
      },
    }
    const meta = await startMeta((response) => {
      void postWebhook(world, webhookOf(shop, [echo])).then(() =>
        response.end(accepted(newWamid())),
      )
    })
    world.baseUrls.whatsAppSimulator = meta.url
    const runId = await shop.order(phone)
    await whatsApp.settle()
    world.baseUrls.whatsAppSimulator = whatsApp.simulator.graphBaseUrl
    await meta.stop()
    expect(await runOf(world, runId)).toMatchObject({ status: 'cancelled' })
  })

  test('the owner’s reply from the provider’s app is staff: it is kept, and raises nothing', async () => {
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
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
    expect(await runOf(world, runId)).toMatchObject({ status: 'cancelled' })
  })

  systemTest('the runs of other conversations go on', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    await shop.order(phone)
    const runId = await shop.order(other)
    await whatsApp.settle()
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
  const runId = await own.order(phone)
  await whatsApp.settle()
  expect(await runOf(world, runId)).toMatchObject({ status: 'waiting' })
  const at = world.clock.now()
  const texts = Array.from({ length: 21 }, (_, nth) =>
    written({ from: phone.slice(1), text: `${nth}`, at }),
  )
  expect(await postWebhook(world, webhookOf(own, texts))).toBe(200)
  await whatsApp.settle()
  expect(own.events('conversation.handover')).toMatchObject([{ data: { reason: 'message_burst' } }])
  expect(await runOf(world, runId)).toMatchObject({ status: 'cancelled' })
})
