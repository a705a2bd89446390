/**
 * The assistant as a merchant uses it, in a real browser: they add knowledge, try it out, and customers write. The
 * traces say why each answer was as it was. Spec: Assistant › Trace; Assistant › Trying it out.
 */
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { knowledgeWords } from '../../src/dashboard/assistant/knowledge/words.ts'
import { repliesWords } from '../../src/dashboard/assistant/replies/words.ts'
import { replyStepWords } from '../../src/dashboard/assistant/replies/words-steps.ts'
import { trialWords } from '../../src/dashboard/assistant/trial/words.ts'
import { composerWords } from '../../src/dashboard/inbox/words-composer.ts'
import { threadWords } from '../../src/dashboard/inbox/words-thread.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import type { Language } from '../../src/core/vocabulary/hooks.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { type AssistedShop, type Customer, openAssisted } from '../support/assistant.ts'
import {
  appears,
  dashboardOf,
  type DashboardPage,
  findFlaws,
  HOSTILE,
  LOOKS,
  openDashboard,
} from '../support/dashboard-page.ts'
import { signedIn } from '../support/dashboard.ts'
import { call, say } from '../support/model-turns.ts'
import { connectApi, json, startShopApi } from '../support/shop-api.ts'
import { within } from '../support/spoken.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { putConversation } from '../support/records/conversations.ts'
import { follow, press, sees } from '../support/page-steps.ts'

const QUESTION = 'كم سعر التوصيل؟'
const ANSWER = 'التوصيل داخل الرياض مجاني.'
const BETTER = 'التوصيل داخل الرياض مجاني، ويصل خلال يومين.'
const PROPOSED = [call('action_cancel_order', { order: '1043' }), say('لحظة من فضلك:')] as const
const STATED = 'هل نلغي الطلب 1043؟'

const assisted = await openAssisted()
const api = await startShopApi(assisted.world)
api.reply(json(200, { order: { status: 'cancelled' } }))
afterAll(() => api.close())

/** A shop whose assistant may cancel orders, once the customer agreed. */
async function openShop(): Promise<AssistedShop> {
  const shop = await assisted.openShop()
  const { companyId, accountId } = shop
  const id = await connectApi(assisted.world, { companyId, baseUrl: api.baseUrl })
  const owner = await signedIn(assisted.world, { accountId })
  const made = await owner.ask('POST', `/companies/${companyId}/actions`, {
    toolName: 'cancel_order',
    description: 'Cancels an order that was not sent yet.',
    request: actionRequest(id, { method: 'POST', path: '/cancel', body: '{"n":"{{args.order}}"}' }),
    parameters: [ORDER],
    shown: [{ label: 'Status', path: 'order.status' }],
    statement: { en: null, ar: 'هل نلغي الطلب {{args.order}}؟' },
  })
  expect(made.status).toBe(201)
  return shop
}

type Walk = DashboardPage & { shop: AssistedShop }

async function begin(language: Language): Promise<Walk> {
  const shop = await openShop()
  return { ...(await openDashboard(assisted.world, { ...shop, language })), shop }
}

/** Writes a text as the customer, and lets the assistant answer it. */
async function hears(customer: Customer, text: string): Promise<void> {
  await customer.says(text)
  await assisted.pass(3 * SECOND_MS)
  await assisted.pass(SECOND_MS)
}

async function taps(customer: Customer, buttonIndex: number): Promise<void> {
  assisted.whatsApp.simulator.tapButton({ from: customer.phone, buttonIndex })
  await assisted.whatsApp.simulator.idle()
  await assisted.pass(SECOND_MS)
}

const button = (page: Page, name: RegExp) => page.getByRole('button', { name })

async function addText({ page, go, say: spoken }: Walk): Promise<void> {
  await go('assistant/knowledge')
  await button(page, spoken(knowledgeWords, 'add_text')).click()
  await page.getByLabel(spoken(knowledgeWords, 'text_title')).fill('التوصيل')
  await page.getByRole('textbox', { name: spoken(knowledgeWords, 'text_body') }).fill(ANSWER)
  await button(page, spoken(knowledgeWords, 'add')).click()
  await page.getByRole('link', { name: 'التوصيل' }).waitFor()
  await assisted.world.service.processAll()
  await sees(page.getByRole('table'), spoken(knowledgeWords, 'state_ready'))
}

