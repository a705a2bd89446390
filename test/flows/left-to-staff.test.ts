/**
 * A customer's message to a run that does not read it, because the run sends its last message, is cancelled, or may
 * do nothing more. No other handler answers, so the conversation needs staff.
 */
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { answerSends, isBusy, isSilent } from '../support/provider-answers.ts'
import { setPlan } from '../support/records/accounts.ts'
import { repliesTo } from '../support/records/runs.ts'
import { putTemplates } from '../support/records/templates.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { advanceDueRuns } from '../support/advances.ts'
import {
  ASKING,
  keyword,
  SAYING,
  saying,
  tellStory,
  type Draw,
  type Story,
} from './triggers/trigger-stories.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const MENU = keyword('menu')
const LATER = { kind: 'wait', until: { kind: 'minutes', minutes: 5 } }
const LEFT = { status: 'cancelled', needsStaff: true }
const SILENT = { status: 'cancelled', needsStaff: false }
/** A template, and another one after the answer. */
const { tell, ask } = ORDER_READY_STEPS
const TWO_TEMPLATES = {
  tell,
  ask: { ...ask, next: 'more', onTimeout: 'more' },
  more: { ...tell, next: null },
}

/** Lets a customer write the keyword of a flow; its run has not advanced yet. */
async function begun(draw: Partial<Draw> = {}) {
  const story = await tellStory(world, whatsApp)
  const flowId = await story.publish({ trigger: MENU, steps: SAYING, ...draw })
  await story.write({ text: 'menu' })
  return withActions(story, flowId)
}

/** Lets a hook start a run for the customer; the run has not advanced yet. */
async function begunByHook(steps: Record<string, unknown> = ORDER_READY_STEPS) {
  const story = await tellStory(world, whatsApp, { steps })
  await story.shop.order(story.phone)
  return withActions(story, story.shop.flowId)
}

/** Returns the story with actions of its members. */
function withActions(story: Story, flowId: string) {
  const { shop, owner } = story
  const company = `/companies/${shop.companyId}`
  const does = async (method: string, path: string, json: object | undefined, status: number) =>
    expect((await owner.ask(method, `${company}/${path}`, json)).status).toBe(status)
  return {
    ...story,
    /** Lets the customer write at this moment. */
    writes: (text: string, more: { quotes?: string } = {}) =>
      story.write({ text, at: world.clock.now(), ...more }),
    deleteFlow: () => does('DELETE', `flows/${flowId}`, undefined, 204),
    takeOver: async () => {
      const { id, turn } = await story.conversation()
      await does('POST', `conversations/${id}/take-over`, { turn }, 200)
    },
    erase: async () => {
      const { id } = (await story.contact())!
      await does('POST', `contacts/${id}/erase`, { confirm: true }, 200)
    },
    cancel: async () => does('POST', `runs/${(await story.runs())[0]!.id}/cancel`, undefined, 204),
    leavePlan: () => setPlan(world, shop, 'free'),
    /** Returns how the only run ended, and whether its conversation needs staff. */
    ended: async () => {
      const [run, ...more] = await story.runs()
      expect(more).toEqual([])
      return { status: run!.status, needsStaff: (await story.conversation()).needsStaff }
    },
    toldOfFlows: () => story.eventTypes().filter((type) => type.startsWith('flow.')),
    answers: () =>
      shop
        .events('flow.completed')
        .map(({ data }) => (data.run as { variables: { answer?: string } }).variables.answer),
  }
}

/** Starts a run whose first message waits to be sent, while the customer writes once more. */
async function speaking(steps: Record<string, unknown> = SAYING) {
  const story = await begun({ steps })
  await advanceDueRuns(world)
  await story.writes('And do you deliver?')
  return story
}

const sendsAre = (answer: Parameters<typeof answerSends>[1], during = async () => {}) =>
  answerSends({ world, whatsApp }, answer, during)

