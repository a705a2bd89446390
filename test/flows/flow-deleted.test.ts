/**
 * A deleted flow leaves no run behind: each is cancelled without an event, and sends nothing more. Other parts of a
 * run may disappear at that moment too: the conversation is taken over, a member leaves, a file is deleted.
 */
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { transaction } from '../../src/infra/database/transaction.ts'
import { endDisplacedRun } from '../../src/modules/flows/runs/end-displaced-run.ts'
import { endRunsOfFlow } from '../../src/modules/flows/runs/end-runs-of-deleted.sql.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { accepted } from '../channels/loopback-meta.ts'
import { answerSends, isBusy, isSilent } from '../support/provider-answers.ts'
import { hasRunsToEnd } from '../support/records/flows.ts'
import { countWaiting, holdLock } from '../support/records/locks.ts'
import { messagesOf as messagesIn } from '../support/records/messages.ts'
import {
  putRun,
  repeatRun,
  repliesTo,
  runOf as runWith,
  runsOf,
  runStepsOf,
} from '../support/records/runs.ts'
import { templateStep } from '../support/shop.ts'
import { callStep, connectApi, json, startShopApi } from '../support/shop-api.ts'
import { newPhone, type SimulatedWhatsApp } from '../support/simulator.ts'
import { customerWrites, newWamid, tellStatus } from '../support/whatsapp-webhook.ts'
import { keyword, tellStory } from './triggers/trigger-stories.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { act } from '../support/inbox.ts'
import { contactOf } from '../support/records/contacts.ts'
import { putFile } from '../support/records/files.ts'
import { removePerson } from '../support/records/members.ts'
import { uploadFile } from '../support/upload-file.ts'

const { world, whatsApp } = await openWhatsApp()
const api = await startShopApi(world)
afterAll(() => api.close())

const { db } = world.service.context
const runOf = (id: string) => runWith(world, id)
const messagesOf = (runId: string) => messagesIn(world, { runId })
const CANCELLED = {
  status: 'cancelled',
  endReason: null,
  endDetail: serializeFact(fact('flow_deleted')),
  dueAt: null,
  claimId: null,
}

/** Returns how often each word occurs. */
function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** A shop with the flow that is deleted. */
async function open(options: Parameters<SimulatedWhatsApp['openShop']>[0] = {}) {
  const story = await tellStory(world, whatsApp, options)
  const { shop, owner, phone } = story
  const deleteFlow = async () => {
    const path = `/companies/${shop.companyId}/flows/${shop.flowId}`
    expect((await owner.ask('DELETE', path)).status).toBe(204)
  }
  return {
    ...story,
    deleteFlow,
    /** Starts a run for the customer, and lets it advance until it waits or ends. */
    order: async (by = phone) => {
      const runId = await shop.order(by)
      await whatsApp.settle()
      return runId
    },
    /** Answers the first send of a run in this way, after the flow was deleted. */
    deleteDuringSend: async (answer: Parameters<typeof answerSends>[1]) => {
      const { result, seen } = await answerSends(
        { world, whatsApp },
        (response, asked) => void deleteFlow().then(() => answer(response, asked)),
        () => shop.order(phone),
      )
      return { runId: result, sends: seen.length }
    },
    statuses: async () => (await runsOf(world, shop)).map(({ status }) => status),
    /** Expects that the run was cancelled without an event. */
    expectCancelled: async (runId: string) => {
      expect(await runOf(runId)).toMatchObject(CANCELLED)
      expect(story.eventTypes().filter((type) => type.startsWith('flow.'))).toEqual([])
    },
    /** Expects that the flow has no runs left to end a second later. */
    expectNoneLeft: async () => {
      world.clock.advance(SECOND_MS)
      await world.service.processAll()
      expect(await hasRunsToEnd(world, shop)).toBe(false)
    },
    /** Expects that the customer's message is left to staff. */
    expectNeedsStaff: async () => {
      const now = world.clock.now()
      expect(await story.conversation()).toMatchObject({ needsStaff: true, waitingSince: now })
    },
  }
}

