/**
 * What is done, and all that is told of it, in its order: one line a case, each in a shop of its own.
 * Spec: Events › Types; Events › Order in a transaction; Events › Payloads.
 */
import { describe, expect, test } from 'vitest'
import { itemsOf } from '../support/dashboard.ts'
import type { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { ASKING, SAYING, tellStory, type Story } from '../flows/triggers/trigger-stories.ts'
import { eventTypesOf, eventsOf } from '../support/records/events.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { setPlan } from '../support/records/accounts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import type { Member } from '../support/dashboard.ts'
import { act, inboxOf, reply, type Inbox, type Talk } from '../support/inbox.ts'
import { newPhone } from '../support/simulator.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { customerWrites, postChanges, receipt } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()

/** A shop with a customer who has written once, and two of its members. */
type Scene = Story & { inbox: Inbox; talk: Talk; sara: Member; omar: Member }
async function scene(): Promise<Scene> {
  const story = await tellStory(world, whatsApp)
  const inbox = inboxOf({ world, whatsApp }, story.shop)
  const talk = await inbox.talk(story.phone)
  return { ...story, inbox, talk, sara: await inbox.member(), omar: await inbox.member() }
}

/** What was raised beside messages, in the order of their ids. */
const told = ({ shop }: Story, before: ReadonlySet<string>) =>
  shop.events().filter(({ id }) => !before.has(id))

const KEYWORD = { kind: 'keyword', words: ['order'] }
const assign =
  (whom: 'sara' | 'omar') =>
  async ({ talk, ...members }: Scene) => {
    const { turn } = await talk.seen()
    await act(members.sara, talk, 'assign', { assigneeId: members[whom].personId, turn })
  }
const takesOver = async ({ sara, talk }: Scene) => {
  await act(sara, talk, 'take-over', { turn: (await talk.seen()).turn })
}
const saysNothing = async () => {}
const asksFirst = async (one: Scene) => {
  await one.publish({ trigger: KEYWORD, steps: ASKING })
  await one.say('order')
}
/** A flow that gives the conversation to staff, with these words. */
const handsOver = (text: string) => async (one: Scene) => {
  const steps = { hello: { kind: 'handover', text, personId: null } }
  await one.publish({ trigger: { kind: 'keyword', words: ['person'] }, steps })
}
const contactOf = async ({ owner, shop, phone }: Scene) => {
  const at = `/companies/${shop.companyId}/contacts`
  const found = await itemsOf<ContactView>(owner, `${at}?q=${phone.slice(1)}`)
  return `${at}/${found[0]!.id}`
}

type Case = {
  what: string
  given?: (one: Scene) => Promise<unknown>
  does: (one: Scene) => Promise<unknown>
  /** Types in their order, each with what of its data must be so. */
  tells: [string, Record<string, unknown>?][]
}

const ON_WHATSAPP = { conversation: { channelType: 'whatsapp' } }
const SAUDI = { contact: { phone: expect.stringMatching(/^\+966/) as string } }

const CASES: Case[] = [
  {
    what: 'a customer who has written before writes: the message, and no start',
    does: (one) => one.say('hello again'),
    tells: [
      ['message.received', { message: { text: 'hello again', type: 'text' }, ...ON_WHATSAPP }],
    ],
  },
  {
    what: 'the answer that a run waits for is a message as well, before the end that it brings',
    given: asksFirst,
    does: (one) => one.say('the red one'),
    tells: [
      ['message.received', { message: { text: 'the red one' } }],
      ['flow.completed', { run: { triggerKind: 'keyword', endReason: 'completed' } }],
    ],
  },
  {
    what: 'a picture without words has none',
    does: (one) => one.write({ content: { type: 'image', image: { id: '1' } } }),
    tells: [['message.received', { message: { type: 'image', text: null } }]],
  },
  {
    what: 'thirty pictures at once are one act, and no burst',
    does: async (one) => {
      for (let nth = 0; nth < 30; nth += 1) {
        await one.write({ content: { type: 'image', image: { id: String(nth) } } })
      }
    },
    tells: Array.from({ length: 30 }, () => ['message.received']),
  },
  {
    what: 'that a message was sent, delivered, read or refused is told to nobody',
    given: async ({ sara, talk }) => reply(sara, talk, 'We have it'),
    does: async (one) => {
      const id = whatsApp.simulator.messages().at(-1)!.wamid
      for (const [nth, status] of ['sent', 'delivered', 'read', 'failed'].entries()) {
        const at = String(Math.floor(world.clock.now().getTime() / SECOND_MS) + nth)
        const outcome = { id, status, timestamp: at, recipient_id: one.phone.slice(1) }
        await postChanges(world, one.shop, receipt(outcome))
      }
    },
    tells: [],
  },
  {
    what: 'a flow hands over: the handover with its words, then the end of the run',
    given: handsOver('طلب من {{contact.phone}}'),
    does: (one) => one.say('person'),
    tells: [
      ['message.received'],
      [
        'conversation.handover',
        {
          reason: 'flow_handover',
          reasonText: expect.stringMatching(/^طلب من \+966/) as string,
          ...SAUDI,
          ...ON_WHATSAPP,
        },
      ],
      ['flow.completed', { run: { endReason: 'handed_over' } }],
    ],
  },
  {
    what: 'staff has it already when a flow beside it hands over: only the run ends',
    given: takesOver,
    does: async ({ owner, shop, phone, publish }) => {
      world.clock.advance(SECOND_MS)
      const steps = { hello: { kind: 'handover', text: 'help', personId: null } }
      const flowId = await publish({ trigger: { kind: 'manual' }, steps })
      const at = `/companies/${shop.companyId}/flows/${flowId}/runs`
      expect((await owner.ask('POST', at, { phone })).status).toBe(201)
    },
    tells: [['flow.completed', { run: { triggerKind: 'manual', endReason: 'handed_over' } }]],
  },
  {
    what: 'a member replies without a handover: nothing is told',
    does: ({ sara, talk }) => reply(sara, talk, 'I am here'),
    tells: [],
  },
  {
    what: 'a message to staff that has the conversation is told of as any other',
    given: takesOver,
    does: (one) => one.say('are you there?'),
    tells: [['message.received', { message: { text: 'are you there?' } }]],
  },
  {
    what: 'it is taken from who had it: nobody has it',
    given: assign('sara'),
    does: async ({ omar, talk }) => {
      await act(omar, talk, 'assign', { assigneeId: null, turn: (await talk.seen()).turn })
    },
    tells: [['conversation.assigned', { assignee: null }]],
  },
  {
    what: 'it is resolved: the whole conversation, and nothing of who had it',
    given: assign('sara'),
    does: async ({ sara, talk }) => {
      await act(sara, talk, 'resolve')
      await act(sara, talk, 'resolve')
    },
    tells: [
      [
        'conversation.resolved',
        {
          conversation: { channelType: 'whatsapp', channelId: expect.any(String) as string },
          ...SAUDI,
        },
      ],
    ],
  },
  {
    what: 'a member opts out who is out already: nothing',
    given: async (one) => one.owner.ask('POST', `${await contactOf(one)}/opt-out`),
    does: async (one) => one.owner.ask('POST', `${await contactOf(one)}/opt-out`),
    tells: [],
  },
  {
    what: 'a member opts the customer in again: an update',
    given: async (one) => one.owner.ask('POST', `${await contactOf(one)}/opt-out`),
    does: async (one) =>
      one.owner.ask('POST', `${await contactOf(one)}/opt-in`, { reason: 'asked' }),
    tells: [['contact.updated', { contact: { optedOut: false } }]],
  },
  {
    what: 'a number without its country is shown to nobody outside',
    does: async ({ owner, shop }) => {
      const at = `/companies/${shop.companyId}/contacts`
      const made = await owner.ask<ContactView>('POST', at, { name: 'Sara' })
      await owner.ask('PATCH', `${at}/${made.body.id}`, { phone: '0700 900 123' })
      await owner.ask('PATCH', `${at}/${made.body.id}`, { name: 'Sara A.' })
    },
    tells: [
      ['contact.created', { contact: { name: 'Sara', phone: null } }],
      ['contact.updated', { contact: { name: 'Sara A.', phone: null } }],
    ],
  },
  {
    what: 'a switched-off flow lets what runs go on',
    given: async (one) => {
      const id = await one.publish({ trigger: KEYWORD, steps: ASKING })
      await one.say('order')
      await one.owner.ask('PATCH', `/companies/${one.shop.companyId}/flows/${id}`, { isOn: false })
    },
    does: (one) => one.say('the red one'),
    tells: [
      ['message.received'],
      ['flow.completed', { run: { variables: { answer: 'the red one' } } }],
    ],
  },
  {
    what: 'STOP while a run waits: the message, the opt-out, the end of the run',
    given: asksFirst,
    does: (one) => one.say('STOP'),
    tells: [
      ['message.received', { message: { text: 'STOP' } }],
      ['contact.opted_out', { contact: { optedOut: true } }],
      ['flow.completed', { run: { status: 'completed', endReason: 'customer_exited' } }],
    ],
  },
]

describe('Who does what, and what is told of it', () => {
  test.each(CASES)('$what', async ({ given = saysNothing, does, tells }) => {
    const one = await scene()
    await given(one)
    await whatsApp.settle()
    const before = new Set(one.shop.events().map(({ id }) => id))
    await does(one)
    await whatsApp.settle()
    const events = told(one, before)
    expect(events.map(({ type }) => type)).toEqual(tells.map(([type]) => type))
    for (const [nth, [, data = {}]] of tells.entries())
      expect(events[nth]!.data).toMatchObject(data)
  })
})

systemTest('a plan without automated templates fails the run that would send one', async () => {
  const one = await scene()
  const body = ['1', '2'].map((name) => ({ name, text: 'x' }))
  const tell = { ...ORDER_READY_STEPS.tell, body, next: null }
  await one.publish({ trigger: KEYWORD, steps: { hello: tell } })
  const { accountId, companyId } = one.shop
  await setPlan(world, { accountId }, 'pro')
  await one.say('order')
  expect(await one.runs()).toMatchObject([{ status: 'failed', reason: 'limit_exceeded' }])
  expect(await eventTypesOf(world, { companyId }, 'flow.')).toEqual(['flow.failed'])
})

test('a customer’s first message: who it is, that it begins, what it says, and the flow that it starts', async () => {
  const story = await tellStory(world, whatsApp)
  await story.publish({ trigger: { kind: 'conversation_started' }, steps: SAYING })
  await story.say('hello')
  const events = told(story, new Set())
  expect(events.map(({ type }) => type)).toEqual([
    'contact.created',
    'conversation.started',
    'message.received',
    'flow.completed',
  ])
  expect(events[3]!.data).toMatchObject({ run: { triggerKind: 'conversation_started' } })
})

test('what a run has kept and asked for is told as texts', async () => {
  const shop = await whatsApp.openShop({
    trigger: {
      kind: 'webhook',
      phonePath: 'customer.phone',
      namePath: 'customer.name',
      languagePath: null,
      keep: [
        { name: 'order', path: 'order.number' },
        { name: 'total', path: 'order.total' },
        { name: 'paid', path: 'order.paid' },
        { name: 'gift', path: 'order.gift' },
      ],
    },
  })
  const phone = newPhone()
  await shop.runFor(phone, { order: { number: 'A-1', total: 125.5, paid: true } })
  whatsApp.simulator.tapButton({ from: phone })
  await whatsApp.settle()
  const [ended] = shop.events('flow.completed')
  const expected = { order: 'A-1', total: '125.5', paid: 'true', gift: null, answer: 'Yes, today' }
  expect((ended!.data.run as { variables: object }).variables).toEqual(expected)
})

systemTest('Of the Arabic words of a handover 1,000 letters go out, as they are', async () => {
  const one = await scene()
  await handsOver('ط'.repeat(1_500))(one)
  await one.say('person')
  const [sent] = world.receiver.received.filter(
    ({ event }: { event: WebhookEnvelope }) =>
      event.company.id === one.shop.companyId && event.type === 'conversation.handover',
  )
  expect(sent!.body.toString('utf8')).toContain(`"reasonText":"${'ط'.repeat(1_000)}"`)
})

test('an event that no endpoint subscribes to is there, and is delivered to nobody', async () => {
  const shop = await whatsApp.openShop({ eventTypes: ['flow.failed'] })
  await customerWrites(world, shop, { from: newPhone() })
  await whatsApp.settle()
  expect(await eventsOf(world, shop)).toHaveLength(3)
  expect(await deliveriesOf(world, shop)).toEqual([])
})