/** Opens the trace of the newest reply. */
async function readWhy({ page, go, say: spoken }: Walk, words: keyof typeof replyStepWords.en) {
  await go('assistant/replies')
  await page.getByRole('row').nth(1).click()
  const heading = within(spoken(replyStepWords, words))
  await page.getByRole('heading', { name: heading }).first().waitFor()
}

/** Expects an answer from the knowledge that was added, and its trace. */
async function isAnswered(walk: Walk, customer: Customer): Promise<void> {
  assisted.model.script(call('search_knowledge', { wordings: [QUESTION] }), say(`${ANSWER} [1]`))
  await hears(customer, QUESTION)
  expect(await customer.got()).toEqual([ANSWER])
  await readWhy(walk, 'tool_search_knowledge')
  const cited = walk.page.getByText(walk.say(replyStepWords, 'cited'))
  await expect.poll(() => cited.count()).toBe(1)
  expect(await findFlaws(walk.page)).toEqual([])
}

/** Refuses by a button, and no request is made; then agrees, and the order is cancelled. */
async function isAskedFirst(walk: Walk, customer: Customer): Promise<void> {
  api.requests.length = 0
  assisted.model.script(...PROPOSED, say('حسنًا، يبقى كل شيء كما هو.'))
  await hears(customer, 'ألغوا الطلب 1043')
  expect((await customer.got()).at(-1)).toContain(STATED)
  await taps(customer, 1)
  await readWhy(walk, 'agreement_withdrawn')
  await sees(walk.page, walk.say(replyStepWords, 'agreement_refused'))
  expect(api.requests).toEqual([])
  assisted.model.script(...PROPOSED, say('تم إلغاء طلبك.'))
  await hears(customer, 'ألغوا الطلب 1043')
  await taps(customer, 0)
  expect(api.requests.map(({ body }) => body)).toEqual(['{"n":"1043"}'])
  expect((await customer.got()).at(-1)).toBe('تم: نلغي الطلب 1043.\n\nتم إلغاء طلبك.')
  await readWhy(walk, 'agreement_agreed')
  await sees(walk.page, STATED, walk.say(replyStepWords, 'agreement_done'))
}

/** Asks for a person as the customer: a member answers until they give the conversation back. */
async function isTakenOver(walk: Walk, customer: Customer): Promise<void> {
  const { page, go, say: spoken } = walk
  await hears(customer, 'أريد التحدث مع موظف')
  await go('inbox?tab=unassigned')
  await page.getByText('Sara').first().click()
  await button(page, spoken(threadWords, 'assign_me')).click()
  await page.getByLabel(spoken(composerWords, 'reply'), { exact: true }).last().fill('أهلًا بك.')
  await button(page, within(spoken(composerWords, 'send'))).click()
  const heardLast = async () => {
    await assisted.pass(SECOND_MS)
    return (await customer.got()).at(-1)
  }
  await expect.poll(heardLast).toBe('أهلًا بك.')
  await button(page, spoken(threadWords, 'give_back_assistant')).click()
  await sees(page, within(spoken(composerWords, 'assistant_has_it')))
  await readWhy(walk, 'handed_over')
}

/** Writes down the better answer, and makes a question of the knowledge from it. */
async function isCorrected({ page, go, say: spoken }: Walk): Promise<void> {
  await go('assistant/replies')
  await page.getByRole('row').last().click()
  await button(page, spoken(repliesWords, 'no')).click()
  await page.getByLabel(spoken(repliesWords, 'what_instead')).fill(BETTER)
  await button(page, spoken(repliesWords, 'save_feedback')).click()
  await button(page, spoken(repliesWords, 'make_question')).click()
  const question = page.getByLabel(spoken(repliesWords, 'faq_question'))
  expect(await question.inputValue()).toBe(QUESTION)
  expect(await page.getByLabel(spoken(repliesWords, 'faq_answer')).inputValue()).toBe(BETTER)
  expect(await findFlaws(page)).toEqual([])
  await button(page, spoken(repliesWords, 'add_question')).click()
  await sees(page, spoken(repliesWords, 'question_added'))
  await assisted.world.service.processAll()
  await go('assistant/knowledge')
  await follow(page, QUESTION)
  await page.getByRole('heading', { name: QUESTION }).waitFor()
  await sees(page, spoken(knowledgeWords, 'state_ready'))
}

