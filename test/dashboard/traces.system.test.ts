/** Traces in a real browser: the assistant's replies, and a run on the map of its version by mouse and by keys. Spec: Assistant › Trace; Assistant › Feedback; Flows › Runs. */
import { expect, test } from 'vitest'
import type { ReplyDetail } from '../../src/contract/dashboard/assistant-reply.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { appears, dashboardOf, findFlaws, HOSTILE, LOOKS } from '../support/dashboard-page.ts'
import { putReply, setAssistant } from '../support/records/assistant.ts'
import { addMessage } from '../support/records/messages.ts'
import { inboxOf } from '../support/inbox.ts'
import { leaveReply, leaveSteps } from '../support/replies.ts'
import { newPhone } from '../support/simulator.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { runsWords } from '../../src/dashboard/runs/words.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { follow, press, sees } from '../support/page-steps.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const talk = await inboxOf({ world, whatsApp }, shop).talk(newPhone(), HOSTILE)

const open = dashboardOf(world, shop, { role: 'agent' })
const where = { companyId: shop.companyId, conversationId: talk.id }
const thread = `inbox/${encodeURIComponent(talk.id)}`
const leave = async (input: Partial<Parameters<typeof leaveReply>[1]> = {}) => {
  const id = await leaveReply(world, { ...where, ...input })
  await leaveSteps(world, { companyId: shop.companyId, replyId: id, found: HOSTILE })
  return id
}

test('an Agent reads why, marks a reply as bad, and finds it among the bad ones', async () => {
  const id = await leave()
  const { page, member, go } = await open({ at: 'assistant/replies?outcome=sent' })
  await page.getByRole('row').nth(1).click()
  await page.getByRole('heading', { name: 'Asked the model' }).waitFor()
  await sees(page, 'first-model didn’t respond', /match 0\.83/, 'Corrected before sending')
  await page.getByText('Wasla’s rules').click()
  await page.getByText('Rules of the house.', { exact: false }).waitFor()
  await press(page, /^No$/)
  await page.getByLabel('What should it have said?').fill('We do deliver to Jeddah')
  await press(page, 'Save feedback')
  await sees(page, /^Feedback saved$/)
  const path = `/companies/${shop.companyId}/assistant/replies/${id}`
  const { body } = await member.ask<ReplyDetail>('GET', path)
  expect(body.feedback).toMatchObject([{ isGood: false, note: 'We do deliver to Jeddah' }])
  await go('assistant/replies?feedback=bad')
  await sees(page, '1 bad')
})

test("an Owner tries a customer's message again, and continues from there", async () => {
  const id = await leave()
  const { page } = await open({ at: `assistant/replies/${id}`, role: 'owner' })
  await follow(page, 'Try in playground')
  const words = page.getByRole('textbox', { name: 'Write as the customer' })
  expect(await words.inputValue()).toBe(HOSTILE)
})

test('a reply that begins and ends while the page is open is shown without a new request', async () => {
  const { page } = await open({ at: 'assistant/replies?outcome=working' })
  await page.getByRole('button', { name: 'Clear filters' }).waitFor()
  const id = await leave({ state: 'thinking' })
  await sees(page.getByRole('row').nth(1), 'Thinking')
  await page.getByRole('row').nth(1).click()
  await page.getByRole('heading', { name: 'Asked the model' }).waitFor()
  await putReply(world, id, { state: 'sent' })
  expect(await appears(page.getByText('Replied', { exact: true }))).toBe(true)
})

test('the conversation says in Arabic why nothing was answered, and links to the trace', async () => {
  await setAssistant(world, shop)
  const { page, go } = await open({ at: thread, language: 'ar' })
  await sees(page, 'لا نموذج متاح: المساعد لا يرد، والفريق يتولى الردود.')
  await leave({ state: 'cancelled', why: fact('reply_assistant_off') })
  await go(thread)
  await follow(page, /^السبب$/)
  await page.getByRole('heading', { name: 'سبب عدم الرد' }).waitFor()
  expect(await appears(page.getByText('لا رد'))).toBe(true)
})