describe('an idle run', () => {
  systemTest('is cancelled, also before it begins; runs of another flow continue', async () => {
    const { shop, order, deleteFlow, expectCancelled, tap } = await open()
    const other = await open()
    const goesOn = await other.order()
    const waiting = await order()
    const queued = await shop.order(other.phone)
    await deleteFlow()
    for (const runId of [waiting, queued]) await expectCancelled(runId)
    expect(await hasRunsToEnd(world, shop)).toBe(false)
    await tap(0)
    expect(await messagesOf(queued)).toEqual([])
    expect(await messagesOf(waiting)).toHaveLength(1)
    for (const runId of [waiting, queued]) await expectCancelled(runId)
    expect(await runOf(goesOn)).toMatchObject({ status: 'waiting' })
  })

  test('with an unread message of its customer leaves that message to staff, and sends nothing more', async () => {
    const { shop, deleteFlow, write, ...story } = await open()
    const asked = { world, whatsApp }
    const { result: runId } = await answerSends(asked, isSilent, () => shop.order(story.phone))
    await write({ text: 'On Sunday?', at: world.clock.now() })
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'sent' })
    await deleteFlow()
    expect(await hasRunsToEnd(world, shop)).toBe(true)
    await whatsApp.settle()
    await story.expectNeedsStaff()
    expect(await messagesOf(runId)).toHaveLength(1)
    await story.expectCancelled(runId)
    await story.expectNoneLeft()
  })

  test('with a message that arrives at that moment leaves it to staff', async () => {
    const { shop, phone, order, expectNeedsStaff, expectCancelled } = await open()
    const runId = await order()
    const at = world.clock.now()
    let taken: Promise<void> | undefined
    await transaction(db, async (tx) => {
      await endRunsOfFlow(tx, shop.flowId, at)
      // The ingesting process finds the run waiting, and waits for the lock of its row.
      taken = customerWrites(world, shop, { from: phone, text: 'On Sunday?', at })
      await expect.poll(() => countWaiting(world)).toBe(1)
    })
    await taken
    await whatsApp.settle()
    expect(await repliesTo(world, runId)).toEqual([])
    await expectNeedsStaff()
    await expectCancelled(runId)
  })

  test('stays cancelled if a message of its customer starts another flow at that moment', async () => {
    const { order, deleteFlow, expectCancelled } = await open()
    const runId = await order()
    await deleteFlow()
    const { clock, ids } = world.service.context
    // The ingesting process had found the run waiting.
    await transaction(db, (tx) => endDisplacedRun(tx, { ids, now: clock.now() }, runId))
    await whatsApp.settle()
    await expectCancelled(runId)
    expect(await messagesOf(runId)).toHaveLength(1)
  })

  systemTest('has its replies looked up by the run, however many others have', async () => {
    const { shop, order, statuses } = await open()
    const runId = await order()
    // The planner reads a small table as a whole, whatever the statement says.
    await repeatRun(world, runId, 10 * RUN_LIMITS.endedPerBatch)
    await transaction(db, async (tx) => {
      await sql`insert into flow_run_reply (run_id, message_id, company_id, received_at, consumed_at)
        select run.id, message.id, run.company_id, now(), now() from flow_run run, (
          select id from message where run_id = ${runId} limit 1) message
        where flow_id = ${shop.flowId}`.execute(tx)
      await sql`analyze flow_run, flow_run_reply`.execute(tx)
      await endRunsOfFlow(tx, shop.flowId, world.clock.now())
      const { rows } = await sql`select seq_scan::int from pg_stat_xact_user_tables
        where relname = 'flow_run_reply'`.execute(tx)
      expect(rows).toEqual([{ seqScan: 0 }])
    })
    expect(counted(await statuses())).toMatchObject({ cancelled: RUN_LIMITS.endedPerBatch })
  })

  systemTest('is one of a bounded number that a deletion ends; the others follow', async () => {
    const { shop, order, deleteFlow, statuses, expectNoneLeft, expectCancelled } = await open()
    const runId = await order()
    await repeatRun(world, runId, 2 * RUN_LIMITS.endedPerBatch)
    await deleteFlow()
    const { endedPerBatch: endedAtOnce } = RUN_LIMITS
    const ended = { cancelled: endedAtOnce, waiting: endedAtOnce + 1 }
    expect(counted(await statuses())).toEqual(ended)
    expect(await hasRunsToEnd(world, shop)).toBe(true)
    await expectNoneLeft()
    expect(counted(await statuses())).toEqual({ cancelled: 2 * endedAtOnce + 1 })
    await expectCancelled(runId)
  })
})

