/** STOP and START, from the message to the runs and the hook. */
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { messageAtProvider } from '../support/records/messages.ts'
import { systemTest } from '../support/system-tests.ts'
import { conversationWith, conversationsOf } from '../support/records/conversations.ts'
import { contactWith } from '../support/records/contacts.ts'
import { moveChannel } from '../support/records/credentials.ts'
import { runOf } from '../support/records/runs.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { addFlow } from '../support/add-flow.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { newPhone } from '../support/simulator.ts'
import { customerWrites, postChanges, receipt, type Written } from '../support/whatsapp-webhook.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()

const write = (phone: string, text: string) => customerWrites(world, shop, { from: phone, text })
const ask = (phone: string, hookUrl = shop.hookUrl) =>
  postHook(hookUrl, { ...ORDER, customer: { ...ORDER.customer, phone } })

/** Returns the types of the events about one customer, in their order. */
const typesFor = (phone: string) => shop.eventsAbout(phone).map(({ type }) => type)
const count = (types: string[], type: string) => types.filter((other) => other === type).length

describe('STOP', () => {
  test.each<Written>([
    { text: ' sToP\n' },
    { content: { type: 'button', button: { text: 'STOP', payload: 'STOP' } } },
  ])('opts the customer out: %j', async (said) => {
    const phone = newPhone()
    await customerWrites(world, shop, { from: phone, ...said })
    await whatsApp.settle()
    expect(typesFor(phone)).toEqual(
      expect.arrayContaining(['message.received', 'contact.opted_out']),
    )
    expect(typesFor(phone)).not.toContain('contact.updated')
    const [event] = shop.eventsAbout(phone, 'contact.opted_out')
    expect(event!.data.contact).toMatchObject({ phone, optedOut: true })
  })

  const image = { id: '1', mime_type: 'image/jpeg', caption: 'STOP' }
  test.each<Written>([{ text: 'please STOP' }, { content: { type: 'image', image } }])(
    'does nothing within a longer message or in a caption: %j',
    async (said) => {
      const phone = newPhone()
      await customerWrites(world, shop, { from: phone, ...said })
      await whatsApp.settle()
      expect(typesFor(phone)).toContain('message.received')
      expect(typesFor(phone)).not.toContain('contact.opted_out')
    },
  )

  test('raises `contact.opted_out` once, also when it arrives twice at the same moment', async () => {
    const phone = newPhone()
    await Promise.all([write(phone, 'STOP'), write(phone, 'stop'), write(phone, 'STOP')])
    await write(phone, 'STOP')
    await whatsApp.settle()
    const types = typesFor(phone)
    expect(count(types, 'contact.opted_out')).toBe(1)
    expect(count(types, 'message.received')).toBe(4)
    expect(count(types, 'contact.created')).toBe(1)
    expect(types).not.toContain('contact.updated')
  })
})

test('hook requests answer 409 opted_out until START, which raises `contact.updated`', async () => {
  const phone = newPhone()
  await write(phone, 'STOP')
  expect(await ask(phone)).toMatchObject({ http: 409, status: 'opted_out', id: null })
  await write(phone, ' start ')
  await write(phone, 'START')
  await whatsApp.settle()
  const updates = shop.eventsAbout(phone, 'contact.updated')
  expect(updates.map(({ data }) => data.contact)).toEqual([
    expect.objectContaining({ phone, optedOut: false }),
  ])
  const answer = await ask(phone)
  expect(answer).toMatchObject({ http: 202 })
  await whatsApp.settle()
  expect(await runOf(world, answer.id!)).toMatchObject({ status: 'waiting' })
})