test('a message of the assistant links to its trace', async () => {
  const id = await leave()
  const said = { sender: 'assistant', text: HOSTILE, status: 'delivered', replyId: id }
  await addMessage(world, { ...where, channelId: shop.channelId }, said)
  const { page } = await open({ at: thread })
  await follow(page, 'Why it said this')
  await page.getByRole('heading', { name: 'Why the assistant said this' }).waitFor()
  await page.getByRole('heading', { name: 'Sent', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`/assistant/replies/${id}$`))
})

test.each(LOOKS)('traces are text, no barriers: $language $width', async (look) => {
  const id = await leave()
  const { page, go } = await open(look)
  for (const path of ['assistant/replies', `assistant/replies/${id}`]) {
    await go(path)
    await page.getByText('onerror').first().waitFor()
    expect(await findFlaws(page)).toEqual([])
  }
})

/** A shop whose flow was answered, so that its run followed the exit of the answer. */
const answered = await whatsApp.openShop({
  steps: {
    ...ORDER_READY_STEPS,
    ask: { ...ORDER_READY_STEPS.ask, next: 'thanks', onTimeout: 'later' },
    thanks: { kind: 'send_message', text: 'Thank you', buttons: [], next: 'finish' },
    later: { kind: 'send_message', text: 'Are you there?', buttons: [], next: 'finish' },
  },
})
const phone = newPhone()
const runId = await answered.order(phone)
await whatsApp.settle()
await inboxOf({ world, whatsApp }, answered).talk(phone, 'I come at five')
const openRuns = dashboardOf(world, answered)

test.each(LANGUAGES)(
  'the map shows which exits a run followed, and each of its steps: %s',
  async (language) => {
    const { page, say } = await openRuns({ language, at: `runs/${runId}` })
    await page.getByText(runsWords[language].as_map, { exact: true }).click()
    await page.waitForURL('**view=map*')
    const node = (step: string) => page.locator(`[data-key="${step}"]`)
    await node('thanks').waitFor()
    const done = runsWords[language].step_done
    for (const step of ['tell', 'ask', 'thanks']) {
      expect(await node(step).getAttribute('data-run')).toBe('ok')
      expect(await node(step).textContent()).toMatch(new RegExp(`${done}.*\\d\\d:\\d\\d:\\d\\d`))
    }
    expect(await node('later').getAttribute('data-run')).toBe('none')
    await expect.poll(() => page.locator('path[data-went="yes"]').count()).toBe(4)
    await sees(page, say(runsWords, 'step_of', { n: 1, of: 4 }))
    // The keys alone follow the exits, and the step is shown below.
    await node('tell').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await sees(page, say(runsWords, 'step_of', { n: 2, of: 4 }))
    await page.getByRole('button', { name: say(runsWords, 'step_after') }).press('Enter')
    await sees(page, say(runsWords, 'step_of', { n: 3, of: 4 }))
    await sees(page.getByRole('region', { name: say(runsWords, 'steps') }), 'Thank you')
    expect(await findFlaws(page)).toEqual([])
  },
)

test('the steps of a run are listed below each other on a phone', async () => {
  const at = `runs/${runId}?view=map`
  const { page } = await openRuns({ at, language: 'ar', width: 360, height: 740 })
  await page.getByText('Thank you').first().waitFor()
  expect(await page.locator('[data-key="tell"]').count()).toBe(0)
  expect(await findFlaws(page)).toEqual([])
})

test('the steps of a run are deleted after 31 days, and the page says since when', async () => {
  const id = await leave()
  world.clock.advance(31 * DAY_MS)
  await world.service.sweep()
  const { page } = await open({ at: `assistant/replies/${id}` })
  const said = page.getByText('Steps and instructions were deleted on')
  expect(await appears(said)).toBe(true)
})
