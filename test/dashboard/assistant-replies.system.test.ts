/** The assistant's replies in a real browser. Spec: Assistant › Trace; Assistant › Feedback. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReplyDetail } from '../../src/contract/dashboard/assistant-reply.ts'
import { fact } from '../../src/facts/fact.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { inboxOf, type Talk } from '../support/inbox.ts'
import { leaveReply, leaveSteps } from '../support/replies.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'

const HOSTILE = '"><img src=x onerror="globalThis.isHurt=true"><script>isHurt=true</script>'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let talk: Talk

beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
  talk = await inboxOf({ world, whatsApp }, shop).talk(newPhone(), HOSTILE)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, role: 'agent', ...options })
const leave = async (input: Partial<Parameters<typeof leaveReply>[1]> = {}) => {
  const id = await leaveReply(world, {
    companyId: shop.companyId,
    conversationId: talk.id,
    ...input,
  })
  await leaveSteps(world, { companyId: shop.companyId, replyId: id, found: HOSTILE })
  return id
}

test('an Agent reads why, says that it was not good, and finds it among the bad ones', async () => {
  const id = await leave()
  const { page, close, faults, member, go } = await open()
  await go('assistant/replies?outcome=sent')
  await page.getByRole('row').nth(1).click()
  await page.getByRole('heading', { name: 'Asked the model' }).waitFor()
  await page.getByText('first-model gave no answer').waitFor()
  await page.getByText(/match 0\.83/).waitFor()
  await page.getByText('Mended before sending').waitFor()
  await page.getByText('Rules of Wasla').click()
  await page.getByText('Rules of the house.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByLabel('What should it have said?').fill('We do deliver to Jeddah')
  await page.getByRole('button', { name: 'Save what you think' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const path = `/companies/${shop.companyId}/assistant/replies/${id}`
  const { body } = await member.ask<ReplyDetail>('GET', path)
  expect(body.feedback).toMatchObject([{ isGood: false, note: 'We do deliver to Jeddah' }])
  await go('assistant/replies?feedback=bad')
  await page.getByText('1 bad').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('an Owner tries what was heard again, and writes on from there', async () => {
  const id = await leave()
  const { page, close, faults, go } = await open({ role: 'owner' })
  await go(`assistant/replies/${id}`)
  await page.getByRole('link', { name: 'Try it in the playground' }).click()
  const words = page.getByRole('textbox', { name: 'Write as a customer' })
  expect(await words.inputValue()).toBe(HOSTILE)
  expect(faults).toEqual([])
  await close()
})

test('a reply that begins and ends while it is looked at is seen without asking again', async () => {
  const { page, close, faults, go } = await open()
  await go('assistant/replies?outcome=working')
  await page.getByRole('button', { name: 'Clear filters' }).waitFor()
  const { kysely } = world.database.db
  const id = await leave({ state: 'thinking' })
  await page.getByRole('row').nth(1).getByText('Thinking').waitFor()
  await page.getByRole('row').nth(1).click()
  await page.getByRole('heading', { name: 'Asked the model' }).waitFor()
  await kysely.updateTable('assistantReply').set({ state: 'sent' }).where('id', '=', id).execute()
  await page.getByText('Answered', { exact: true }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the conversation says in Arabic why nothing was answered, and leads to the trace', async () => {
  const { db, clock } = world.service.context
  await db.kysely
    .insertInto('assistant')
    .values({ companyId: shop.companyId, isOn: true, updatedAt: clock.now() })
    .execute()
  const { page, close, faults, go } = await open({ language: 'ar' })
  await go(`inbox/${encodeURIComponent(talk.id)}`)
  await page.getByText('لا نموذج: المساعد متوقف، والفريق يجيب.').waitFor()
  await leave({ state: 'cancelled', why: fact('reply_assistant_off') })
  await go(`inbox/${encodeURIComponent(talk.id)}`)
  await page.getByRole('link', { name: 'السبب', exact: true }).click()
  await page.getByRole('heading', { name: 'لماذا لم يقل المساعد شيئًا' }).waitFor()
  await page.getByText('لم يُقل شيء').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a message of the assistant leads to why it was said', async () => {
  const id = await leave()
  const { db, ids, clock } = world.service.context
  const row = await talk.row()
  await db.kysely
    .insertInto('message')
    .values({
      id: `msg_${ids.token(12)}`,
      companyId: shop.companyId,
      conversationId: talk.id,
      channelId: row['channelId'],
      direction: 'out',
      sender: 'assistant',
      type: 'text',
      text: HOSTILE,
      status: 'delivered',
      replyId: id,
      occurredAt: clock.now(),
      createdAt: clock.now(),
    })
    .execute()
  const { page, close, go } = await open()
  await go(`inbox/${encodeURIComponent(talk.id)}`)
  await page.getByRole('link', { name: 'Why it said this' }).click()
  await page.getByRole('heading', { name: 'Why the assistant said this' }).waitFor()
  await page.getByRole('heading', { name: 'Sent', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`/assistant/replies/${id}$`))
  await close()
})

for (const language of ['en', 'ar'] as const) {
  for (const width of [360, 1_440]) {
    test(`axe finds nothing, nothing overflows, what was said is text: ${language} at ${width}`, async () => {
      const id = await leave()
      const { page, close, faults, go } = await open({ language, width })
      for (const path of ['assistant/replies', `assistant/replies/${id}`]) {
        await go(path)
        await page.getByText('onerror').first().waitFor()
        expect([path, await overflowOf(page)]).toEqual([path, 0])
        expect([path, ...(await findBarriers(page))]).toEqual([path])
      }
      expect(await page.evaluate(() => 'isHurt' in globalThis)).toBe(false)
      expect(faults).toEqual([])
      await close()
    })
  }
}

test('after 31 days its steps are no longer kept, and the page says since when', async () => {
  const id = await leave()
  world.clock.advance(31 * DAY_MS)
  await world.service.context.db.kysely.deleteFrom('assistantStep').execute()
  const { page, close, faults, go } = await open()
  await go(`assistant/replies/${id}`)
  await page.getByText('Steps and instructions are no longer kept since').waitFor()
  expect(faults).toEqual([])
  await close()
})
