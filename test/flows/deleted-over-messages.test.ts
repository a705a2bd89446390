/** A flow is deleted, or may do nothing more, over what a customer wrote to it: nobody else answers, so staff is to look. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { startMeta } from '../channels/loopback-meta.ts'
import { signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { ASKING, SAYING, tellStory, type Draw, type Story } from './triggers/trigger-stories.ts'
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
afterEach(() => {
  world.baseUrls.whatsAppSimulator = whatsApp.simulator.graphBaseUrl
})

const MENU = { kind: 'keyword', words: ['menu'] }
const LATER = { kind: 'wait', until: { kind: 'minutes', minutes: 5 }, next: 'hello' }
const REFUSED = JSON.stringify({ error: { message: 'busy', code: 130429 } })
const kysely = () => world.database.db.kysely

/** A customer has written the keyword of a flow. */
async function begun(draw: Partial<Draw> = {}) {
  const story = await tellStory(world, whatsApp)
  const flowId = await story.publish({ trigger: MENU, ...draw })
  const flow = `/companies/${story.shop.companyId}/flows/${flowId}`
  await story.write({ text: 'menu' })
  const deleteFlow = async () => {
    expect((await story.owner.ask('DELETE', flow)).status).toBe(204)
  }
  const goOn = async () => {
    await deleteFlow()
    await whatsApp.settle()
    return ended(story)
  }
  return { ...story, deleteFlow, endByDeletion: goOn }
}
const runsOf = ({ shop }: Pick<Story, 'shop'>) =>
  kysely()
    .selectFrom('flowRun')
    .select(['id', 'status', 'waitKind', 'conversationId'])
    .where('companyId', '=', shop.companyId)
    .execute()
/** How the only run ended, and whether its conversation needs staff. */
async function ended({ shop }: Pick<Story, 'shop'>) {
  const [run] = await runsOf({ shop })
  const { needsStaff } = await kysely()
    .selectFrom('conversation')
    .select('needsStaff')
    .where('id', '=', run!.conversationId)
    .executeTakeFirstOrThrow()
  expect(shop.events().filter(({ type }) => type.startsWith('flow.'))).toEqual([])
  return { status: run!.status, needsStaff }
}
async function leavePlan({ shop }: Pick<Story, 'shop'>) {
  const account = kysely().updateTable('account').set({ plan: 'free' })
  await account.where('id', '=', shop.accountId).execute()
}
/** Until it is told otherwise the provider refuses all for now, or gives no answer. */
async function whileProvider(is: 'busy' | 'silent', during: () => Promise<void>) {
  const meta = await startMeta((response) => {
    if (is === 'silent') return void response.destroy()
    response.statusCode = 429
    response.end(REFUSED)
  })
  world.baseUrls.whatsAppSimulator = meta.url
  await during()
  await whatsApp.settle()
  await meta.stop()
}
const LEFT = { status: 'cancelled', needsStaff: true }
const SILENT = { status: 'cancelled', needsStaff: false }

describe('A run that is cancelled with its flow leaves its customer to staff', () => {
  test('who has started it, and it has not begun', async () => {
    const { endByDeletion } = await begun()
    expect(await endByDeletion()).toEqual(LEFT)
  })

  systemTest('who has started it, and its first message is not sent any more', async () => {
    const { endByDeletion, ...story } = await begun()
    await whileProvider('busy', async () => {})
    expect(await runsOf(story)).toMatchObject([{ status: 'running' }])
    expect(await endByDeletion()).toEqual(LEFT)
  })

  test('who has started it, and nobody knows whether its first message went out', async () => {
    const { endByDeletion, ...story } = await begun()
    await whileProvider('silent', async () => {})
    expect(await runsOf(story)).toMatchObject([{ status: 'waiting', waitKind: 'sent' }])
    expect(await endByDeletion()).toEqual(LEFT)
  })

  test('who has started it, and it lets a time pass before it says anything', async () => {
    const { endByDeletion, ...story } = await begun({
      steps: { later: LATER, ...SAYING },
      start: 'later',
    })
    await whatsApp.settle()
    expect(await runsOf(story)).toMatchObject([{ status: 'waiting', waitKind: 'time' }])
    expect(await endByDeletion()).toEqual(LEFT)
  })

  systemTest('whose answer it has read, but not followed', async () => {
    const { tell, ask } = ORDER_READY_STEPS
    const asking = { ...ask, next: 'more', onTimeout: null }
    const steps = { tell, ask: asking, more: { ...tell, next: null } }
    const shop = await whatsApp.openShop({ steps })
    const owner = await signedIn(world, { accountId: shop.accountId })
    const phone = newPhone()
    await shop.order(phone)
    await whatsApp.settle()
    const answer = written({ from: phone.slice(1), text: 'The large one', at: world.clock.now() })
    await whileProvider('busy', async () => {
      expect(await postWebhook(world, webhookOf(shop, [answer]))).toBe(200)
    })
    expect(await runsOf({ shop })).toMatchObject([{ status: 'running' }])
    await owner.ask('DELETE', `/companies/${shop.companyId}/flows/${shop.flowId}`)
    await whatsApp.settle()
    expect(await ended({ shop })).toEqual(LEFT)
  })
})

