/**
 * Members take conversations over, assign, give back, resolve and reopen them, and see the changes on their
 * stream.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { addRunStep, putRun, runOf } from '../support/records/runs.ts'
import { addQueuedMessage } from '../support/records/outbox.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { refusalsOf, signedIn } from '../support/dashboard.ts'
import { act, inboxOf, reply, type Talk } from '../support/inbox.ts'
import { newPhone } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'
import { liveEntities } from '../../src/modules/inbox/live-entities.ts'
import { createLiveChanges } from '../../src/modules/live-updates/change-stream.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { setTranscript } from '../support/records/messages.ts'
import { followLive, lookUntil } from '../support/live.ts'

let talk: Talk
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const owner = await signedIn(world, { accountId: shop.accountId })
const inbox = inboxOf({ world, whatsApp }, shop)
const sara = await inbox.member()
const omar = await inbox.member()
beforeEach(async () => {
  talk = await inbox.talk(newPhone())
})

describe('taking over', () => {
  test('assigns it to the member who pressed the button, and keeps flows out', async () => {
    const { turn } = await talk.seen()
    const taken = await act(sara, talk, 'take-over', { turn })
    expect(taken).toMatchObject({
      status: 200,
      body: { handledBy: 'staff', assignee: { id: sara.personId }, turn: turn + 1 },
    })
    expect(await talk.eventTypes()).toEqual(['assigned'])
    const runId = await shop.order(talk.phone)
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({ status: 'skipped' })
  })

  systemTest('ends a waiting run without an event', async () => {
    const runId = await shop.order(talk.phone)
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({ status: 'waiting' })
    await act(sara, talk, 'take-over', { turn: (await talk.seen()).turn })
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({
      status: 'cancelled',
      endDetail: expect.stringContaining('staff_handling') as string,
    })
    await whatsApp.settle()
    expect(shop.events('flow.completed')).toEqual([])
    expect(shop.events('flow.failed')).toEqual([])
  })

  test('ends a run whose message is queued, which is then not sent', async () => {
    const runId = await shop.order(talk.phone)
    // The run has advanced and its message is queued; no worker has sent it yet.
    const at = { stepId: 'tell', steps: 1, dueAt: null, hasSent: true }
    await putRun(world, runId, { status: 'running', ...at })
    const where = { ...shop, conversationId: talk.id }
    const said = { sender: 'flow', text: 'from the flow', runId, priority: 3 }
    const messageId = await addQueuedMessage(world, where, said)
    const step = { stepId: 'tell', kind: 'send_template', messageId }
    await addRunStep(world, { runId, companyId: shop.companyId }, step)
    await act(sara, talk, 'take-over', { turn: (await talk.seen()).turn })
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({ status: 'cancelled' })
    expect(whatsApp.sentTo(talk.phone)).toEqual([])
    const [message] = await talk.messages()
    expect(message).toMatchObject({ status: 'failed' })
  })
})

describe('a change that was made from an older view', () => {
  test('is refused for the second of two members who assign, and names who has it', async () => {
    const { turn } = await talk.seen()
    const answers = await Promise.all([
      act(owner, talk, 'assign', { assigneeId: sara.personId, turn }),
      act(owner, talk, 'assign', { assigneeId: omar.personId, turn }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)!.body as unknown as Problem
    const winner = answers.find(({ status }) => status === 200)!.body
    expect(refused).toMatchObject({
      code: 'stale',
      reason: 'conversation_moved_on',
      params: { assigneeId: winner.assignee!.id, handledBy: 'staff', turn: winner.turn },
    })
    expect(await talk.eventTypes()).toEqual(['assigned'])
  })

  test('is refused when the customer has written meanwhile', async () => {
    const { turn } = await talk.seen()
    await talk.writes()
    const late = await act(sara, talk, 'take-over', { turn })
    expect(late).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect((await talk.seen()).handledBy).toBe('assistant')
  })
})

describe('assigning', () => {
  test('a person of another account is refused by the field', async () => {
    const other = await whatsApp.openShop()
    const stranger = await signedIn(world, { accountId: other.accountId })
    const { turn } = await talk.seen()
    const refused = await act(owner, talk, 'assign', { assigneeId: stranger.personId, turn })
    expect([refused.status, refusalsOf(refused)]).toEqual([422, ['assigneeId: not_a_member']])
  })

  test('ends for all open conversations of a member who leaves, with an event for each', async () => {
    const leaver = await inbox.member()
    const talks = [await inbox.talk(newPhone()), await inbox.talk(newPhone()), talk]
    for (const one of talks) {
      await act(leaver, one, 'take-over', { turn: (await one.seen()).turn })
    }
    await act(owner, talk, 'resolve')
    const { status } = await owner.ask('DELETE', `/members/${leaver.memberId}`)
    expect(status).toBe(204)
    expect(await talks[0]!.eventTypes()).toEqual(['assigned', 'assigned'])
    expect(await talks[1]!.eventTypes()).toEqual(['assigned', 'assigned'])
    expect(await talk.eventTypes()).toEqual(['assigned', 'resolved'])
    expect(await talks[0]!.seen()).toMatchObject({ assignee: null, handledBy: 'staff' })
  })
})

describe('giving back and resolving', () => {
  systemTest('given back, a conversation lets the flow of the next order run', async () => {
    await talk.handOver()
    await act(sara, talk, 'assign', { assigneeId: sara.personId, turn: (await talk.seen()).turn })
    const given = await act(sara, talk, 'give-back')
    expect(given.body).toMatchObject({ handledBy: 'assistant', assignee: null, handover: null })
    expect(await talk.eventTypes()).toEqual(['handover', 'assigned', 'assigned'])
    const runId = await shop.order(talk.phone)
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({ status: 'waiting' })
  })

  test('resolving ends a run without an event, and records why', async () => {
    const runId = await shop.order(talk.phone)
    await whatsApp.settle()
    const resolved = await act(sara, talk, 'resolve')
    expect(resolved.body).toMatchObject({ status: 'resolved', handledBy: 'assistant' })
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({
      status: 'cancelled',
      endDetail: expect.stringContaining('conversation_resolved') as string,
    })
    expect(await talk.eventTypes()).toEqual(['resolved'])
    expect((await act(sara, talk, 'resolve')).status).toBe(200)
    expect(await talk.eventTypes()).toEqual(['resolved'])
  })
})

systemTest(
  'a reply of a member ends a run that another member started while staff handled it',
  async () => {
    const manual = await whatsApp.openShop({ trigger: { kind: 'manual' } })
    const boss = await signedIn(world, { accountId: manual.accountId })
    const its = inboxOf({ world, whatsApp }, manual)
    const one = await its.talk(newPhone())
    await act(boss, one, 'take-over', { turn: (await one.seen()).turn })
    const { contact } = await one.seen()
    const flow = `/companies/${manual.companyId}/flows/${manual.flowId}/runs`
    const asked = { contactId: contact!.id, variables: { order: 'A-1' } }
    const started = await boss.ask<{ id: string }>('POST', flow, asked)
    await whatsApp.settle()
    expect(await runOf(world, started.body.id)).toMatchObject({ status: 'waiting' })
    world.clock.advance(1_000)
    expect((await reply(await its.member(), one, 'I am here')).status).toBe(201)
    await whatsApp.settle()
    expect(await runOf(world, started.body.id)).toMatchObject({ status: 'cancelled' })
  },
)

test('the lines of a conversation say who did what', async () => {
  await talk.handOver()
  await act(sara, talk, 'assign', { assigneeId: omar.personId, turn: (await talk.seen()).turn })
  await act(omar, talk, 'give-back')
  await act(omar, talk, 'resolve')
  const lines = (await talk.timeline()).flatMap((item) => (item.kind === 'entry' ? [item] : []))
  expect(lines.toReversed().map(({ entry, by, data }) => [entry, by.id, data])).toEqual([
    ['handed_over', null, { reason: 'customer_upset' }],
    ['assigned', sara.personId, { assignee: { id: omar.personId, name: 'The agent' }, from: null }],
    ['assigned', omar.personId, { assignee: null, from: { id: omar.personId, name: 'The agent' } }],
    ['given_back', omar.personId, {}],
    ['resolved', omar.personId, {}],
  ])
})

test('an unknown conversation is not found', async () => {
  expect((await owner.ask('GET', `${talk.path}x`)).status).toBe(404)
  expect((await owner.ask('GET', `${talk.path}%00`)).status).toBe(404)
})

/** The number of a customer that a message goes to. Spec: Contacts › Phones. */
const contactPath = (id: string) => `/companies/${shop.companyId}/contacts/${id}`
/** Sends a reply. Returns the number that it went to, and the message. */
async function replied() {
  const before = whatsApp.simulator.messages().length
  await reply(owner, talk, 'Here you are')
  await whatsApp.settle()
  const sent = whatsApp.simulator.messages().slice(before)
  return [sent.map(({ to }) => `+${to}`), (await talk.messages())[0]]
}