/** Asks for a cancellation in a trial, which shows the question to the customer and makes no request. */
async function isTried({ page, go, say: spoken }: Walk): Promise<boolean> {
  api.requests.length = 0
  assisted.model.script(...PROPOSED)
  await go('assistant/try')
  await page.getByLabel(spoken(trialWords, 'as_customer')).fill('ألغوا الطلب 1043')
  await button(page, spoken(trialWords, 'ask')).click()
  await page.getByText(STATED).first().waitFor()
  await sees(page, spoken(trialWords, 'asks'))
  await page.locator('main details summary').first().click()
  await page.getByRole('heading', { name: /action_cancel_order/ }).waitFor()
  expect(await findFlaws(page)).toEqual([])
  return api.requests.length === 0
}

test(
  'the assistant learns, answers, asks first, hands over, is corrected and tried',
  { timeout: 120_000 * TIMEOUT_FACTOR },
  async () => {
    const walk = await begin('en')
    const customer = walk.shop.customer()
    await addText(walk)
    await isAnswered(walk, customer)
    await isAskedFirst(walk, customer)
    await isTakenOver(walk, customer)
    await isCorrected(walk)
    expect(await isTried(walk)).toBe(true)
  },
)

test(
  'the assistant learns, answers, hands over and is tried in Arabic',
  { timeout: 120_000 * TIMEOUT_FACTOR },
  async () => {
    const walk = await begin('ar')
    const customer = walk.shop.customer()
    await addText(walk)
    await isAnswered(walk, customer)
    await isTakenOver(walk, customer)
    expect(await isTried(walk)).toBe(true)
  },
)

const tried = await assisted.openShop()
const open = dashboardOf(assisted.world, tried)

test('an Owner asks as a customer, and sees the answer and the actions that were only shown', async () => {
  const { page } = await open({ at: 'assistant/try' })
  await page.getByLabel('Guidance').fill('Never speak of discounts.')
  assisted.model.script(call('record_lead', { score: 80 }), say('We have two left.'))
  await page.getByLabel('Write as the customer').fill('Do you have the blue dress?')
  await page.getByLabel('Write as the customer').press('Enter')
  await page.getByText('We have two left.').first().waitFor()
  await page.getByText('Why, and what was only simulated').click()
  await sees(page, 'Recorded a lead')
  assisted.model.script(call('hand_over', { reason: 'customer_upset' }, 'A colleague comes.'))
  await page.getByLabel('Write as the customer').fill('This takes far too long!')
  await press(page, /^Send$/)
  expect(await appears(page.getByText('Would hand over'))).toBe(true)
})

test.each(LOOKS)('a trial shows text, no barriers: $language $width', async (look) => {
  const { page } = await open({ at: 'assistant/try', ...look })
  assisted.model.script(call('search_knowledge', { wordings: [HOSTILE] }), say(HOSTILE))
  await page.locator('main form textarea').fill(HOSTILE)
  await page.locator('main form textarea').press('Enter')
  await page.locator('main details summary').first().click()
  expect(await findFlaws(page)).toEqual([])
})

test('an Agent is given a suggestion in Arabic, and sends it or not', async () => {
  const customer = tried.customer()
  await customer.says('بكم التوصيل؟')
  const { id } = await customer.conversation()
  await putConversation(assisted.world, id, { handledBy: 'staff' })
  const at = `inbox/${encodeURIComponent(id)}`
  const { page } = await open({ at, role: 'agent', language: 'ar' })
  assisted.model.script(say('التوصيل مجاني.'))
  await press(page, 'اقتراح رد')
  const field = page.getByLabel('رد', { exact: true })
  await field.and(page.locator(':not(:placeholder-shown)')).waitFor()
  expect(await field.inputValue()).toBe('التوصيل مجاني.')
  expect(await customer.got()).toEqual([])
})
