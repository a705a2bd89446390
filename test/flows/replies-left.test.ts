/** What a customer writes to a run that does not read it: nobody else would answer, so staff is to look. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVersionReader } from '../../src/flows/design/load-version.ts'
import { claimRuns } from '../../src/flows/runs/claim-runs.sql.ts'
import { takeTurns } from '../../src/flows/runs/take-turns.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { createWorld, type World } from '../support/service.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'
import { ASKING, SAYING, tellStory, type Story } from './triggers/trigger-stories.ts'
import { systemTest } from '../support/system-tests.ts'

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

const MENU = { kind: 'keyword', words: ['menu'] }
const kysely = () => world.database.db.kysely

/** The run has queued its first message, which nobody has sent yet. */
async function untilItSpeaks({ write }: Story) {
  await write({ text: 'menu' })
  const { db, clock, ids } = world.service.context
  const claim = { claimId: ids.uuid(), now: clock.now(), limit: 10 }
  const { runs } = await claimRuns(db.kysely, claim)
  const deps = { db, clock, ids, readVersion: createVersionReader(), claimFor: () => null }
  const asked = runs.map((run) => ({ run, called: null }))
  await takeTurns({ ...deps, publicUrl: () => 'http://localhost' }, asked)
}
const conversationOf = ({ shop }: Pick<Story, 'shop'>) =>
  kysely()
    .selectFrom('conversation')
    .select(['status', 'needsStaff', 'waitingSince', 'handledBy'])
    .where('companyId', '=', shop.companyId)
    .executeTakeFirstOrThrow()
const answersIn = ({ shop }: Story) =>
  shop.events('flow.completed').map(({ data }) => {
    return (data.run as { variables: Record<string, string | null> }).variables.answer
  })

test('While the last message of a run goes out: staff is to look at it', async () => {
  const story = await tellStory(world, whatsApp)
  await story.publish({ trigger: MENU, steps: SAYING })
  await untilItSpeaks(story)
  await story.write({ text: 'And do you deliver?', at: world.clock.now() })
  await whatsApp.settle()
  expect(await story.runs()).toMatchObject([{ status: 'completed', reason: 'completed' }])
  expect(await conversationOf(story)).toEqual({
    status: 'open',
    needsStaff: true,
    waitingSince: world.clock.now(),
    handledBy: 'assistant',
  })
})

systemTest(
  'While the last message of a run goes out that resolves the conversation after it: it stays open',
  async () => {
    const story = await tellStory(world, whatsApp)
    const steps = { hello: { ...SAYING.hello, next: 'close' }, close: { kind: 'resolve' } }
    await story.publish({ trigger: MENU, steps })
    await untilItSpeaks(story)
    await story.write({ text: 'And do you deliver?', at: world.clock.now() })
    await whatsApp.settle()
    expect(await story.runs()).toMatchObject([{ status: 'completed', reason: 'completed' }])
    expect(await conversationOf(story)).toMatchObject({ status: 'open', needsStaff: true })
    expect(story.shop.events('conversation.resolved')).toEqual([])
  },
)

systemTest(
  'To a flow that is deleted while its first message waits to be sent: it is not, and staff is to look',
  async () => {
    const story = await tellStory(world, whatsApp)
    const flowId = await story.publish({ trigger: MENU, steps: SAYING })
    await untilItSpeaks(story)
    const path = `/companies/${story.shop.companyId}/flows/${flowId}`
    expect((await story.owner.ask('DELETE', path)).status).toBe(204)
    await whatsApp.settle()
    expect(await story.runs()).toMatchObject([{ status: 'cancelled' }])
    expect(whatsApp.simulator.messages().filter(({ to }) => `+${to}` === story.phone)).toEqual([])
    expect(await conversationOf(story)).toMatchObject({ needsStaff: true })
  },
)

systemTest('Nobody is to look where the customer was erased since', async () => {
  const story = await tellStory(world, whatsApp)
  await story.publish({ trigger: MENU, steps: SAYING })
  await untilItSpeaks(story)
  await story.write({ text: 'And do you deliver?', at: world.clock.now() })
  const { companyId } = story.shop
  const contact = kysely().selectFrom('contact').select('id').where('companyId', '=', companyId)
  const { id } = await contact.executeTakeFirstOrThrow()
  const path = `/companies/${companyId}/contacts/${id}/erase`
  expect((await story.owner.ask('POST', path, { confirm: true })).status).toBe(200)
  await whatsApp.settle()
  expect(await conversationOf(story)).toMatchObject({ needsStaff: false })
})

systemTest('Nobody is to look where the run has read all of it', async () => {
  const story = await tellStory(world, whatsApp)
  await story.publish({ trigger: MENU, steps: ASKING })
  await untilItSpeaks(story)
  await story.write({ text: 'The large one', at: world.clock.now() })
  await whatsApp.settle()
  expect(answersIn(story)).toEqual(['The large one'])
  expect(await conversationOf(story)).toMatchObject({ needsStaff: false, waitingSince: null })
})