systemTest('a reply goes only to the number that the customer writes from', async () => {
  const [from, other] = [newPhone(), newPhone()]
  talk = await inbox.talk(from)
  const { contact } = await talk.seen()
  expect((await owner.ask('PATCH', contactPath(contact!.id), { phone: other })).status).toBe(200)
  await talk.writes('And now?')
  expect(await replied()).toMatchObject([[from], { status: 'delivered' }])
  // A template needs no window: it goes to the number that the contact has.
  const values = ['1', '2'].map((name) => ({ name, text: 'Sara' }))
  const template = { name: 'order_ready', body: values }
  await owner.ask('POST', `${talk.path}/messages`, { key: 'template', template })
  await whatsApp.settle()
  expect(whatsApp.simulator.messages().at(-1)!.to).toBe(other.slice(1))
  // A customer who writes from this number with another account has a separate conversation.
  const { phoneNumberId } = shop
  whatsApp.simulator.sendText({ from: other, phoneNumberId, text: 'From here' })
  await whatsApp.settle()
  expect(await conversationsOf(world, { contactId: contact!.id })).toHaveLength(2)
  expect(await replied()).toMatchObject([[from], { status: 'delivered' }])
})

test('an Agent gets changes of conversations and messages from the stream, and receipts too', async () => {
  const { context } = world.service
  const tell = () => ({ ...fact('opted_out'), text: '' })
  const live = createLiveChanges(context, liveEntities({ clock: world.clock, formatFact: tell }))
  const { changed: things, stop } = await followLive(live, shop, 'agent')
  try {
    await act(sara, talk, 'take-over', { turn: (await talk.seen()).turn })
    await lookUntil('the conversation has changed', live, () => things('conversation').length > 0)
    expect(things('conversation').at(-1)).toMatchObject({
      id: talk.id,
      handledBy: 'staff',
      assignee: { id: sara.personId },
    })
    const before = things('conversation').length
    await sara.ask('POST', `${talk.path}/notes`, { text: 'Ask the courier' })
    const isTold = () => things('conversation').length > before
    await lookUntil('the lines of the conversation have changed', live, isTold)
    await reply(sara, talk, 'I am here')
    await whatsApp.settle()
    const wasSent = () =>
      things('message').some((thing) => 'status' in thing && thing.status !== 'queued')
    await lookUntil('the message was sent', live, wasSent)
    expect(things('message').at(-1)).toMatchObject({ conversationId: talk.id, text: 'I am here' })
    // The transcript of a voice note arrives after it.
    await setTranscript(world, { conversationId: talk.id }, 'How much is it?')
    const isHeard = () =>
      things('message').some((thing) => 'transcript' in thing && thing.transcript !== null)
    await lookUntil('it is told what was heard', live, isHeard)
  } finally {
    stop()
    live.stop()
  }
})
