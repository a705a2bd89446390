/** STOP and START count by their own time, however late a provider delivers them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { runOf } from '../support/records/runs.ts'
import { messageAtProvider } from '../support/records/messages.ts'
import { contactWith } from '../support/records/contacts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'
import { postWebhook, receipt, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let phone: string
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
beforeEach(async () => {
  phone = newPhone()
  world.clock.advance(HOUR_MS)
  await write('hello')
})

const ago = (ms: number) => new Date(world.clock.now().getTime() - ms)
async function write(text: string, at = world.clock.now()) {
  const change = written({ from: phone.slice(1), text, at })
  expect(await postWebhook(world, webhookOf(shop, [change]))).toBe(200)
  await whatsApp.settle()
}
const raised = () =>
  shop
    .eventsAbout(phone)
    .map(({ type }) => type)
    .filter((type) => type === 'contact.updated' || type === 'contact.opted_out')
const isOptedOut = async () => {
  const { optedOutAt } = await contactWith(world, shop, phone)
  return optedOutAt !== null
}

describe('the newest word by its own time decides', () => {
  test('a START that comes late, written before the STOP, changes nothing', async () => {
    await write('STOP', ago(MINUTE_MS))
    await write('START', ago(2 * MINUTE_MS))
    expect(await isOptedOut()).toBe(true)
    expect(raised()).toEqual(['contact.opted_out'])
  })

  test('a STOP that comes late, written before the START, changes nothing, and ends nothing', async () => {
    await write('STOP', ago(4 * MINUTE_MS))
    await write('START', ago(2 * MINUTE_MS))
    const runId = await shop.order(phone)
    await whatsApp.settle()
    await write('STOP', ago(3 * MINUTE_MS))
    expect(await isOptedOut()).toBe(false)
    expect(raised()).toEqual(['contact.opted_out', 'contact.updated'])
    const run = await runOf(world, runId)
    expect(run.status).toBe('waiting')
  })

  systemTest('also where it changed nothing itself', async () => {
    await write('START', ago(MINUTE_MS))
    await write('STOP', ago(2 * MINUTE_MS))
    expect(await isOptedOut()).toBe(false)
    await write('STOP', ago(30 * SECOND_MS))
    await write('STOP', ago(10 * SECOND_MS))
    await write('START', ago(20 * SECOND_MS))
    expect(await isOptedOut()).toBe(true)
    expect(raised()).toEqual(['contact.opted_out'])
  })

  systemTest('of two at one time the later arrival counts', async () => {
    const at = ago(MINUTE_MS)
    await write('STOP', at)
    await write('START', at)
    expect(await isOptedOut()).toBe(false)
    await write('STOP', at)
    expect(await isOptedOut()).toBe(true)
    expect(raised()).toEqual(['contact.opted_out', 'contact.updated', 'contact.opted_out'])
  })

  systemTest.each(['5138-11-16T09:46:39Z', '2999-01-01T00:00:00Z'])(
    'a word from the future (%s) is of now: the next one counts',
    async (future) => {
      await write('STOP', new Date(future))
      expect(await isOptedOut()).toBe(true)
      world.clock.advance(SECOND_MS)
      await write('START')
      expect(await isOptedOut()).toBe(false)
    },
  )
})

describe('a provider’s time that cannot be believed is the time of arrival', () => {
  test.each([
    ['ahead of us', new Date('5138-11-16T09:46:39Z')],
    ['a second ahead', null],
    ['before any provider', new Date('1970-01-02T00:00:00Z')],
  ])('%s', async (_, at) => {
    const now = world.clock.now()
    await write('what time is it?', at ?? new Date(now.getTime() + SECOND_MS))
    expect(await conversationWith(world, shop, phone)).toMatchObject({
      serviceWindowEndsAt: new Date(now.getTime() + 24 * HOUR_MS),
      lastMessageAt: now,
    })
    const [event] = shop
      .events('message.received')
      .filter(({ data }) => (data.message as { text: string }).text === 'what time is it?')
      .slice(-1)
    expect(event).toMatchObject({
      createdAt: now.toISOString(),
      data: { message: { receivedAt: now.toISOString() } },
    })
  })

  test('of a receipt', async () => {
    await shop.order(phone)
    await whatsApp.settle()
    const [sent] = whatsApp.simulator.messages().filter(({ to }) => `+${to}` === phone)
    const read = { id: sent!.wamid, status: 'read', timestamp: '100000000000' }
    expect(await postWebhook(world, webhookOf(shop, [receipt(read)]))).toBe(200)
    const message = await messageAtProvider(world, sent!.wamid)
    expect(message).toMatchObject({ status: 'read', readAt: world.clock.now() })
  })
})
