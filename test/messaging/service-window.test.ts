/** The 24 hours in which more than a template may be sent, and what opens and restarts them. */
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { runOf } from '../support/records/runs.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { newWamid, postWebhook, receipt, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop({
  steps: {
    ...ORDER_READY_STEPS,
    ask: { ...ORDER_READY_STEPS.ask, timeoutMinutes: 1, next: 'ask', onTimeout: 'say' },
    say: { kind: 'send_message', text: 'Anything else?', next: null },
  },
})

const windowOf = async (phone: string) => {
  const row = await conversationWith(world, shop, phone)
  return row.serviceWindowEndsAt
}
const write = (phone: string, at?: Date) =>
  postWebhook(world, webhookOf(shop, [written({ from: phone.slice(1), ...(at ? { at } : {}) })]))
const after = (ms: number, from = world.clock.now()) => new Date(from.getTime() + ms)
const textsTo = (phone: string) =>
  whatsApp.simulator.messages().filter((m) => `+${m.to}` === phone && m.type === 'text')

describe('a 24-hour service window', () => {
  test('is not open to a customer who never wrote, nor opened by what the business sends', async () => {
    const phone = newPhone()
    await shop.order(phone)
    await whatsApp.settle()
    expect(await windowOf(phone)).toBeNull()
    world.clock.advance(MINUTE_MS)
    await whatsApp.settle()
    expect(textsTo(phone)).toEqual([])
  })

  test('opens when the customer writes and restarts with each of their messages', async () => {
    const phone = newPhone()
    await write(phone, world.clock.now())
    expect(await windowOf(phone)).toEqual(after(DAY_MS))
    world.clock.advance(5 * HOUR_MS)
    await write(phone, world.clock.now())
    expect(await windowOf(phone)).toEqual(after(DAY_MS))
  })

  test('counts from when the message was written, not from when it was delivered to us', async () => {
    const phone = newPhone()
    const writtenAt = after(-3 * HOUR_MS)
    await write(phone, writtenAt)
    expect(await windowOf(phone)).toEqual(after(DAY_MS, writtenAt))
  })

  test('is not shortened by an older message that comes late', async () => {
    const phone = newPhone()
    await write(phone, world.clock.now())
    await write(phone, after(-5 * HOUR_MS))
    expect(await windowOf(phone)).toEqual(after(DAY_MS))
  })

  systemTest('is not opened by receipts', async () => {
    const phone = newPhone()
    await shop.order(phone)
    await whatsApp.settle()
    const [{ wamid } = { wamid: newWamid() }] = whatsApp.simulator
      .messages()
      .filter(({ to }) => `+${to}` === phone)
    await postWebhook(world, webhookOf(shop, [receipt({ id: wamid, status: 'read' })]))
    expect(await windowOf(phone)).toBeNull()
  })

  test.each([
    ['inside it a message goes out', 1, 1],
    ['at its very end only a template may be sent', 0, 0],
  ])('%s', async (_, beforeItsEndMs, texts) => {
    const phone = newPhone()
    // The provider tells of whole seconds, and keeps a window of its own that opens with ours.
    world.clock.moveTo(
      new Date(Math.ceil(world.clock.now().getTime() / 1_000) * 1_000).toISOString(),
    )
    const { phoneNumberId } = shop
    whatsApp.simulator.sendText({ from: phone.slice(1), phoneNumberId, text: 'hello' })
    await whatsApp.settle()
    expect(await windowOf(phone)).toEqual(after(DAY_MS))
    // The time-out comes a minute after the run begins to wait.
    world.clock.advance(DAY_MS - MINUTE_MS - beforeItsEndMs)
    const runId = await shop.order(phone)
    await whatsApp.settle()
    world.clock.advance(MINUTE_MS)
    await whatsApp.settle()
    expect(textsTo(phone)).toHaveLength(texts)
    const run = await runOf(world, runId)
    expect(run.status).toBe(texts === 1 ? 'completed' : 'failed')
  })
})
