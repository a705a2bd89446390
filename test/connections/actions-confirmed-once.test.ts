/**
 * An action that the customer agreed to is called once and its result is reported, even if the calling process ends or
 * the database is lost. The tests also check how long its rows are kept.
 */
import { expect, onTestFinished, test, vi } from 'vitest'
import { callAction } from '../../src/modules/connections/call-action.ts'
import { confirmProposal } from '../../src/modules/connections/confirm-proposal.ts'
import type { CallDeps } from '../../src/modules/connections/make-call.ts'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { isDatabaseUnavailable } from '../../src/infra/database/is-database-unavailable.ts'
import { RETENTION } from '../../src/core/limits/retention.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { COULD_NOT_CHECK } from '../../src/rules/calls/action-answer.ts'
import { createDatabaseProxy } from '../support/database-proxy.ts'
import { startLosingProxy } from '../support/losing-proxy.ts'
import { actionsByDay, actionsOfReply, proposalOf } from '../support/records/calls.ts'
import { holdLock } from '../support/records/locks.ts'
import { systemTest } from '../support/system-tests.ts'
import { idOf } from './action-world.ts'
import { ARGS, CANCEL, DONE, expectWithdrawn, openProposals, propose, stateOf } from './propose.ts'

const w = await openProposals()

const UNCHECKED: unknown = expect.objectContaining({
  kind: 'called',
  text: COULD_NOT_CHECK,
  isDone: false,
  hasEffect: true,
})
const replyOf = (conversationId: string) => ({
  companyId: w.shop.companyId,
  conversationId,
  replyId: w.deps.ids.uuid(),
})

type Connection = Parameters<typeof connectDatabase>[0]
/** Returns the dependencies of another process, with a separate connection to the database. */
function anotherNode(connection: Connection = w.world.database.connection): CallDeps {
  const db = connectDatabase(connection)
  onTestFinished(() => db.close())
  return { ...w.deps, db }
}

/** Makes a proposal, and has the customer agree to it. */
async function agreed(phone?: string) {
  const made = await propose(w, {}, w.customer(phone))
  await made.talk.write('yes')
  return made
}

test('two nodes that take one agreement concurrently make one call', async () => {
  const there = await w.customer('966502220001', anotherNode())
  const { talk, drafted } = await agreed('966502220001')
  const lock = await holdLock(w.world, 'the conversations')
  const both = [talk, there].map((one) => one.confirm(drafted))
  await w.untilTheyWait(2)
  await lock.release()
  const texts = (await Promise.all(both)).map(({ text }) => text)
  expect(texts.filter((text) => text === DONE.text)).toHaveLength(1)
  expect(w.api.requests).toHaveLength(1)
})

test('concurrent proposals in one conversation leave only the last one open', async () => {
  const { name } = await w.make({ needsConfirmation: true })
  const talk = await w.customer()
  const lock = await holdLock(w.world, 'the conversations')
  const both = ['7', '8'].map((order) => talk.use(name, { order }))
  await w.untilTheyWait(2)
  await lock.release()
  const drafts = await Promise.all(both)
  const states = await Promise.all(drafts.map(async (one) => (await stateOf(w, one)).state))
  expect(states.toSorted()).toEqual(['drafted', 'withdrawn'])
})

systemTest(
  'an agreement whose process ends before the call is carried out by another process',
  async () => {
    // The other process shares only the database.
    const elsewhere = await w.customer('966503330001', anotherNode())
    const { drafted } = await agreed('966503330001')
    expect(await elsewhere.confirm(drafted)).toEqual(DONE)
  },
)

test('a claim whose answer was lost still leads to exactly one call', async () => {
  const proxy = await startLosingProxy(w.world.database.connection)
  onTestFinished(() => proxy.close())
  const there = await w.customer('966503330002', anotherNode(proxy.connection))
  const { talk, drafted } = await agreed('966503330002')
  const lost = proxy.loseAnswerTo(/^update "action_proposal" set "state"/)
  const told = there.confirm(drafted)
  await lost
  expect(await told).toEqual(DONE)
  expect(await talk.confirm(drafted)).not.toEqual(DONE)
  expect(w.api.requests).toHaveLength(1)
})

