/** STOP and START, from the message to the runs and the hook. */
import { describe, expect, test } from 'vitest'
import { RUN_LIMITS } from '../../src/limits/flows.ts'
import { SECOND_MS } from '../../src/limits/units.ts'
import { accepted, startMeta } from '../channels/loopback-meta.ts'
import { conversationWith, conversationsOf } from '../support/records/conversations.ts'
import { contactWith, contactsOf } from '../support/records/contacts.ts'
import { moveChannel } from '../support/records/credentials.ts'
import { runOf } from '../support/records/runs.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { addFlow } from '../support/add-flow.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { newPhone } from '../support/simulator.ts'
import { newWamid, postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()

const write = (phone: string, text: string) =>
  postWebhook(world, webhookOf(shop, [written({ from: phone.slice(1), text })]))
const ask = (phone: string) =>
  askHook(shop.hookUrl, { ...ORDER, customer: { ...ORDER.customer, phone } })

/** The types of what was raised about one customer, in their order. */
const typesFor = (phone: string) => shop.eventsAbout(phone).map(({ type }) => type)
const count = (types: string[], type: string) => types.filter((other) => other === type).length

describe('a message that is only STOP', () => {
  test.each(['STOP', 'Stop', 'stop', ' STOP ', 'STOP\n', '\u00a0sToP\u00a0'])(
    'opts the customer out: %j',
    async (text) => {
      const phone = newPhone()
      expect(await write(phone, text)).toBe(200)
      await whatsApp.settle()
      expect(typesFor(phone)).toEqual(
        expect.arrayContaining(['message.received', 'contact.opted_out']),
      )
      expect(typesFor(phone)).not.toContain('contact.updated')
      const [event] = shop.eventsAbout(phone, 'contact.opted_out')
      expect(event!.data.contact).toMatchObject({ phone, optedOut: true })
    },
  )

  test.each(['please STOP', 'STOP it', 'STOPP', 'unstop', 'STOP.', 'توقف', 'ＳＴＯＰ', 'ſtop'])(
    'and not a message that says more: %j',
    async (text) => {
      const phone = newPhone()
      await write(phone, text)
      await whatsApp.settle()
      expect(typesFor(phone)).toContain('message.received')
      expect(typesFor(phone)).not.toContain('contact.opted_out')
    },
  )

  test('and not the caption of a photo', async () => {
    const phone = newPhone()
    const image = { type: 'image', image: { id: '1', mime_type: 'image/jpeg', caption: 'STOP' } }
    await postWebhook(world, webhookOf(shop, [written({ from: phone.slice(1), content: image })]))
    await whatsApp.settle()
    expect(typesFor(phone)).not.toContain('contact.opted_out')
  })

  test('opts out by a tapped button that says so', async () => {
    const phone = newPhone()
    const button = { type: 'button', button: { text: 'STOP', payload: 'STOP' } }
    await postWebhook(world, webhookOf(shop, [written({ from: phone.slice(1), content: button })]))
    await whatsApp.settle()
    expect(typesFor(phone)).toContain('contact.opted_out')
  })

  test('raises `contact.opted_out` once, also when it comes twice at the same moment', async () => {
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

describe('flows do not start and a run waiting for its next step ends', () => {
  test('STOP while a run waits completes it as `customer_exited`', async () => {
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
    whatsApp.simulator.sendText({
      from: phone,
      phoneNumberId: shop.phoneNumberId,
      text: 'STOP',
    })
    await whatsApp.settle()
    const [end] = shop.events('flow.completed').filter(({ data }) => idOf(data.run) === runId)
    expect(end!.data.run).toMatchObject({
      status: 'completed',
      endReason: 'customer_exited',
      variables: { order: '1043' },
    })
    expect(shop.events('flow.failed')).toEqual([])
  })

  test('STOP while the run is at work ends it before it waits', async () => {
    const phone = newPhone()
    const meta = await startMeta((response) => {
      void write(phone, 'STOP').then(() => response.end(accepted(newWamid())))
    })
    world.baseUrls.whatsAppSimulator = meta.url
    const runId = await shop.order(phone)
    await whatsApp.settle()
    world.baseUrls.whatsAppSimulator = whatsApp.simulator.graphBaseUrl
    await meta.stop()
    expect(await runOf(world, runId)).toMatchObject({
      status: 'completed',
      endReason: 'customer_exited',
    })
  })

  test('STOP while a refused send waits for its next try ends the run without it', async () => {
    const phone = '+966514130429'
    const runId = await shop.order(phone)
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({ status: 'running' })
    await write(phone, 'STOP')
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({
      status: 'completed',
      endReason: 'customer_exited',
    })
    world.clock.advance(RUN_LIMITS.sendRetryDelaysMs[0] + SECOND_MS)
    await whatsApp.settle()
    expect(whatsApp.simulator.refusals().filter(({ to }) => to === phone)).toHaveLength(1)
  })

  test('a queued run is skipped in silence, and nothing is sent', async () => {
    const phone = newPhone()
    const runId = await shop.order(phone)
    await write(phone, 'STOP')
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({
      status: 'skipped',
      endReason: null,
      endDetail: storeFact(fact('opted_out_before_start')),
    })
    expect(typesFor(phone).filter((type) => type.startsWith('flow.'))).toEqual([])
    expect(whatsApp.simulator.messages().filter(({ to }) => `+${to}` === phone)).toEqual([])
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
})

test('only a START that opts in is for nobody; of one who is not opted out it is a word like any', async () => {
  const phone = newPhone()
  const waits = async () => {
    const { needsStaff } = await conversationWith(world, shop, phone)
    return needsStaff
  }
  await write(phone, 'STOP')
  world.clock.advance(SECOND_MS)
  await write(phone, 'START')
  expect(await waits()).toBe(false)
  world.clock.advance(SECOND_MS)
  await write(phone, 'START')
  expect(await waits()).toBe(true)
})

describe('the opt-out belongs to the contact', () => {
  test('across the channels of that contact: STOP on one stops what would go out on the other', async () => {
    const phone = newPhone()
    const second = await whatsApp.openShop()
    await moveChannel(world, second, shop)
    const onSecond = await addFlow(world, shop, second.channelId)
    const askSecond = () =>
      askHook(onSecond.hookUrl, { ...ORDER, customer: { ...ORDER.customer, phone } })
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

  test('said on two channels at once it is told once, and each run that waits ends once', async () => {
    const phone = newPhone()
    const second = await whatsApp.openShop()
    await moveChannel(world, second, shop)
    const onSecond = await addFlow(world, shop, second.channelId)
    const body = { ...ORDER, customer: { ...ORDER.customer, phone } }
    const runs = [await ask(phone), await askHook(onSecond.hookUrl, body)]
    await whatsApp.settle()
    for (const run of runs) expect(await runOf(world, run.id!)).toMatchObject({ status: 'waiting' })
    const stop = [written({ from: phone.slice(1), text: 'STOP' })]
    const said = await Promise.all(
      [shop, second].map((at) => postWebhook(world, webhookOf(at, stop))),
    )
    expect(said).toEqual([200, 200])
    await whatsApp.settle()
    expect(count(typesFor(phone), 'contact.opted_out')).toBe(1)
    expect(count(typesFor(phone), 'flow.completed')).toBe(2)
    for (const run of runs) {
      expect(await runOf(world, run.id!)).toMatchObject({ endReason: 'customer_exited' })
    }
  })

  test('and to whom the conversation is with, where the provider shows that both are one customer', async () => {
    const [phone, userId] = [newPhone(), 'SA.STOPS']
    // Somebody whose number is hidden writes; a hook names the number, which nobody has yet.
    await postWebhook(world, webhookOf(shop, [written({ userId })]))
    const run = await ask(phone)
    await whatsApp.settle()
    expect(await runOf(world, run.id!)).toMatchObject({ status: 'waiting' })
    const stop = written({ from: phone.slice(1), userId, text: 'STOP' })
    await postWebhook(world, webhookOf(shop, [stop]))
    await whatsApp.settle()
    expect(await runOf(world, run.id!)).toMatchObject({ endReason: 'customer_exited' })
    expect(await contactsOf(world, shop, { phone })).toMatchObject([
      { optedOutAt: expect.any(Date) },
      { optedOutAt: expect.any(Date) },
    ])
  })

  test('and not to the same number’s contact in another company', async () => {
    const phone = newPhone()
    const other = await whatsApp.openShop()
    await write(phone, 'STOP')
    expect(await ask(phone)).toMatchObject({ http: 409, status: 'opted_out' })
    const body = { ...ORDER, customer: { ...ORDER.customer, phone } }
    expect(await askHook(other.hookUrl, body)).toMatchObject({ http: 202 })
  })
})

const idOf = (run: unknown) => (run as { id: string }).id
