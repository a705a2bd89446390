/** The events that a customer's message raises. Spec: Events › Types; Events › Payloads. */
import { beforeEach, describe, expect, test } from 'vitest'
import { EVENT_DATA, type MessageReceivedData } from '../../src/contract/webhook-data.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import type { SampleKind } from '../../simulators/index.ts'
import { textsOf } from '../support/records/messages.ts'
import { switchOff } from '../support/records/endpoints.ts'
import { ASKING, keyword, saying, SAYING, tellStory } from '../flows/triggers/trigger-stories.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { eventsOf } from '../support/records/events.ts'
import {
  conversationWith,
  onlyConversation,
  putConversation,
  resolveConversations,
} from '../support/records/conversations.ts'
import { copyChannel } from '../support/records/credentials.ts'
import { makeProject } from '../support/records/accounts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { createOwnShop, ORDER_READY_STEPS } from '../support/shop.ts'
import { type ConnectedShop, newPhone } from '../support/simulator.ts'
import {
  type Change,
  customerWrites,
  echoed,
  newWamid,
  postChanges,
  receipt,
  written,
} from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let shop: ConnectedShop
const { world, whatsApp } = await openWhatsApp()

beforeEach(async () => {
  shop = await whatsApp.openShop()
})

const types = () => shop.events().map(({ type }) => type)
const received = () =>
  shop.events('message.received').map(({ data }) => EVENT_DATA['message.received'].parse(data))
const chat = (from: string) => ({ from, phoneNumberId: shop.phoneNumberId })
/** Writes as a customer, and processes all that results from it. Returns the customer's phone number. */
async function says(text: string, from = newPhone()): Promise<string> {
  whatsApp.simulator.sendText({ ...chat(from), text })
  await whatsApp.settle()
  return from
}
const NEWCOMER = ['contact.created', 'conversation.started', 'message.received']

describe('message.received', () => {
  test('the first message also raises conversation.started and contact.created', async () => {
    const phone = await says('hello')
    expect(types().toSorted()).toEqual(NEWCOMER)
    const [message] = received()
    expect(message).toEqual({
      conversation: {
        id: expect.stringMatching(/^c_/),
        channelId: shop.channelId,
        channelType: 'whatsapp',
      },
      contact: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: expect.stringMatching(/^Customer /),
        phone,
        whatsAppId: phone.slice(1),
      },
      message: {
        id: expect.stringMatching(/^m_/),
        text: 'hello',
        type: 'text',
        receivedAt: world.clock.now().toISOString(),
      },
    })
    const { conversation, contact } = message!
    expect(shop.events('conversation.started').map(({ data }) => data)).toEqual([
      { conversation, contact },
    ])
    expect(shop.events('contact.created').map(({ data }) => data)).toEqual([
      {
        contact: {
          id: contact!.id,
          name: contact!.name,
          phone,
          whatsAppId: expect.stringMatching(/^SA\.\d+$/),
          email: null,
          language: null,
          tags: [],
          fields: {},
          optedOut: false,
        },
      },
    ])
  })

  test('is the only event of an existing customer’s message, also once resolved; a hook raises none', async () => {
    const phone = await says('hello')
    await resolveConversations(world, shop)
    const before = types().length
    await says('again', phone)
    expect(types().slice(before)).toEqual(['message.received'])
    const conversation = await onlyConversation(world, { channelId: shop.channelId })
    expect(conversation.status).toBe('open')
    await shop.runFor(phone)
    expect(types()).toHaveLength(before + 1)
  })

  test.each<[SampleKind, MessageReceivedData['message']['type'], string | null]>([
    ['image', 'image', 'A photo of the box'],
    ['video', 'video', 'It does this'],
    ['document', 'document', 'receipt'],
    ['voice', 'audio', null],
    ['sticker', 'sticker', null],
    ['location', 'location', null],
    ['contact', 'contact', null],
    ['unsupported', 'unknown', null],
  ])('media arrives with its type and any caption: %s', async (kind, type, text) => {
    whatsApp.simulator.sendSample({ ...chat(newPhone()), kind })
    await whatsApp.settle()
    expect(received().map(({ message }) => message)).toMatchObject([{ type, text }])
  })

  test('Arabic text is sent unescaped, and long text is cut at 4,096 characters', async () => {
    const texts = ['مرحبا، أين طلبي؟', `${'ا'.repeat(4_095)}😀 and more`]
    for (const text of texts) await says(text)
    expect(received().map(({ message }) => message.text)).toEqual([
      texts[0],
      `${'ا'.repeat(4_095)}😀`,
    ])
    const bodies = world.receiver.received
      .filter(({ event }) => event.company.id === shop.companyId)
      .map(({ body }) => body.toString('utf8'))
    expect(bodies.some((body) => body.includes('"text":"مرحبا، أين طلبي؟"'))).toBe(true)
    expect(await textsOf(world, shop)).toEqual(expect.arrayContaining(texts))
  })

  systemTest('is not raised by what a flow sends, by receipts, reactions or edits', async () => {
    const phone = newPhone()
    await shop.runFor(phone)
    const from = phone.slice(1)
    whatsApp.simulator.readChat(chat(from))
    for (const content of [
      { type: 'reaction', reaction: { message_id: newWamid(), emoji: '👍' } },
      { type: 'edit', edit: { original_message_id: newWamid() } },
      { type: 'revoke', revoke: { original_message_id: newWamid() } },
    ]) {
      await customerWrites(world, shop, { from, content })
    }
    await whatsApp.settle()
    expect(types().toSorted()).toEqual(['contact.created', 'conversation.started'])
  })
})