describe('a run in progress records the result of its effect, and is cancelled then:', () => {
  test('a send', async () => {
    const { deleteDuringSend, expectCancelled, expectNoneLeft } = await open()
    const wamid = newWamid()
    const { runId, sends } = await deleteDuringSend((response) => response.end(accepted(wamid)))
    const sent = { status: 'accepted', providerMessageId: wamid }
    expect(await messagesOf(runId)).toMatchObject([sent])
    const last = { stepId: 'tell', status: 'done' }
    expect((await runStepsOf(world, runId)).at(-1)).toMatchObject(last)
    expect(sends).toBe(1)
    await expectCancelled(runId)
    await expectNoneLeft()
  })

  test('a send whose answer was lost: a later receipt still finds the message', async () => {
    const { shop, deleteDuringSend, expectCancelled } = await open()
    const { runId, sends } = await deleteDuringSend(isSilent)
    expect(sends).toBe(1)
    const [message] = await messagesOf(runId)
    expect(message).toMatchObject({ status: 'unknown' })
    const last = { stepId: 'tell', status: 'interrupted' }
    expect((await runStepsOf(world, runId)).at(-1)).toMatchObject(last)
    const told = { id: newWamid(), status: 'delivered', biz_opaque_callback_data: message!.id }
    await tellStatus(world, shop, told)
    expect(await messagesOf(runId)).toMatchObject([{ status: 'delivered' }])
    await expectCancelled(runId)
  })

  test('a send that was refused for now: it is not tried again', async () => {
    const { deleteDuringSend, expectCancelled } = await open()
    const { runId } = await deleteDuringSend(isBusy)
    expect(await messagesOf(runId)).toMatchObject([{ status: 'failed', errorCode: '130429' }])
    await expectCancelled(runId)
  })

  test('a call to the merchant’s API', async () => {
    const id = world.service.context.ids.uuid()
    const call = callStep(id, {}, { next: 'tell', onFailure: 'tell' })
    const steps = { call, tell: templateStep('you') }
    const { shop, order, deleteFlow, expectCancelled } = await open({ steps, start: 'call' })
    await connectApi(world, { id, companyId: shop.companyId, baseUrl: api.baseUrl })
    api.reply((request, response) => {
      void deleteFlow().then(() => json(200)(request, response))
    })
    const runId = await order()
    const [called] = await runStepsOf(world, runId)
    expect(called).toMatchObject({ stepId: 'call', status: 'done' })
    expect(JSON.parse(called!.call!)).toMatchObject({ httpStatus: 200 })
    expect(await messagesOf(runId)).toEqual([])
    await expectCancelled(runId)
  })

  test('also if its worker died: once the lease has expired', async () => {
    const { shop, phone, deleteFlow, expectCancelled, expectNoneLeft } = await open()
    const runId = await shop.order(phone)
    const leaseExpiresAt = new Date(world.clock.now().getTime() + RUN_LIMITS.leaseMs)
    await putRun(world, runId, { claimId: world.service.context.ids.uuid(), leaseExpiresAt })
    await deleteFlow()
    expect(await runOf(runId)).toMatchObject({ status: 'queued' })
    world.clock.advance(RUN_LIMITS.leaseMs + SECOND_MS)
    await whatsApp.settle()
    await expectCancelled(runId)
    await expectNoneLeft()
  })
})

/** Starts a run that calls, then tags the customer and resolves; an agent acts during its call. */
async function during(what: 'take-over' | 'cancel') {
  const connectionId = world.service.context.ids.uuid()
  const shop = await whatsApp.openShop({
    start: 'call',
    steps: {
      call: callStep(connectionId, {}, { next: 'tag', onFailure: 'tag', keep: [] }),
      tag: { kind: 'tag', add: ['called'], remove: [], next: 'over' },
      over: { kind: 'resolve' },
    },
  })
  const { companyId, accountId } = shop
  await connectApi(world, { id: connectionId, companyId, baseUrl: api.baseUrl })
  const agent = await signedIn(world, { accountId, role: 'agent' })
  const runId = await shop.order(newPhone())
  const { conversationId, contactId } = await runOf(runId)
  const talk = { path: `/companies/${companyId}/conversations/${conversationId}` }
  const does = () =>
    what === 'cancel'
      ? agent.ask('POST', `/companies/${companyId}/runs/${runId}/cancel`)
      : act(agent, talk, 'take-over', { turn: 10 })
  api.reply((request, response) => {
    void does().then(() => json(200)(request, response))
  })
  await whatsApp.settle()
  expect(await runOf(runId)).toMatchObject({ status: 'cancelled', endReason: null })
  expect((await contactOf(world, contactId!)).tags).not.toContain('called')
  const told = shop.events().map(({ type }) => type)
  expect(told).not.toContain('conversation.resolved')
  expect(told).not.toContain('flow.completed')
  const steps = await runStepsOf(world, runId)
  return { steps, conversation: (await agent.ask('GET', talk.path)).body, agent }
}

test('A member who takes over during a call keeps the conversation', async () => {
  const { steps, conversation, agent } = await during('take-over')
  expect(steps.map(({ stepId, status }) => [stepId, status])).toEqual([['call', 'done']])
  const assignee = { id: agent.personId }
  expect(conversation).toMatchObject({ status: 'open', handledBy: 'staff', assignee })
})

test('A run that is cancelled during its call does nothing more', async () => {
  const { conversation } = await during('cancel')
  expect(conversation).toMatchObject({ status: 'open' })
})

systemTest('A member who is being removed is not assigned, without a wait', async () => {
  const { shop, publishOrder, say, runs, conversation } = await tellStory(world, whatsApp)
  const { personId } = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  await publishOrder({ hello: { kind: 'assign', personId, next: null } })
  await using removal = await holdLock(world, 'nothing')
  await removePerson(removal.inside, personId)
  await say('order')
  expect(await runs()).toMatchObject([{ status: 'completed' }])
  await removal.release()
  expect(await conversation()).toMatchObject({ assigneeId: null })
})

test('A file that is being deleted keeps the flow that sends it from being published', async () => {
  const { shop, owner, tryToPublish } = await tellStory(world, whatsApp)
  const asked = { query: { purpose: 'flow', name: 'menu.png' } }
  const fileId = await uploadFile(world, owner, shop.companyId, asked)
  await using deletion = await holdLock(world, 'nothing')
  await putFile(deletion.inside, fileId, { state: 'dropped' })
  const steps = { hello: { kind: 'send_media', fileId, caption: null, next: null } }
  const publishing = tryToPublish({ trigger: keyword('order'), steps })
  await deletion.blocks('publishing waits')
  await deletion.release()
  expect((await publishing).answer).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'steps.hello.fileId', code: 'file_exists' }] },
  })
})