describe('an opt-out', () => {
  /** A second number of the shop, with a flow that its hook starts. */
  async function openSecond() {
    const second = await whatsApp.openShop()
    await moveChannel(world, second, shop)
    return { second, hookUrl: (await addFlow(world, shop, second.channelId)).hookUrl }
  }

  test('applies to all channels of that contact: STOP on one stops the flows of the other', async () => {
    const phone = newPhone()
    const { hookUrl } = await openSecond()
    const askSecond = () => ask(phone, hookUrl)
    const waiting = await askSecond()
    expect(waiting).toMatchObject({ http: 202 })
    await write(phone, 'hello')
    const { id: contactId } = await contactWith(world, shop, phone)
    expect(await conversationsOf(world, { contactId })).toHaveLength(2)
    await write(phone, 'STOP')
    expect(await askSecond()).toMatchObject({ http: 409, status: 'opted_out' })
    expect(await ask(phone)).toMatchObject({ http: 409, status: 'opted_out' })
    await whatsApp.settle()
    expect(await runOf(world, waiting.id!)).toMatchObject({ status: 'skipped' })
    expect(count(typesFor(phone), 'contact.opted_out')).toBe(1)
  })

  test('does not apply to the same number’s contact in another company', async () => {
    const phone = newPhone()
    const other = await whatsApp.openShop()
    await write(phone, 'STOP')
    expect(await ask(phone)).toMatchObject({ http: 409, status: 'opted_out' })
    expect(await ask(phone, other.hookUrl)).toMatchObject({ http: 202 })
  })
})

describe('STOP and START by their own time', () => {
  let phone: string
  beforeEach(async () => {
    phone = newPhone()
    world.clock.advance(HOUR_MS)
    await says('hello')
  })

  const ago = (ms: number) => new Date(world.clock.now().getTime() - ms)
  async function says(text: string, at = world.clock.now()) {
    await customerWrites(world, shop, { from: phone, text, at })
    await whatsApp.settle()
  }
  const raised = () =>
    typesFor(phone).filter((type) => type === 'contact.updated' || type === 'contact.opted_out')
  const isOptedOut = async () => {
    const { optedOutAt } = await contactWith(world, shop, phone)
    return optedOutAt !== null
  }

  describe('the newest keyword by its own time decides, however late it is delivered', () => {
    test('a STOP that arrives late, written before the START, changes nothing, and ends nothing', async () => {
      await says('STOP', ago(4 * MINUTE_MS))
      await says('START', ago(2 * MINUTE_MS))
      const runId = await shop.runFor(phone)
      const before = raised()
      await says('STOP', ago(3 * MINUTE_MS))
      expect(await isOptedOut()).toBe(false)
      expect(raised()).toEqual(before)
      expect(await runOf(world, runId)).toMatchObject({ status: 'waiting' })
    })

    systemTest('a keyword from the future counts as of now: the next one counts', async () => {
      await says('STOP', new Date('2999-01-01T00:00:00Z'))
      expect(await isOptedOut()).toBe(true)
      world.clock.advance(SECOND_MS)
      await says('START')
      expect(await isOptedOut()).toBe(false)
    })
  })

  describe('an impossible time of the provider is replaced by the time of arrival', () => {
    test.each([
      ['ahead of us', new Date('5138-11-16T09:46:39Z')],
      ['a second ahead', null],
      ['before any provider', new Date('1970-01-02T00:00:00Z')],
    ])('%s', async (_, at) => {
      const now = world.clock.now()
      await says('what time is it?', at ?? new Date(now.getTime() + SECOND_MS))
      expect(await conversationWith(world, shop, phone)).toMatchObject({
        serviceWindowEndsAt: new Date(now.getTime() + 24 * HOUR_MS),
        lastMessageAt: now,
      })
      const received = shop.eventsAbout(phone, 'message.received')
      expect(received.at(-1)).toMatchObject({
        createdAt: now.toISOString(),
        data: { message: { receivedAt: now.toISOString() } },
      })
    })

    test('for a receipt', async () => {
      await shop.runFor(phone)
      const [sent] = whatsApp.sentTo(phone)
      const read = { id: sent!.wamid, status: 'read', timestamp: '100000000000' }
      await postChanges(world, shop, receipt(read))
      const message = await messageAtProvider(world, sent!.wamid)
      expect(message).toMatchObject({ status: 'read', readAt: world.clock.now() })
    })
  })
})