systemTest(
  'Before a time that the run lets pass: it is no answer to what is asked after that',
  async () => {
    const story = await tellStory(world, whatsApp)
    const steps = {
      hello: { ...SAYING.hello, next: 'later' },
      later: { kind: 'wait', until: { kind: 'minutes', minutes: 5 }, next: 'question' },
      question: { ...ASKING.hello, next: 'ask' },
      ask: ASKING.ask,
    }
    await story.publish({ trigger: MENU, steps })
    await untilItSpeaks(story)
    await story.write({ text: 'And do you deliver?', at: world.clock.now() })
    await whatsApp.settle()
    expect(await conversationOf(story)).toMatchObject({ needsStaff: true })
    world.clock.advance(5 * MINUTE_MS)
    await whatsApp.settle()
    await story.write({ text: 'The large one', at: world.clock.now() })
    await whatsApp.settle()
    expect(answersIn(story)).toEqual(['The large one'])
  },
)

systemTest('Nobody is to look where staff has the conversation by then', async () => {
  const story = await tellStory(world, whatsApp)
  await story.publish({ trigger: MENU, steps: SAYING })
  await untilItSpeaks(story)
  await story.write({ text: 'And do you deliver?', at: world.clock.now() })
  const { companyId } = story.shop
  const ofShop = kysely().selectFrom('conversation').select(['id', 'turn'])
  const { id, turn } = await ofShop.where('companyId', '=', companyId).executeTakeFirstOrThrow()
  const path = `/companies/${companyId}/conversations/${id}/take-over`
  expect((await story.owner.ask('POST', path, { turn })).status).toBe(200)
  await whatsApp.settle()
  expect(await story.runs()).toMatchObject([{ status: 'cancelled' }])
  expect(await conversationOf(story)).toMatchObject({ handledBy: 'staff', needsStaff: false })
})

test.each([true, false])(
  'To a run that a hook began and that fails after it: staff is to look only where they wrote (%s)',
  async (hasWritten) => {
    const { tell, ask } = ORDER_READY_STEPS
    const asking = { ...ask, next: 'more', onTimeout: 'more' }
    const shop = await whatsApp.openShop({
      steps: { tell, ask: asking, more: { ...tell, next: null } },
    })
    const phone = newPhone()
    await shop.order(phone)
    await whatsApp.settle()
    const template = kysely().updateTable('template').set({ status: 'PAUSED' })
    await template.where('channelId', '=', shop.channelId).execute()
    if (hasWritten) {
      const { phoneNumberId } = shop
      whatsApp.simulator.sendText({ from: phone, phoneNumberId, text: 'The large one' })
      await whatsApp.simulator.idle()
    } else world.clock.advance(ask.timeoutMinutes * MINUTE_MS)
    await whatsApp.settle()
    expect(shop.events('flow.failed')).toHaveLength(1)
    expect(await conversationOf({ shop })).toMatchObject({ needsStaff: hasWritten })
  },
)

systemTest('To a run that a member has just cancelled: it is not its answer any more', async () => {
  const story = await tellStory(world, whatsApp)
  await story.publish({ trigger: MENU, steps: ASKING })
  await story.write({ text: 'menu' })
  await whatsApp.settle()
  const { companyId } = story.shop
  const { id } = (await story.runs())[0]!
  const cancelled = await story.owner.ask('POST', `/companies/${companyId}/runs/${id}/cancel`)
  expect(cancelled.status).toBe(204)
  await story.write({ text: 'The large one', at: world.clock.now() })
  const kept = kysely().selectFrom('flowRunReply').select('messageId').where('runId', '=', id)
  expect(await kept.execute()).toEqual([])
  await whatsApp.settle()
  expect(await conversationOf(story)).toMatchObject({ needsStaff: true })
})

test('To a run that may do nothing more, since the plan has no automations any more', async () => {
  const story = await tellStory(world, whatsApp)
  const steps = { ...ASKING, ask: { ...ASKING.ask, next: 'thank' }, thank: SAYING.hello }
  await story.publish({ trigger: MENU, steps })
  await story.write({ text: 'menu' })
  await whatsApp.settle()
  const { accountId } = story.shop
  await kysely().updateTable('account').set({ plan: 'free' }).where('id', '=', accountId).execute()
  const asked = whatsApp.simulator.messages().find(({ to }) => `+${to}` === story.phone)!
  await story.write({ text: 'The large one', quotes: asked.wamid, at: world.clock.now() })
  await whatsApp.settle()
  expect(await story.runs()).toMatchObject([{ status: 'cancelled' }])
  expect(await conversationOf(story)).toMatchObject({ needsStaff: true })
})
