/**
 * What a run, or a flow, was made with goes away at that moment: somebody takes the conversation while it is
 * at work, a member leaves, a file is deleted.
 */
import { afterAll, expect, test } from 'vitest'
import { signedIn } from '../../support/dashboard.ts'
import { act } from '../../support/inbox.ts'
import { contactOf } from '../../support/records/contacts.ts'
import { putFile } from '../../support/records/files.ts'
import { holdLock } from '../../support/records/locks.ts'
import { removePerson } from '../../support/records/members.ts'
import { runOf, runStepsOf } from '../../support/records/runs.ts'
import { callStep, connectApi, json, startShopApi } from '../../support/shop-api.ts'
import { newPhone } from '../../support/simulator.ts'
import { uploadFile } from '../../support/upload-file.ts'
import { keyword, tellStory } from '../triggers/trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()
const api = await startShopApi(world)
afterAll(() => api.close())

/** A run that calls, then tags the customer and resolves; an agent does something during its call. */
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
  const { conversationId, contactId } = await runOf(world, runId)
  const talk = { path: `/companies/${companyId}/conversations/${conversationId}` }
  const does = () =>
    what === 'cancel'
      ? agent.ask('POST', `/companies/${companyId}/runs/${runId}/cancel`)
      : act(agent, talk, 'take-over', { turn: 10 })
  api.reply((request, response) => {
    void does().then(() => json(200)(request, response))
  })
  await whatsApp.settle()
  expect(await runOf(world, runId)).toMatchObject({ status: 'cancelled', endReason: null })
  expect((await contactOf(world, contactId!)).tags).not.toContain('called')
  const told = shop.events().map(({ type }) => type)
  expect(told).not.toContain('conversation.resolved')
  expect(told).not.toContain('flow.completed')
  const steps = await runStepsOf(world, runId)
  return { steps, conversation: (await agent.ask('GET', talk.path)).body, agent }
}

test('Staff that takes over while a call is under way keeps the conversation', async () => {
  const { steps, conversation, agent } = await during('take-over')
  expect(steps.map(({ stepId, status }) => [stepId, status])).toEqual([['call', 'done']])
  const assignee = { id: agent.personId }
  expect(conversation).toMatchObject({ status: 'open', handledBy: 'staff', assignee })
})

test('A run that is cancelled while its call is under way does nothing more', async () => {
  const { conversation } = await during('cancel')
  expect(conversation).toMatchObject({ status: 'open' })
})

systemTest(
  'A member who is being removed at this moment gets nothing of a flow, and is not waited for',
  async () => {
    const { shop, publishOrder, say, runs, conversation } = await tellStory(world, whatsApp)
    const { personId } = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    await publishOrder({ hello: { kind: 'assign', personId, next: null } })
    await using removal = await holdLock(world, 'nothing')
    await removePerson(removal.inside, personId)
    await say('order')
    expect(await runs()).toMatchObject([{ status: 'completed' }])
    await removal.release()
    expect(await conversation()).toMatchObject({ assigneeId: null })
  },
)

test('A file that is being deleted at this moment keeps the flow that sends it from being published', async () => {
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
