/** Many conversations are closed at once, by their ids or by a filter, and each is told of once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BulkClosed, CloseJobView } from '../../src/contract/dashboard/conversation.ts'
import { CLOSE_JOB } from '../../src/limits/inbox.ts'
import { stepCloseJobs } from '../../src/inbox/step-close-jobs.ts'
import { waitUntilBlocked } from '../support/blocked.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { act, inboxOf, type Inbox } from '../support/inbox.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

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

/** Open conversations that nobody has written in. */
async function addConversations({ shop }: Story, count: number) {
  const { ids } = world.service.context
  const now = world.clock.now()
  const rows = Array.from({ length: count }, () => {
    const id = `c_${ids.uuid().replaceAll('-', '')}`
    const { companyId, channelId } = shop
    return { id, companyId, channelId, channelType: 'whatsapp', filedUnder: id, createdAt: now }
  })
  await world.database.db.kysely.insertInto('conversation').values(rows).execute()
}

const resolvedEvents = async ({ shop }: Story) => {
  const rows = await world.database.db.kysely
    .selectFrom('event')
    .select('conversationId')
    .where('companyId', '=', shop.companyId)
    .where('type', '=', 'conversation.resolved')
    .execute()
  return rows.map(({ conversationId }) => conversationId)
}

test('three are selected, one of them is resolved already: two are told of, by their ids alone', async () => {
  const its = await story()
  const talks = [
    await its.inbox.talk(newPhone()),
    await its.inbox.talk(newPhone()),
    await its.inbox.talk(newPhone()),
  ]
  await act(its.agent, talks[0]!, 'resolve')
  const ids = talks.map(({ id }) => id)
  const answer = await close(its.agent, its, { ids: [...ids, 'c_unknown'] })
  expect(answer).toMatchObject({ status: 200, body: { closed: 2, job: null } })
  await whatsApp.settle()
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
  const audit = await world.database.db.kysely
    .selectFrom('audit')
    .select(['action', 'detail'])
    .where('companyId', '=', its.shop.companyId)
    .where('action', 'like', 'conversations.%')
    .execute()
  expect(audit).toEqual([
    { action: 'conversations.closed', detail: JSON.stringify({ asked: 4, closed: 2 }) },
  ])
})

test('runs of what is closed are ended', async () => {
  const its = await story()
  const talk = await its.inbox.talk(newPhone())
  const runId = await its.shop.order(talk.phone)
  await whatsApp.settle()
  await close(its.agent, its, { ids: [talk.id] })
  await whatsApp.settle()
  const run = await world.database.db.kysely
    .selectFrom('flowRun')
    .select('status')
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  expect(run.status).toBe('cancelled')
})

test('a filter is a job for Owners and Admins: page by page, each conversation once, also after a crash', async () => {
  const its = await story()
  const count = 2 * CLOSE_JOB.page + 50
  await addConversations(its, count)
  expect((await close(its.agent, its, { filter: {} })).status).toBe(403)
  const { status, body } = await close(its.owner, its, { filter: { tab: 'open' } })
  expect(status).toBe(202)
  const job = async () =>
    (await its.owner.ask<CloseJobView>('GET', `${its.path}/close-jobs/${body.job!.id}`)).body

  // A page whose transaction does not commit leaves all of it to be done.
  const { context } = world.service
  await stepCloseJobs(context)
  expect(await job()).toMatchObject({ state: 'running', closed: CLOSE_JOB.page })
  world.clock.advance(CLOSE_JOB.everyMs)
  await world.database.db.pool.query(
    `create function fall_over() returns trigger language plpgsql as $$ begin raise 'gone'; end $$;
     create trigger fall_over before update on close_job for each row
       when (new.looked_at > old.looked_at) execute function fall_over()`,
  )
  await stepCloseJobs(context)
  await world.database.db.pool.query('drop trigger fall_over on close_job')
  // And it is not tried again at once.
  world.clock.advance(CLOSE_JOB.everyMs)
  expect(await stepCloseJobs(context)).toBe(0)
  expect(await job()).toMatchObject({ state: 'running', closed: CLOSE_JOB.page })
  expect(await resolvedEvents(its)).toHaveLength(CLOSE_JOB.page)

  // One that is new, and one in which the customer writes meanwhile, stay open.
  world.clock.advance(CLOSE_JOB.afterFaultMs)
  const talk = await its.inbox.talk(newPhone())
  for (let step = 0; step < 3; step += 1) {
    await stepCloseJobs(context)
    world.clock.advance(CLOSE_JOB.everyMs)
  }
  expect(await job()).toMatchObject({ state: 'done', closed: count, lookedAt: count })
  const told = await resolvedEvents(its)
  expect(new Set(told).size).toBe(count)
  expect(told).toHaveLength(count)
  expect(await talk.seen()).toMatchObject({ status: 'open' })
})

/** Does something while another session holds a conversation, then lets go as it says. */
async function whileHeld<Value>(
  id: string,
  work: () => Promise<Value>,
  change: 'it stays as it is' | 'the customer writes',
): Promise<Value> {
  const { pool } = world.database.db
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from conversation where id = $1 for update', [id])
    if (change === 'it stays as it is') return await work()
    const at = new Date(world.clock.now().getTime() + 1)
    await holder.query('update conversation set last_message_at = $2 where id = $1', [id, at])
    const working = work()
    await waitUntilBlocked('the job waits for the conversation', pool, holder)
    await holder.query('commit')
    return await working
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

test('a job leaves one alone in which the customer writes at that moment', async () => {
  const its = await story()
  const talk = await its.inbox.talk(newPhone())
  await close(its.owner, its, { filter: {} })
  const step = () => stepCloseJobs(world.service.context)
  await whileHeld(talk.id, step, 'the customer writes')
  expect(await talk.seen()).toMatchObject({ status: 'open' })
  expect(await resolvedEvents(its)).toEqual([])
})

test('who names another company’s conversation does not even wait for it', async () => {
  const its = await story()
  const talk = await its.inbox.talk(newPhone())
  const strange = await (await story()).inbox.talk(newPhone())
  const asked = { ids: [talk.id, strange.id] }
  const answer = await whileHeld(
    strange.id,
    () => close(its.agent, its, asked),
    'it stays as it is',
  )
  expect(answer.body).toMatchObject({ closed: 1 })
  expect(await strange.seen()).toMatchObject({ status: 'open' })
})

test('a job that is cancelled closes no more', async () => {
  const its = await story()
  await addConversations(its, CLOSE_JOB.page + 1)
  const { body } = await close(its.owner, its, { filter: {} })
  await stepCloseJobs(world.service.context)
  const path = `${its.path}/close-jobs/${body.job!.id}/cancel`
  expect((await its.owner.ask('POST', path)).body).toMatchObject({ state: 'cancelled' })
  world.clock.advance(CLOSE_JOB.everyMs)
  expect(await stepCloseJobs(world.service.context)).toBe(0)
  expect(await resolvedEvents(its)).toHaveLength(CLOSE_JOB.page)
  expect((await its.owner.ask('POST', path)).body).toMatchObject({ code: 'conflict' })
})

test.each([
  ['an id', { ids: ['c_\0', 'c_\ud800'] }, 200],
  ['the tag of a filter', { filter: { tab: 'unassigned', tag: '\0\ud800' } }, 202],
])('what PostgreSQL cannot hold in %s finds nothing', async (_, asked, status) => {
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