describe('A message that arrives while the last message of a run is sent', () => {
  test('is left to staff', async () => {
    const { runs, conversation } = await speaking()
    await whatsApp.settle()
    expect(await runs()).toMatchObject([{ status: 'completed', reason: 'completed' }])
    expect(await conversation()).toMatchObject({
      status: 'open',
      needsStaff: true,
      waitingSince: world.clock.now(),
      handledBy: 'assistant',
    })
  })

  systemTest('keeps a conversation open that the run would resolve after it', async () => {
    const steps = { hello: saying('Here it is', 'close'), close: { kind: 'resolve' } }
    const { shop, runs, conversation } = await speaking(steps)
    await whatsApp.settle()
    expect(await runs()).toMatchObject([{ status: 'completed', reason: 'completed' }])
    expect(await conversation()).toMatchObject({ status: 'open', needsStaff: true })
    expect(shop.events('conversation.resolved')).toEqual([])
  })

  systemTest('needs no staff if the run continues and reads all messages', async () => {
    const { answers, conversation } = await speaking(ASKING)
    await whatsApp.settle()
    expect(answers()).toEqual(['And do you deliver?'])
    expect(await conversation()).toMatchObject({ needsStaff: false, waitingSince: null })
  })

  systemTest('is no answer to a question that the run asks after a wait', async () => {
    const { writes, answers, conversation } = await speaking({
      hello: saying('Here it is', 'later'),
      later: { ...LATER, next: 'question' },
      question: { ...ASKING.hello, next: 'ask' },
      ask: ASKING.ask,
    })
    await whatsApp.settle()
    expect(await conversation()).toMatchObject({ needsStaff: true })
    world.clock.advance(5 * MINUTE_MS)
    await whatsApp.settle()
    await writes('The large one')
    await whatsApp.settle()
    expect(answers()).toEqual(['The large one'])
  })
})

test.each([true, false])(
  'A hook’s run that fails after its question needs staff only if the customer wrote (%s)',
  async (hasWritten) => {
    const { shop, write, conversation } = await begunByHook(TWO_TEMPLATES)
    await whatsApp.settle()
    await putTemplates(world, shop, { status: 'PAUSED' })
    if (hasWritten) await write({ text: 'The large one' })
    else world.clock.advance(ask.timeoutMinutes * MINUTE_MS)
    await whatsApp.settle()
    expect(shop.events('flow.failed')).toHaveLength(1)
    expect(await conversation()).toMatchObject({ needsStaff: hasWritten })
  },
)

systemTest('A message to a run that was just cancelled is not its answer', async () => {
  const { cancel, writes, runs, ended } = await begun({ steps: ASKING })
  await whatsApp.settle()
  await cancel()
  await writes('The large one')
  expect(await repliesTo(world, (await runs())[0]!.id)).toEqual([])
  await whatsApp.settle()
  expect(await ended()).toEqual(LEFT)
})

describe('A run that is cancelled with its flow leaves its customer to staff', () => {
  type State = [string, Partial<Draw>, () => Promise<unknown>, object]
  /** Lets the run come to a state, then deletes its flow. */
  const endOf = async (...[, draw, until, state]: State) => {
    const { lastRun, deleteFlow, ended, sent, toldOfFlows } = await begun(draw)
    await until()
    expect(await lastRun()).toMatchObject(state)
    await deleteFlow()
    await whatsApp.settle()
    expect(sent()).toEqual([])
    expect(toldOfFlows()).toEqual([])
    return ended()
  }
  const later = { steps: { later: { ...LATER, next: 'hello' }, ...SAYING }, start: 'later' }

  test.each<State>([
    ['it has not begun', {}, async () => {}, { status: 'queued' }],
    [
      'it is unknown whether its first message was sent',
      {},
      () => sendsAre(isSilent),
      { status: 'waiting', waitsFor: 'sent' },
    ],
    ['it lets a time pass first', later, whatsApp.settle, { status: 'waiting', waitsFor: 'time' }],
  ])('if they started it, and %s', async (...state) => {
    expect(await endOf(...state)).toEqual(LEFT)
  })

  systemTest.each<State>([
    ['its first message waits to be sent', {}, () => advanceDueRuns(world), { status: 'running' }],
    ['its first message is to be tried again', {}, () => sendsAre(isBusy), { status: 'running' }],
  ])('if they started it, and %s', async (...state) => {
    expect(await endOf(...state)).toEqual(LEFT)
  })

  systemTest('if their answer was read, but not followed', async () => {
    const { writes, runs, deleteFlow, ended, toldOfFlows } = await begunByHook(TWO_TEMPLATES)
    await whatsApp.settle()
    await sendsAre(isBusy, () => writes('The large one'))
    expect(await runs()).toMatchObject([{ status: 'running' }])
    await deleteFlow()
    await whatsApp.settle()
    expect(await ended()).toEqual(LEFT)
    expect(toldOfFlows()).toEqual([])
  })
})

