/** Many conversations are closed together, by their ids or by a filter, and each raises one event. */
import { expect, test } from 'vitest'
import type { BulkClosed, CloseJobView } from '../../src/contract/dashboard/conversation.ts'
import { CLOSE_JOB } from '../../src/core/limits/inbox.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { processDuePages } from '../../src/infra/database/queues/pages.ts'
import { CLOSE_JOBS } from '../../src/modules/inbox/step-close-jobs.ts'
import { holdLock } from '../support/records/locks.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { eventsOf } from '../support/records/events.ts'
import { addConversations, putConversation } from '../support/records/conversations.ts'
import { auditLog } from '../support/records/audit.ts'
import { runOf } from '../support/records/runs.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { act, inboxOf, type Inbox } from '../support/inbox.ts'
import { newPhone, type ConnectedShop } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()

type Story = { shop: ConnectedShop; inbox: Inbox; owner: Member; agent: Member; path: string }

async function story(): Promise<Story> {
  const shop = await whatsApp.openShop()
  const inbox = inboxOf({ world, whatsApp }, shop)
  const owner = await signedIn(world, { accountId: shop.accountId })
  const agent = await inbox.member()
  return { shop, inbox, owner, agent, path: `/companies/${shop.companyId}` }
}

const close = (member: Member, { path }: Story, json: unknown) =>
  member.ask<BulkClosed>('POST', `${path}/conversations/bulk-close`, json)

const resolvedEvents = async ({ shop }: Story) => {
  const events = await eventsOf(world, { companyId: shop.companyId })
  return events
    .filter(({ type }) => type === 'conversation.resolved')
    .map(({ conversationId }) => conversationId)
}

systemTest(
  'closes two of three conversations by id, since one is resolved already; their runs end',
  async () => {
    const its = await story()
    const talks = [
      await its.inbox.talk(newPhone()),
      await its.inbox.talk(newPhone()),
      await its.inbox.talk(newPhone()),
    ]
    await act(its.agent, talks[0]!, 'resolve')
    const runId = await its.shop.order(talks[1]!.phone)
    await whatsApp.settle()
    const ids = talks.map(({ id }) => id)
    const answer = await close(its.agent, its, { ids: [...ids, 'c_unknown'] })
    expect(answer).toMatchObject({ status: 200, body: { closed: 2, job: null } })
    await whatsApp.settle()
    expect(await runOf(world, runId)).toMatchObject({ status: 'cancelled' })
    const told = its.shop
      .events('conversation.resolved')
      .filter(({ data }) => (data as { contact: unknown }).contact === null)
    expect(told.map(({ data }) => data)).toEqual(
      expect.arrayContaining(
        ids.slice(1).map((id) => ({
          conversation: { id, channelId: null, channelType: null },
          contact: null,
        })),
      ),
    )
    expect(told).toHaveLength(2)
    const detail = { asked: 4, closed: 2 }
    const audited = { companyId: its.shop.companyId, action: 'conversations.closed' }
    expect(await auditLog(world, audited)).toMatchObject([{ detail }])
  },
)

systemTest(
  'a filter is a job of Owners and Admins that closes each conversation once, also after a crash',
  async () => {
    const its = await story()
    const count = 2 * CLOSE_JOB.page + 50
    await addConversations(world, its.shop, count)
    expect((await close(its.agent, its, { filter: {} })).status).toBe(403)
    const { status, body } = await close(its.owner, its, { filter: { tab: 'open' } })
    expect(status).toBe(202)
    const job = async () =>
      (await its.owner.ask<CloseJobView>('GET', `${its.path}/close-jobs/${body.job!.id}`)).body

    // A page whose transaction does not commit changes nothing.
    const { context } = world.service
    await processDuePages(context, CLOSE_JOBS)
    expect(await job()).toMatchObject({ state: 'running', closed: CLOSE_JOB.page })
    world.clock.advance(CLOSE_JOB.everyMs)
    const accept = await refuseWrites(world, 'a page of a close job')
    await processDuePages(context, CLOSE_JOBS)
    await accept()
    // The page is not tried again immediately.
    world.clock.advance(CLOSE_JOB.everyMs)
    expect(await processDuePages(context, CLOSE_JOBS)).toBe(0)
    expect(await job()).toMatchObject({ state: 'running', closed: CLOSE_JOB.page })
    expect(await resolvedEvents(its)).toHaveLength(CLOSE_JOB.page)

    // A new conversation, and one in which the customer writes meanwhile, stay open.
    world.clock.advance(CLOSE_JOB.retryMs)
    const talk = await its.inbox.talk(newPhone())
    for (let step = 0; step < 3; step += 1) {
      await processDuePages(context, CLOSE_JOBS)
      world.clock.advance(CLOSE_JOB.everyMs)
    }
    expect(await job()).toMatchObject({ state: 'done', closed: count, lookedAt: count })
    const told = await resolvedEvents(its)
    expect(new Set(told).size).toBe(count)
    expect(told).toHaveLength(count)
    expect(await talk.seen()).toMatchObject({ status: 'open' })
  },
)