test('an agreed call that waited for the database is made once, and reported as done', async () => {
  const proxy = await startLosingProxy(w.world.database.connection)
  onTestFinished(() => proxy.close())
  const there = await w.customer('966503330003', anotherNode(proxy.connection))
  const { drafted } = await agreed('966503330003')
  w.api.requests.length = 0
  const lost = proxy.loseAnswerTo(/select channel_type, \(select coalesce/)
  const told = there.confirm(drafted)
  await lost
  expect(await told).toEqual(DONE)
  expect(w.api.requests).toHaveLength(1)
})

/** Confirms a proposal in a reply whose database is lost before the call, and stays away for a minute. */
async function confirmInOutage(phone: string, replyId: string) {
  const proxy = await startLosingProxy(w.world.database.connection)
  onTestFinished(() => proxy.close())
  const there = await w.customer(phone, anotherNode(proxy.connection))
  const { talk, drafted } = await agreed(phone)
  w.api.requests.length = 0
  const lost = proxy.loseAnswerTo(/with found as materialized/, { thenDown: true })
  const confirmed = there.confirm(drafted, replyId).catch((error: unknown) => error)
  await lost
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + MINUTE_MS)
  expect(isDatabaseUnavailable(await confirmed)).toBe(true)
  later.mockRestore()
  expect(w.api.requests).toEqual([])
  return { talk, drafted }
}

test('an agreed call that a long outage of the database prevented is made once after it', async () => {
  const { talk, drafted } = await confirmInOutage('966503330004', 'a reply')
  w.world.clock.advance(14 * MINUTE_MS)
  expect(await talk.answer('a reply')).toMatchObject({ kind: 'agreed', result: DONE })
  expect((await stateOf(w, drafted)).state).toBe('done')
  expect(await talk.confirm(drafted, 'a reply')).toEqual(UNCHECKED)
  expect(w.api.requests).toHaveLength(1)
})

test('an agreed call that an outage prevented until the agreement ended is not made', async () => {
  const { talk, drafted } = await confirmInOutage('966503330005', 'a reply')
  w.world.clock.advance(16 * MINUTE_MS)
  expect(await talk.answer('a reply')).toMatchObject({ kind: 'withdrawn', why: 'too_late' })
  await expectWithdrawn(w, drafted, 'too_late')
  expect(w.api.requests).toEqual([])
})

test('a call that is interrupted before its answer is reported as unchecked, and never repeated', async () => {
  const { talk, drafted } = await agreed()
  let breakOff = () => {}
  w.api.reply((_, response) => {
    breakOff = () => void response.destroy()
  })
  // The process that made this call never reads its answer.
  const lost = talk.confirm(drafted, 'cut off')
  await w.api.hasReceived(1)
  expect((await stateOf(w, drafted)).state).toBe('started')
  expect(await talk.confirm(drafted)).toEqual(UNCHECKED)
  // Another process that continues the same reply gets the result. A later reply finds no open
  // proposal.
  expect(await talk.answer('cut off')).toMatchObject({ kind: 'agreed', result: UNCHECKED })
  w.world.clock.advance(MINUTE_MS)
  await talk.write('yes!')
  expect(await talk.answer()).toEqual({ kind: 'none' })
  expect(w.api.requests).toHaveLength(1)
  breakOff()
  expect(await lost).toEqual(UNCHECKED)
  expect((await stateOf(w, drafted)).state).toBe('failed')
  expect(await talk.confirm(drafted)).toEqual(UNCHECKED)
  expect(w.api.requests).toHaveLength(1)
})

test('a reply that was interrupted after its call does not call again', async () => {
  const { talk } = await agreed()
  expect(await talk.answer('one')).toMatchObject({ result: DONE })
  expect(await talk.answer('one')).toMatchObject({ kind: 'agreed', result: UNCHECKED })
  expect(w.api.requests).toHaveLength(1)
})