describe('Nobody is to look', () => {
  test('where a hook began what is cancelled, and the customer has written nothing', async () => {
    const shop = await whatsApp.openShop()
    const owner = await signedIn(world, { accountId: shop.accountId })
    await shop.order(newPhone())
    await whileProvider('busy', async () => {})
    expect(await runsOf({ shop })).toMatchObject([{ status: 'running' }])
    await owner.ask('DELETE', `/companies/${shop.companyId}/flows/${shop.flowId}`)
    await whatsApp.settle()
    expect(await ended({ shop })).toEqual(SILENT)
  })

  systemTest.each([
    ['waits for an answer', ASKING],
    [
      'lets a time pass',
      { hello: { ...SAYING.hello, next: 'later' }, later: { ...LATER, next: null } },
    ],
  ])('where the run has answered and %s: it is cancelled with the deletion', async (_, steps) => {
    const { deleteFlow, ...story } = await begun({ steps })
    await whatsApp.settle()
    await deleteFlow()
    expect(await ended(story)).toEqual(SILENT)
    await whatsApp.settle()
    expect(await ended(story)).toEqual(SILENT)
  })

  systemTest('where the customer was erased since', async () => {
    const { deleteFlow, ...story } = await begun()
    const [run] = await runsOf(story)
    const { companyId } = story.shop
    const contact = kysely().selectFrom('contact').select('id').where('companyId', '=', companyId)
    const { id } = await contact.executeTakeFirstOrThrow()
    await deleteFlow()
    const path = `/companies/${companyId}/contacts/${id}/erase`
    expect((await story.owner.ask('POST', path, { confirm: true })).status).toBe(200)
    await whatsApp.settle()
    expect(await runsOf(story)).toMatchObject([{ id: run!.id, status: 'cancelled' }])
    expect(await ended(story)).toEqual(SILENT)
  })

  test('where staff has the conversation by then', async () => {
    const { endByDeletion, ...story } = await begun()
    const { companyId } = story.shop
    const ofShop = kysely().selectFrom('conversation').select(['id', 'turn'])
    const { id, turn } = await ofShop.where('companyId', '=', companyId).executeTakeFirstOrThrow()
    const path = `/companies/${companyId}/conversations/${id}/take-over`
    expect((await story.owner.ask('POST', path, { turn })).status).toBe(200)
    expect(await endByDeletion()).toEqual(SILENT)
  })
})

describe('So does one that may do nothing more, since the plan has no automations any more', () => {
  test('before it has begun', async () => {
    const story = await begun()
    await leavePlan(story)
    await whatsApp.settle()
    expect(await ended(story)).toEqual({ status: 'skipped', needsStaff: true })
  })

  systemTest('half-way', async () => {
    const steps = { hello: { ...SAYING.hello, next: 'more' }, more: SAYING.hello }
    const story = await begun({ steps })
    await whileProvider('busy', async () => {})
    await leavePlan(story)
    world.clock.advance(5 * MINUTE_MS)
    await whatsApp.settle()
    expect(await ended(story)).toEqual(LEFT)
  })

  systemTest('but no one whose customer has been answered, and has not answered', async () => {
    const { hello, ask } = ASKING
    const story = await begun({
      steps: { hello, ask: { ...ask, onTimeout: 'more' }, more: SAYING.hello },
    })
    await whatsApp.settle()
    await leavePlan(story)
    world.clock.advance(ask.timeoutMinutes * MINUTE_MS)
    await whatsApp.settle()
    expect(await ended(story)).toEqual(SILENT)
  })
})
