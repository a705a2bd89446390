import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  startAssisted,
  type Assisted,
  type AssistedShop,
  type Customer,
} from '../support/assistant.ts'
import { signedIn } from '../support/dashboard.ts'
import { say } from '../support/model-turns.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let assisted: Assisted
let shop: AssistedShop

beforeAll(async () => {
  assisted = await startAssisted()
  shop = await assisted.openShop()
})
afterAll(() => assisted.close())
beforeEach(() => {
  assisted.model.asked.length = 0
  assisted.hasModel = true
})

const asked = () => assisted.model.asked

/** The model is asked and does not answer before `meanwhile` is done. */
async function whileThinking(sara: Customer, meanwhile: () => Promise<unknown>): Promise<void> {
  await sara.says('When do you open?')
  assisted.world.clock.advance(3_000)
  const release = assisted.model.hold()
  const settled = assisted.whatsApp.settle()
  try {
    await waitUntil('the model is asked', () => asked().length === 1)
    await meanwhile()
  } finally {
    release()
    await settled
  }
  await assisted.pass(10_000)
}

const acts = async (sara: Customer, what: string, json?: object) => {
  const member = await signedIn(assisted.world, { accountId: shop.accountId })
  const { id } = await sara.conversation()
  const path = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}/${what}`
  const answer = await member.ask('POST', path, json)
  expect(answer.status).toBeLessThan(300)
}

test('staff replies while it thinks: nothing of the assistant is sent', async () => {
  const sara = shop.customer()
  assisted.model.script(say('We open at nine.'))
  await whileThinking(sara, () => acts(sara, 'messages', { key: 'k1', text: 'I am here myself' }))
  expect(await sara.got()).toEqual(['I am here myself'])
  expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
})

systemTest(
  'staff takes over and gives back while it thinks: the answer of before is not sent',
  async () => {
    const sara = shop.customer()
    assisted.model.script(say('We open at nine.'))
    await whileThinking(sara, async () => {
      await acts(sara, 'take-over', { turn: await sara.turn() })
      await acts(sara, 'give-back')
    })
    expect(await sara.got()).toEqual([])
    expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
  },
)

systemTest(
  'a run waits for a reply: the customer writes, the run gets it, no model is asked',
  async () => {
    const sara = shop.customer()
    const runId = await shop.order(sara.phone)
    await assisted.whatsApp.settle()
    await sara.says('yes please')
    await assisted.pass(5_000)
    expect(asked()).toHaveLength(0)
    const run = await assisted.world.database.db.kysely
      .selectFrom('flowRun')
      .select('status')
      .where('id', '=', runId)
      .executeTakeFirstOrThrow()
    expect(run.status).toBe('completed')
  },
)

systemTest('the run of a hook is queued: the assistant waits until it rests', async () => {
  const sara = shop.customer()
  await sara.says('hello')
  await assisted.pass(3_000)
  expect(asked()).toHaveLength(1)
  const { kysely } = assisted.world.database.db
  const runId = await shop.order(sara.phone)
  // It is at work for a while.
  const held = {
    claimId: runId,
    claimedUntil: new Date(assisted.world.clock.now().getTime() + 50_000),
  }
  await kysely.updateTable('flowRun').set(held).where('id', '=', runId).execute()
  await sara.says('Where is my order?')
  await assisted.pass(5_000)
  expect(asked()).toHaveLength(1)
  const freed = { claimId: null, claimedUntil: null }
  await kysely.updateTable('flowRun').set(freed).where('id', '=', runId).execute()
  await assisted.pass(1_000)
  await assisted.pass(1_000)
  expect(asked()).toHaveLength(2)
})

systemTest(
  'the customer begins a flow while it gathers: the flow has them, and the assistant says nothing',
  async () => {
    const member = await signedIn(assisted.world, { accountId: shop.accountId })
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
    expect(await member.ask('PUT', `${flows}/${flow.id}/draft`, draft)).toMatchObject({
      status: 200,
    })
    expect(await member.ask('POST', `${flows}/${flow.id}/publish`)).toMatchObject({ status: 200 })
    const sara = shop.customer()
    await sara.says('hello')
    await assisted.pass(1_000)
    await sara.says('colour')
    await assisted.pass(20_000)
    expect(asked()).toHaveLength(0)
    expect(await sara.got()).toEqual(['Which colour?'])
    expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
  },
)

test('STOP while it thinks: no reply, opted out once', async () => {
  const sara = shop.customer()
  assisted.model.script(say('We open at nine.'))
  await whileThinking(sara, () => sara.says('STOP'))
  expect(await sara.got()).toEqual([])
  expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
  expect(shop.events('contact.opted_out')).toHaveLength(1)
})

test('opted out, a question is answered within the window; no template, no flow, nothing later', async () => {
  const sara = shop.customer()
  await sara.says('STOP')
  await assisted.pass(60_000)
  await expect(shop.order(sara.phone)).rejects.toThrow('opted_out')
  assisted.model.script(say('We open at nine.'))
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  await assisted.pass(25 * 3_600_000)
  expect(await sara.got()).toEqual(['We open at nine.'])
})

test('no model set: no reply, no handover; staff is to look at it', async () => {
  const sara = shop.customer()
  assisted.hasModel = false
  await sara.says('When do you open?')
  await assisted.pass(60_000)
  expect(asked()).toHaveLength(0)
  expect(await sara.handovers()).toEqual([])
  expect(await sara.conversation()).toMatchObject({ handledBy: 'assistant', needsStaff: true })
})

const switchAssistant = (isOn: boolean, of = shop) =>
  assisted.world.database.db.kysely
    .updateTable('assistant')
    .set({ isOn })
    .where('companyId', '=', of.companyId)
    .execute()

const toStaff = async (sara: Customer) => {
  const { id } = await sara.conversation()
  return assisted.world.database.db.kysely
    .selectFrom('conversation')
    .select(['handledBy', 'needsStaff', 'waitingSince'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

test.each<[string, (there: AssistedShop) => unknown]>([
  ['switched off', (there) => switchAssistant(false, there)],
  [
    'without a model',
    () => {
      assisted.hasModel = false
    },
  ],
])('%s while it gathers: staff is needed since the first message', async (_, stop) => {
  const there = await assisted.openShop()
  const sara = there.customer()
  await sara.says('When do you open?')
  const { lastCustomerAt: since } = await assisted.world.database.db.kysely
    .selectFrom('conversation')
    .select('lastCustomerAt')
    .where('companyId', '=', there.companyId)
    .executeTakeFirstOrThrow()
  await assisted.pass(2_000)
  await sara.says('And on Fridays?')
  await stop(there)
  await assisted.pass(10_000)
  expect(asked()).toHaveLength(0)
  expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
  expect(await toStaff(sara)).toEqual({
    handledBy: 'assistant',
    needsStaff: true,
    waitingSince: since,
  })
  expect(await sara.handovers()).toEqual([])
})

test('switched off while it thinks: nothing is sent, and staff is needed', async () => {
  const there = await assisted.openShop()
  const sara = there.customer()
  assisted.model.script(say('We open at nine.'))
  await whileThinking(sara, () => switchAssistant(false, there))
  expect(await sara.got()).toEqual([])
  expect(await toStaff(sara)).toMatchObject({ needsStaff: true })
})

test.each([
  { when: 'its text was taken', status: 'accepted', isLater: false, needsStaff: false },
  { when: 'the customer has written since', status: 'accepted', isLater: true, needsStaff: true },
  { when: 'its text still waits', status: 'queued', isLater: false, needsStaff: true },
  { when: 'half of it was taken', status: 'accepted', isHalf: true, needsStaff: true },
])(
  'switched off where $when: that staff is needed is $needsStaff',
  async ({ status, isLater = false, isHalf = false, needsStaff }) => {
    const there = await assisted.openShop()
    const sara = there.customer()
    await sara.says('When do you open?')
    await assisted.pass(3_000)
    const [reply] = await sara.replies()
    const { kysely } = assisted.world.database.db
    const wakeAt = assisted.world.clock.now()
    // As it is left by a process that dies before the end of it.
    await kysely
      .updateTable('assistantReply')
      .set({ state: 'sending', endReason: null, endedAt: null, endsWhenTaken: false, wakeAt })
      .$if(isHalf, (half) => half.set({ parts: JSON.stringify({ texts: ['At', 'nine'] }) }))
      .where('id', '=', reply!.id)
      .execute()
    const queued = { dueAt: new Date('2099-01-01'), outbound: '{}', lane: 2 }
    await kysely
      .updateTable('message')
      .set({ status, ...(status === 'queued' ? queued : {}) })
      .where('replyId', '=', reply!.id)
      .execute()
    assisted.world.clock.advance(1)
    if (isLater) await sara.says('And on Fridays?')
    await switchAssistant(false, there)
    await assisted.pass(5_000)
    expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
    expect(await toStaff(sara)).toMatchObject({ handledBy: 'assistant', needsStaff })
  },
)

test('staff takes over while it gathers, and it is switched off: nobody else is asked for', async () => {
  const sara = shop.customer()
  await sara.says('When do you open?')
  await acts(sara, 'take-over', { turn: await sara.turn() })
  await switchAssistant(false)
  await assisted.pass(10_000)
  await switchAssistant(true)
  expect(await toStaff(sara)).toMatchObject({ handledBy: 'staff', needsStaff: false })
})

test('no model set: a hook starts a run, and it runs', async () => {
  const sara = shop.customer()
  assisted.hasModel = false
  await shop.order(sara.phone)
  await assisted.whatsApp.settle()
  expect(await sara.got()).toHaveLength(1)
})

test('on the free plan a question is answered', async () => {
  const free = await assisted.openShop({ plan: 'free' })
  const sara = free.customer()
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  expect(await sara.got()).toEqual(['Hello.'])
  expect(JSON.stringify(asked()[0]!.body.tools ?? [])).not.toContain('action_')
})

test('the provider delivers a message twice: one reply', async () => {
  const sara = shop.customer()
  await sara.says('hello')
  await assisted.pass(10_000)
  const change = written({
    from: sara.phone.slice(1),
    text: 'When do you open?',
    id: 'wamid.twice',
  })
  for (let nth = 0; nth < 2; nth += 1) {
    expect(await postWebhook(assisted.world, webhookOf(shop, [change]))).toBe(200)
    await assisted.pass(3_000)
  }
  expect(asked()).toHaveLength(2)
  expect(await sara.replies()).toHaveLength(2)
})

test('the window closes while the model is down: nothing is sent, and staff is needed', async () => {
  const sara = shop.customer()
  assisted.model.script(say('We open at nine.'))
  await whileThinking(sara, () => {
    assisted.world.clock.advance(24 * 3_600_000)
    return Promise.resolve()
  })
  expect(await sara.got()).toEqual([])
  expect(await sara.handovers()).toEqual([
    { reason: 'needs_staff_action', reasonText: null, detail: 'outside_service_window' },
  ])
})
