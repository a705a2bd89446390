/** The 24 hours in which more than a template may be sent, and what opens and restarts them. */
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { runOf } from '../support/records/runs.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { customerWrites, postChanges, receipt } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop({
  steps: {
    ...ORDER_READY_STEPS,
    ask: { ...ORDER_READY_STEPS.ask, timeoutMinutes: 1, next: 'ask', onTimeout: 'say' },
    say: { kind: 'send_message', text: 'Anything else?', next: null },
  },
})

const windowOf = async (phone: string) =>
  (await conversationWith(world, shop, phone)).serviceWindowEndsAt
const write = (from: string, at: Date) => customerWrites(world, shop, { from, at })
const after = (ms: number, from = world.clock.now()) => new Date(from.getTime() + ms)
const textsTo = (phone: string) => whatsApp.sentTo(phone).filter(({ type }) => type === 'text')

describe('a 24-hour service window', () => {
  test('is not open to a customer who never wrote, nor opened by what the business sends or its receipts', async () => {
    const phone = newPhone()
    await shop.runFor(phone)
    expect(await windowOf(phone)).toBeNull()
    const [sent] = whatsApp.sentTo(phone)
    await postChanges(world, shop, receipt({ id: sent!.wamid, status: 'read' }))
    expect(await windowOf(phone)).toBeNull()
    world.clock.advance(MINUTE_MS)
    await whatsApp.settle()
    expect(textsTo(phone)).toEqual([])
  })

  test('opens when the customer writes, from when that was; restarts with each newer message, and no older one shortens it', async () => {
    const phone = newPhone()
    const writtenAt = after(-3 * HOUR_MS)
    await write(phone, writtenAt)
    expect(await windowOf(phone)).toEqual(after(DAY_MS, writtenAt))
    await write(phone, world.clock.now())
    expect(await windowOf(phone)).toEqual(after(DAY_MS))
    world.clock.advance(5 * HOUR_MS)
    await write(phone, world.clock.now())
    expect(await windowOf(phone)).toEqual(after(DAY_MS))
    await write(phone, after(-5 * HOUR_MS))
    expect(await windowOf(phone)).toEqual(after(DAY_MS))
  })

  systemTest.each([
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
    const runId = await shop.runFor(phone)
    world.clock.advance(MINUTE_MS)
    await whatsApp.settle()
    expect(textsTo(phone)).toHaveLength(texts)
    const status = texts === 1 ? 'completed' : 'failed'
    expect(await runOf(world, runId)).toMatchObject({ status })
  })
})