test('conversation.started is raised once per conversation, and again for another channel', async () => {
  const phone = await says('hello')
  const id = await copyChannel(world, shop, { providerRoute: 'second-number' })
  const onSecond = { ...shop, phoneNumberId: 'second-number' }
  await customerWrites(world, onSecond, { from: phone })
  await whatsApp.settle()
  expect(shop.events('contact.created')).toHaveLength(1)
  const started = shop.events('conversation.started').map(({ data }) => data.conversation)
  expect(started).toHaveLength(2)
  expect(started[1]).toMatchObject({ channelId: id })
})

describe('receivers of events', () => {
  systemTest('only the company’s endpoints that are subscribed, on, and in the plan', async () => {
    shop = await whatsApp.openShop({ eventTypes: ['flow.completed'] })
    const other = await whatsApp.openShop()
    const off = await whatsApp.openShop()
    const left = await createOwnShop(world, { plan: 'pro' })
    await switchOff(world, off)
    for (const each of [shop, off, left]) await customerWrites(world, each, { from: newPhone() })
    await whatsApp.settle()
    const heard = world.receiver.received.map(({ event }) => event.company.id)
    for (const each of [shop, other, off, left]) expect(heard).not.toContain(each.companyId)
  })

  test('a project has separate events: the account’s endpoint receives none of them', async () => {
    const project = await whatsApp.openShop()
    await makeProject(world, project, shop)
    await customerWrites(world, project, { from: newPhone() })
    await whatsApp.settle()
    expect(shop.events()).toEqual([])
    expect(project.events('message.received')).toHaveLength(1)
  })
})

describe('conversation.started fires when the customer first writes', () => {
  let phone: string
  beforeEach(() => {
    phone = newPhone()
  })
  const post = async (...changes: Change[]) => {
    await postChanges(world, shop, ...changes)
    await whatsApp.settle()
  }
  /** An echo has no name of the customer, so the first message also raises `contact.updated`. */
  const shownTypes = () =>
    shop
      .events()
      .map(({ type }) => type)
      .filter((type) => type !== 'contact.updated')
  const writes = () => post(written({ from: phone.slice(1) }))
  const ownerWrites = () => post(echoed({ to: phone.slice(1) }))
  const history = (...by: ('customer' | 'owner')[]): Change => {
    const customer = phone.slice(1)
    const messages = by.map((who, place) => ({
      id: newWamid(),
      ...(who === 'customer' ? { from: customer } : { from: '15550783881', to: customer }),
      timestamp: String(1_760_000_000 + place),
      type: 'text',
      text: { body: 'hello' },
    }))
    return { field: 'history', value: { history: [{ threads: [{ id: customer, messages }] }] } }
  }
  const FIRST = ['conversation.started', 'message.received']

  test('after the owner began it, at the customer’s first message, once', async () => {
    await ownerWrites()
    await ownerWrites()
    expect(shownTypes()).toEqual(['contact.created'])
    await writes()
    expect(shownTypes().toSorted()).toEqual(['contact.created', ...FIRST])
    await ownerWrites()
    await writes()
    expect(shownTypes().filter((type) => type === 'conversation.started')).toHaveLength(1)
    const [started] = shop.events('conversation.started')
    const [heard] = shop.events('message.received')
    const expected = { conversation: heard!.data.conversation, contact: heard!.data.contact }
    expect(started!.data).toEqual(expected)
  })

  test('never again after a hook began it, which has raised it', async () => {
    await shop.order(phone)
    await writes()
    expect(shownTypes().filter((type) => type === 'conversation.started')).toHaveLength(1)
  })

  test('after the owner began it and a hook followed, at the customer’s first message', async () => {
    await ownerWrites()
    await shop.runFor(phone)
    expect(shownTypes()).toEqual(['contact.created'])
    await writes()
    expect(shownTypes().slice(1).toSorted()).toEqual(FIRST)
  })

  test('never after a history in which the customer wrote: the conversation existed', async () => {
    await post(history('owner', 'customer'))
    await writes()
    expect(shownTypes().toSorted()).toEqual(['contact.created', 'message.received'])
  })

  test('never when such a history arrives after the owner’s reply', async () => {
    await ownerWrites()
    await post(history('customer'))
    await writes()
    expect(shownTypes().toSorted()).toEqual(['contact.created', 'message.received'])
  })

  test('after a history in which only the owner wrote', async () => {
    await post(history('owner', 'owner'))
    expect(shownTypes()).toEqual(['contact.created'])
    await writes()
    expect(shownTypes().slice(1).toSorted()).toEqual(FIRST)
  })
})

