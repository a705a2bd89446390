/** The handler of a conversation: the assistant, staff or a flow, also when it changes during a reply. */
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/core/limits/units.ts'
import { openAssisted, type AssistedShop, type Customer } from '../support/assistant.ts'
import { signedIn } from '../support/dashboard.ts'
import { say } from '../support/model-turns.ts'
import { leaveSending, setAssistant } from '../support/records/assistant.ts'
import { conversationOf } from '../support/records/conversations.ts'
import { messagesOf } from '../support/records/messages.ts'
import { queueAgain } from '../support/records/outbox.ts'
import { putRun, runOf } from '../support/records/runs.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'
import { waitUntil } from '../support/wait.ts'

const assisted = await openAssisted()
const { world } = assisted
const shop = await assisted.openShop()
beforeEach(() => {
  assisted.hasModel = true
})

const QUESTION = 'When do you open?'
const ANSWER = say('We open at nine.')
const modelRequests = () => assisted.model.asked
const rowOf = async (sara: Customer) => conversationOf(world, (await sara.conversation()).id)
const switchOff = (there: AssistedShop) => setAssistant(world, there, { isOn: false })

/** Holds the model's answer until `meanwhile` is done. */
async function whileThinking(sara: Customer, meanwhile: () => Promise<unknown>): Promise<void> {
  assisted.model.script(ANSWER)
  await sara.says(QUESTION)
  world.clock.advance(3_000)
  const release = assisted.model.hold()
  const settled = assisted.whatsApp.settle()
  try {
    await waitUntil('the model is asked', () => modelRequests().length === 1)
    await meanwhile()
  } finally {
    release()
    await settled
  }
  await assisted.pass(10_000)
}

test("a reply by staff while the assistant thinks ends the assistant's reply", async () => {
  const sara = shop.customer()
  const words = { key: 'k1', text: 'I am here myself' }
  await whileThinking(sara, () => sara.staff('messages', words))
  expect(await sara.got()).toEqual(['I am here myself'])
  expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
})

systemDescribe('Staff, a run and a flow', () => {
  test('taking over and returning while the assistant thinks discards its answer', async () => {
    const sara = shop.customer()
    await whileThinking(sara, async () => {
      await sara.staff('take-over', { turn: await sara.turn() })
      await sara.staff('give-back')
    })
    expect(await sara.got()).toEqual([])
    expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
  })

  test("a run that waits for an answer gets the customer's message, and no model is asked", async () => {
    const sara = shop.customer()
    const runId = await shop.order(sara.phone)
    await assisted.whatsApp.settle()
    await sara.says('yes please')
    await assisted.pass(5_000)
    expect(modelRequests()).toHaveLength(0)
    expect(await runOf(world, runId)).toMatchObject({ status: 'completed' })
  })

  test('the assistant waits until a queued run of a hook is idle', async () => {
    const sara = await shop.asked('hello')
    expect(modelRequests()).toHaveLength(1)
    const runId = await shop.order(sara.phone)
    // Another process has claimed the run for a while.
    const until = new Date(world.clock.now().getTime() + 50_000)
    await putRun(world, runId, { claimId: runId, leaseExpiresAt: until })
    await sara.says('Where is my order?')
    await assisted.pass(5_000)
    expect(modelRequests()).toHaveLength(1)
    await putRun(world, runId, { claimId: null, leaseExpiresAt: null })
    await assisted.pass(1_000)
    await assisted.pass(1_000)
    expect(modelRequests()).toHaveLength(2)
  })

  test("a flow that the customer starts while messages are gathered ends the assistant's reply", async () => {
    const member = await signedIn(world, { accountId: shop.accountId })
    const flows = `/companies/${shop.companyId}/flows`
    const { body: flow } = await member.ask<{ id: string }>('POST', flows, { name: 'Colours' })
    const asks = {
      kind: 'ask',
      text: 'Which colour?',
      answer: 'text',
      saveAs: 'colour',
      retries: 1,
      retryText: null,
      timeoutMinutes: 60,
      next: 'finish',
      onTimeout: 'finish',
      onInvalid: null,
      onNotSent: null,
    }
    const draft = {
      channelId: shop.channelId,
      trigger: { kind: 'keyword', words: ['colour'], match: 'exact', interrupts: false },
      start: 'ask',
      steps: { ask: asks, finish: { kind: 'end' } },
    }
    expect((await member.ask('PUT', `${flows}/${flow.id}/draft`, draft)).status).toBe(200)
    expect((await member.ask('POST', `${flows}/${flow.id}/publish`)).status).toBe(200)
    const sara = shop.customer()
    await sara.says('hello')
    await assisted.pass(1_000)
    await sara.says('colour')
    await assisted.pass(20_000)
    expect(modelRequests()).toHaveLength(0)
    expect(await sara.got()).toEqual(['Which colour?'])
    expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
  })
})

