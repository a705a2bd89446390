/**
 * What a run, or a flow, was made with goes away at that moment: whoever takes the conversation while it is
 * at work, a member who leaves, a file that is deleted.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntilBlocked } from '../../support/blocked.ts'
import { signedIn } from '../../support/dashboard.ts'
import { act } from '../../support/inbox.ts'
import { createWorld, type World } from '../../support/service.ts'
import { callStep, connectApi, json, startShopApi, type ShopApi } from '../../support/shop-api.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { uploadFile } from '../../support/upload-file.ts'
import { tellStory } from '../triggers/trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let api: ShopApi
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  api = await startShopApi(world)
})
afterAll(async () => {
  await api.close()
  await whatsApp.close()
  await world.close()
})

/** A run that calls, then tags the customer and resolves; somebody does something during its call. */
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
  const { kysely } = world.database.db
  const runId = await shop.order(newPhone())
  const run = () =>
    kysely.selectFrom('flowRun').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
  const { conversationId, contactId } = await run()
  const talk = { path: `/companies/${companyId}/conversations/${conversationId}` }
  const does = () =>
    what === 'cancel'
      ? agent.ask('POST', `/companies/${companyId}/runs/${runId}/cancel`)
      : act(agent, talk, 'take-over', { turn: 10 })
  api.reply((request, response) => {
    void does().then(() => json(200)(request, response))
  })
  await whatsApp.settle()
  const steps = kysely.selectFrom('flowRunStep').select(['stepId', 'status'])
  const contact = kysely.selectFrom('contact').select('tags').where('id', '=', contactId)
  return {
    run: await run(),
    steps: await steps.where('runId', '=', runId).orderBy('number').execute(),
    tags: (await contact.executeTakeFirstOrThrow()).tags,
    conversation: (await agent.ask('GET', talk.path)).body,
    told: shop.events().map(({ type }) => type),
    agent,
  }
}

test('Staff that takes over while a call is under way keeps the conversation', async () => {
  const { run, steps, tags, conversation, told, agent } = await during('take-over')
  expect(run).toMatchObject({ status: 'cancelled', endReason: null })
  expect(steps).toEqual([{ stepId: 'call', status: 'done' }])
  expect(tags).not.toContain('called')
  const assignee = { id: agent.personId }
  expect(conversation).toMatchObject({ status: 'open', handledBy: 'staff', assignee })
  expect(told).not.toContain('conversation.resolved')
  expect(told).not.toContain('flow.completed')
})

test('A run that is cancelled while its call is under way does nothing more', async () => {
  const { run, tags, conversation, told } = await during('cancel')
  expect(run).toMatchObject({ status: 'cancelled', endReason: null })
  expect(tags).not.toContain('called')
  expect(conversation).toMatchObject({ status: 'open' })
  expect(told).not.toContain('conversation.resolved')
  expect(told).not.toContain('flow.completed')
})

/** Somebody else does this, and has not committed it until the returned end. */
async function inTheMiddleOf(statement: string, id: string) {
  const client = await world.database.db.pool.connect()
  await client.query('begin')
  await client.query(statement, [id])
  return {
    client,
    async end() {
      await client.query('commit')
      client.release()
    },
  }
}
const KEYWORD = { kind: 'keyword', words: ['order'] }

systemTest(
  'A member who is being removed at this moment gets nothing of a flow, and is not waited for',
  async () => {
    const story = await tellStory(world, whatsApp)
    const { accountId, companyId } = story.shop
    const sara = await signedIn(world, { accountId, role: 'agent' })
    const steps = { hello: { kind: 'assign', personId: sara.personId, next: null } }
    await story.publish({ trigger: KEYWORD, steps })
    const { end } = await inTheMiddleOf('delete from member where person_id = $1', sara.personId)
    await story.write({ text: 'order' })
    await whatsApp.settle()
    expect(await story.runs()).toMatchObject([{ status: 'completed' }])
    await end()
    const { rows } = await world.database.db.pool.query(
      'select assignee_id from conversation where company_id = $1',
      [companyId],
    )
    expect(rows).toEqual([{ assignee_id: null }])
  },
)

test('A file that is being deleted at this moment keeps the flow that sends it from being published', async () => {
  const story = await tellStory(world, whatsApp)
  const asked = { query: { purpose: 'flow', name: 'menu.png' } }
  const fileId = await uploadFile(world, story.owner, story.shop.companyId, asked)
  const { client, end } = await inTheMiddleOf(
    `update file set state = 'dropped' where id = $1`,
    fileId,
  )
  const steps = { hello: { kind: 'send_media', fileId, caption: null, next: null } }
  const publishing = story.tryToPublish({ trigger: KEYWORD, steps })
  await waitUntilBlocked('publishing waits', world.database.db.pool, client)
  await end()
  const { answer } = await publishing
  expect(answer).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'steps.hello.fileId', code: 'file_exists' }] },
  })
})