test.each(['57P03', '58030'])(
  'a page that error %s of the database prevents is processed a second later, and holds up no other job',
  async (code) => {
    const stories = [await story(), await story()]
    for (const its of stories) await its.inbox.talk(newPhone())
    for (const its of stories) await close(its.owner, its, { filter: {} })
    const { context } = world.service
    const end = await refuseWrites(world, 'a page of a close job', { code, once: true })
    expect(await processDuePages(context, CLOSE_JOBS)).toBe(1)
    await end()
    expect(await processDuePages(context, CLOSE_JOBS)).toBe(0)
    world.clock.advance(SECOND_MS)
    expect(await processDuePages(context, CLOSE_JOBS)).toBe(1)
  },
)

systemTest('a job skips a conversation in which the customer writes at that moment', async () => {
  const its = await story()
  const talk = await its.inbox.talk(newPhone())
  await close(its.owner, its, { filter: {} })
  const processPage = () => processDuePages(world.service.context, CLOSE_JOBS)
  await using lock = await holdLock(world, { conversationId: talk.id })
  const lastMessageAt = new Date(world.clock.now().getTime() + 1)
  await putConversation(lock.inside, talk.id, { lastMessageAt })
  const working = processPage()
  await lock.blocks('the job waits for the conversation')
  await lock.release()
  await working
  expect(await talk.seen()).toMatchObject({ status: 'open' })
  expect(await resolvedEvents(its)).toEqual([])
})

test('a request that names another company’s conversation does not wait for its lock', async () => {
  const its = await story()
  const talk = await its.inbox.talk(newPhone())
  const strange = await (await story()).inbox.talk(newPhone())
  await using _ = await holdLock(world, { conversationId: strange.id })
  const answer = await close(its.agent, its, { ids: [talk.id, strange.id] })
  expect(answer.body).toMatchObject({ closed: 1 })
  expect(await strange.seen()).toMatchObject({ status: 'open' })
})

test('a job that is cancelled closes no more', async () => {
  const its = await story()
  await addConversations(world, its.shop, CLOSE_JOB.page + 1)
  const { body } = await close(its.owner, its, { filter: {} })
  await processDuePages(world.service.context, CLOSE_JOBS)
  const path = `${its.path}/close-jobs/${body.job!.id}/cancel`
  expect((await its.owner.ask('POST', path)).body).toMatchObject({ state: 'cancelled' })
  world.clock.advance(CLOSE_JOB.everyMs)
  expect(await processDuePages(world.service.context, CLOSE_JOBS)).toBe(0)
  expect(await resolvedEvents(its)).toHaveLength(CLOSE_JOB.page)
  expect((await its.owner.ask('POST', path)).body).toMatchObject({ code: 'conflict' })
})

test.each([
  ['an id', { ids: ['c_\0', 'c_\ud800'] }, 200],
  ['the tag of a filter', { filter: { tab: 'unassigned', tag: '\0\ud800' } }, 202],
])('%s with characters that PostgreSQL cannot hold finds nothing', async (_, asked, status) => {
  const its = await story()
  expect(await close(its.owner, its, asked)).toMatchObject({ status, body: { closed: 0 } })
})

test.each([
  ['nothing', {}],
  ['both', { ids: ['c_1'], filter: {} }],
  ['no ids', { ids: [] }],
  ['too many ids', { ids: Array.from({ length: 201 }, (_, i) => `c_${i}`) }],
  ['a tab of one’s own', { filter: { tab: 'mine' } }],
])('%s is refused', async (_, asked) => {
  const its = await story()
  expect((await close(its.owner, its, asked)).status).toBe(422)
})