describe('The events of one act are in its order:', () => {
  /** A customer whose run waits for an answer. */
  async function openQuestion() {
    const story = await tellStory(world, whatsApp)
    const flowId = await story.publish({ trigger: keyword('order'), steps: ASKING })
    await story.say('order')
    return { ...story, flow: `/companies/${story.shop.companyId}/flows/${flowId}` }
  }

  test('an answer to a flow that was switched off, and the end of the run', async () => {
    const { shop: own, owner, flow, say } = await openQuestion()
    await owner.ask('PATCH', flow, { isOn: false })
    const before = own.events().length
    await say('the red one')
    expect(own.events().slice(before)).toMatchObject([
      { type: 'message.received', data: { message: { text: 'the red one' } } },
      { type: 'flow.completed', data: { run: { variables: { answer: 'the red one' } } } },
    ])
  })

  test('STOP while a run waits, the opt-out, and the end of the run', async () => {
    const { shop: own, say } = await openQuestion()
    const before = own.events().length
    await say('STOP')
    const run = { status: 'completed', endReason: 'customer_exited' }
    expect(own.events().slice(before)).toMatchObject([
      { type: 'message.received', data: { message: { text: 'STOP' } } },
      { type: 'contact.opted_out', data: { contact: { optedOut: true } } },
      { type: 'flow.completed', data: { run } },
    ])
  })

  test('a flow that hands over while staff handles the conversation ends its run, and nothing else', async () => {
    const { shop: own, owner, phone, publish, say, conversation } = await tellStory(world, whatsApp)
    await say('hello')
    const handled = { handledBy: 'staff', takenOverAt: world.clock.now() }
    await putConversation(world, (await conversation()).id, handled)
    world.clock.advance(SECOND_MS)
    const steps = { hello: { kind: 'handover', text: 'help', personId: null } }
    const flowId = await publish({ trigger: { kind: 'manual' }, steps })
    const before = own.events().length
    const runs = `/companies/${own.companyId}/flows/${flowId}/runs`
    expect((await owner.ask('POST', runs, { phone })).status).toBe(201)
    await whatsApp.settle()
    const run = { triggerKind: 'manual', endReason: 'handed_over' }
    expect(own.events().slice(before)).toMatchObject([{ type: 'flow.completed', data: { run } }])
  })
})

test('a customer’s first message: contact, conversation, message, and the flow that it starts', async () => {
  const story = await tellStory(world, whatsApp)
  await story.publish({ trigger: { kind: 'conversation_started' }, steps: SAYING })
  await story.say('hello')
  const events = story.shop.events()
  expect(events.map(({ type }) => type)).toEqual([
    'contact.created',
    'conversation.started',
    'message.received',
    'flow.completed',
  ])
  expect(events[3]!.data).toMatchObject({ run: { triggerKind: 'conversation_started' } })
})

test('an event that no endpoint subscribes to is stored and not delivered', async () => {
  shop = await whatsApp.openShop({ eventTypes: ['flow.failed'] })
  await customerWrites(world, shop, { from: newPhone() })
  await whatsApp.settle()
  expect(await eventsOf(world, shop)).toHaveLength(3)
  expect(await deliveriesOf(world, shop)).toEqual([])
})

const windowOf = async (phone: string) =>
  (await conversationWith(world, shop, phone)).serviceWindowEndsAt
const write = (from: string, at: Date) => customerWrites(world, shop, { from, at })
const after = (ms: number, from = world.clock.now()) => new Date(from.getTime() + ms)
const textsTo = (phone: string) => whatsApp.sentTo(phone).filter(({ type }) => type === 'text')

describe('a 24-hour service window', () => {
  test('is not open for a customer who never wrote, nor opened by messages of the business or receipts', async () => {
    const { tell, ask } = ORDER_READY_STEPS
    const say = saying('Anything else?')
    shop = await whatsApp.openShop({
      steps: { tell, ask: { ...ask, timeoutMinutes: 1, onTimeout: 'say', next: null }, say },
    })
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

  test('opens at the time of a customer’s message, restarts with a newer one, and no older one shortens it', async () => {
    // The provider reports whole seconds.
    world.clock.advance(SECOND_MS - (world.clock.now().getTime() % SECOND_MS))
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
})