test('an internal error after the claim is reported as unchecked, and the call is not repeated', async () => {
  const { talk, drafted } = await agreed()
  const outbound = {
    send: () => {
      throw new Error('a fault')
    },
  }
  const told = await confirmProposal(
    { ...w.deps, outbound },
    { companyId: w.shop.companyId, conversationId: talk.conversationId, replyId: 'a fault' },
    idOf(drafted),
  )
  expect(told).toEqual(UNCHECKED)
  expect(await talk.confirm(drafted)).toEqual(UNCHECKED)
  expect(w.api.requests).toEqual([])
})

/** Makes a call with a database that becomes unreachable for minutes once the API has the request. */
async function withDatabaseLost<Told>(call: (deps: CallDeps) => Promise<Told>): Promise<Told> {
  const proxy = await createDatabaseProxy(w.world.database.connection)
  onTestFinished(() => proxy.close())
  onTestFinished(() => void vi.restoreAllMocks())
  w.api.reply((_, response) => {
    proxy.shut()
    let laterMs = 0
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + (laterMs += MINUTE_MS))
    response.end('{"order":{"status":"cancelled"}}')
  })
  return call(anotherNode(proxy.connection))
}

test('an action without confirmation returns its answer even if the database is unreachable', async () => {
  const { name } = await w.make({ ...CANCEL, needsConfirmation: false })
  const { conversationId } = await w.customer()
  const told = await withDatabaseLost((deps) =>
    callAction(deps, replyOf(conversationId), { tool: name, args: ARGS }),
  )
  expect(told).toEqual(DONE)
})

systemTest(
  'a proposal returns its answer even if the database is unreachable, and is not called again',
  async () => {
    const { talk, drafted } = await agreed()
    w.api.requests.length = 0
    const told = await withDatabaseLost((deps) =>
      confirmProposal(deps, replyOf(talk.conversationId), idOf(drafted)),
    )
    expect(told).toEqual(DONE)
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'called', text: COULD_NOT_CHECK })
    expect(w.api.requests).toHaveLength(1)
  },
)

test('a proposal whose call was made is recorded as done after a short outage of the database', async () => {
  const { talk, drafted } = await agreed()
  const proxy = await startLosingProxy(w.world.database.connection)
  onTestFinished(() => proxy.close())
  proxy.cutBefore(/^update "action_proposal" set "state".*"ended_at" = \$2 where/)
  const there = anotherNode(proxy.connection)
  expect(await confirmProposal(there, replyOf(talk.conversationId), idOf(drafted))).toEqual(DONE)
  expect((await stateOf(w, drafted)).state).toBe('done')
})

test('proposals are kept as long as the log of calls, and the counts of calls for two days', async () => {
  const { drafted } = await agreed()
  const calling = await w.make()
  const talk = await w.customer()
  const replyId = w.deps.ids.uuid()
  await talk.use(calling.name, ARGS, replyId)
  await w.world.service.processAll()
  const kept = async () => ({
    proposal: (await proposalOf(w.world, idOf(drafted))) !== undefined,
    day: (await actionsByDay(w.world, w.shop)).some(({ customer }) => customer === talk.contactId),
    reply: (await actionsOfReply(w.world, replyId)) !== undefined,
  })
  expect(await kept()).toEqual({ proposal: true, day: true, reply: true })
  const sweepAfter = async (ms: number) => {
    w.world.clock.advance(ms)
    await w.world.service.sweep()
    return kept()
  }
  // A reply that began yesterday may still go on.
  expect(await sweepAfter(DAY_MS + HOUR_MS)).toEqual({ proposal: true, day: true, reply: true })
  expect(await sweepAfter(2 * DAY_MS)).toEqual({ proposal: true, day: false, reply: false })
  expect((await sweepAfter(RETENTION.callLogMs - 3 * DAY_MS - 2 * HOUR_MS)).proposal).toBe(true)
  expect((await sweepAfter(2 * HOUR_MS)).proposal).toBe(false)
})