test('STOP while the assistant thinks ends the reply, with one opt-out', async () => {
  const sara = shop.customer()
  await whileThinking(sara, () => sara.says('STOP'))
  expect(await sara.got()).toEqual([])
  expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
  expect(shop.eventsAbout(sara.phone, 'contact.opted_out')).toHaveLength(1)
})

test("an opted-out customer's question is answered within the window alone, without template or flow", async () => {
  const sara = shop.customer()
  await sara.says('STOP')
  await assisted.pass(60_000)
  await expect(shop.order(sara.phone)).rejects.toThrow('opted_out')
  await sara.asks(QUESTION, ANSWER)
  await assisted.pass(25 * HOUR_MS)
  expect(await sara.got()).toEqual(['We open at nine.'])
})

test('without a model there is no reply or handover, staff is needed, and the run of a hook goes on', async () => {
  const sara = shop.customer()
  assisted.hasModel = false
  await sara.says(QUESTION)
  await assisted.pass(60_000)
  expect(modelRequests()).toHaveLength(0)
  expect(await sara.handovers()).toEqual([])
  expect(await sara.conversation()).toMatchObject({ handledBy: 'assistant', needsStaff: true })
  await shop.order(sara.phone)
  await assisted.whatsApp.settle()
  expect(await sara.got()).toHaveLength(1)
})

systemTest.each<[string, (there: AssistedShop) => unknown]>([
  ['switched off', switchOff],
  ['without a model', () => (assisted.hasModel = false)],
])('%s while messages are gathered: staff is needed since the first message', async (_, stop) => {
  const there = await assisted.openShop()
  const sara = there.customer()
  await sara.says(QUESTION)
  const { lastCustomerAt: waitingSince } = await rowOf(sara)
  await assisted.pass(2_000)
  await sara.says('And on Fridays?')
  await stop(there)
  await assisted.pass(10_000)
  expect(modelRequests()).toHaveLength(0)
  expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
  const needed = { handledBy: 'assistant', needsStaff: true, waitingSince }
  expect(await rowOf(sara)).toMatchObject(needed)
  expect(await sara.handovers()).toEqual([])
})

test('switching the assistant off while it thinks sends nothing, and staff is needed', async () => {
  const there = await assisted.openShop()
  const sara = there.customer()
  await whileThinking(sara, () => switchOff(there))
  expect(await sara.got()).toEqual([])
  expect(await rowOf(sara)).toMatchObject({ needsStaff: true })
})

systemTest.each([
  { when: 'its text was accepted', needsStaff: false },
  { when: 'the customer has written since', isLater: true, needsStaff: true },
  { when: 'its text still waits', isQueued: true, needsStaff: true },
  { when: 'half of it was accepted', isHalf: true, needsStaff: true },
])(
  'the assistant is switched off when $when: staff is needed is $needsStaff',
  async ({ isQueued = false, isLater = false, isHalf = false, needsStaff }) => {
    const there = await assisted.openShop()
    const sara = await there.asked(QUESTION)
    const replyId = (await sara.replies())[0]!.id
    const parts = JSON.stringify({ texts: ['At', 'nine'] })
    await leaveSending(world, replyId, { completesOnAccept: false, ...(isHalf && { parts }) })
    if (isQueued) {
      const [message] = await messagesOf(world, { replyId })
      await queueAgain(world, message!.id, { dueAt: new Date('2099-01-01') })
    }
    world.clock.advance(1)
    if (isLater) await sara.says('And on Fridays?')
    await switchOff(there)
    await assisted.pass(5_000)
    expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
    expect(await rowOf(sara)).toMatchObject({ handledBy: 'assistant', needsStaff })
  },
)

test('staff who took over while messages were gathered is not called when the assistant is switched off', async () => {
  const there = await assisted.openShop()
  const sara = there.customer()
  await sara.says(QUESTION)
  await sara.staff('take-over', { turn: await sara.turn() })
  await switchOff(there)
  await assisted.pass(10_000)
  expect(await rowOf(sara)).toMatchObject({ handledBy: 'staff', needsStaff: false })
})

systemTest('a question is answered on the free plan', async () => {
  const free = await assisted.openShop({ plan: 'free' })
  const sara = await free.asked(QUESTION)
  expect(await sara.got()).toEqual(['Hello.'])
  expect(JSON.stringify(modelRequests()[0]!.body.tools ?? [])).not.toContain('action_')
})

test('a window that closes while the model is down leaves nothing sent, and staff is needed', async () => {
  const sara = shop.customer()
  await whileThinking(sara, async () => world.clock.advance(DAY_MS))
  expect(await sara.got()).toEqual([])
  expect(await sara.handovers()).toEqual([
    { reason: 'needs_staff_action', reasonText: null, detail: 'outside_service_window' },
  ])
})