describe('A run that is cancelled with its flow needs no staff', () => {
  test('if a hook began it, and the customer has written nothing', async () => {
    const { runs, deleteFlow, ended } = await begunByHook()
    await sendsAre(isBusy)
    expect(await runs()).toMatchObject([{ status: 'running' }])
    await deleteFlow()
    await whatsApp.settle()
    expect(await ended()).toEqual(SILENT)
  })

  systemTest.each([
    ['waits for an answer', ASKING],
    ['lets a time pass', { hello: saying('Here it is', 'later'), later: { ...LATER, next: null } }],
  ])('if it has answered and %s: it is cancelled with the deletion', async (_, steps) => {
    const { deleteFlow, ended, toldOfFlows } = await begun({ steps })
    await whatsApp.settle()
    await deleteFlow()
    expect(await ended()).toEqual(SILENT)
    await whatsApp.settle()
    expect(await ended()).toEqual(SILENT)
    expect(toldOfFlows()).toEqual([])
  })

  systemTest('if the customer was erased meanwhile', async () => {
    const { deleteFlow, erase, ended } = await begun()
    await deleteFlow()
    await erase()
    await whatsApp.settle()
    expect(await ended()).toEqual(SILENT)
  })

  test('if a member handles the conversation by then', async () => {
    const { takeOver, deleteFlow, ended } = await begun()
    await takeOver()
    await deleteFlow()
    await whatsApp.settle()
    expect(await ended()).toEqual(SILENT)
  })
})

describe('A run that may do nothing more, since the plan no longer has automations,', () => {
  test('leaves its customer to staff before it has begun', async () => {
    const { leavePlan, ended, toldOfFlows } = await begun()
    await leavePlan()
    await whatsApp.settle()
    expect(await ended()).toEqual({ status: 'skipped', needsStaff: true })
    expect(toldOfFlows()).toEqual([])
  })

  test('leaves a customer to staff who has answered it', async () => {
    const steps = { ...ASKING, ask: { ...ASKING.ask, next: 'thank' }, thank: SAYING.hello }
    const { leavePlan, sent, writes, ended } = await begun({ steps })
    await whatsApp.settle()
    await leavePlan()
    await writes('The large one', { quotes: sent()[0]!.wamid })
    await whatsApp.settle()
    expect(await ended()).toEqual(LEFT)
  })

  systemTest('needs no staff if its customer was answered', async () => {
    const steps = { ...ASKING, ask: { ...ASKING.ask, onTimeout: 'more' }, more: SAYING.hello }
    const { leavePlan, ended, toldOfFlows } = await begun({ steps })
    await whatsApp.settle()
    await leavePlan()
    world.clock.advance(ASKING.ask.timeoutMinutes * MINUTE_MS)
    await whatsApp.settle()
    expect(await ended()).toEqual(SILENT)
    expect(toldOfFlows()).toEqual([])
  })
})
