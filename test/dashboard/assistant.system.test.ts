/** What the assistant is told, what it knows and which models answer, in a real browser. Spec: Assistant › Settings; Assistant › Knowledge; Assistant › Models. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { knowledgeWords } from '../../src/dashboard/assistant/knowledge/words.ts'
import type { AssistantView } from '../../src/contract/dashboard/assistant.ts'
import { dashboardOf, findFlaws, HOSTILE, LOOKS } from '../support/dashboard-page.ts'
import type { Member } from '../support/dashboard.ts'
import type { Shop } from '../support/shop.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { openWorld } from '../support/open-world.ts'
import type { OperatorModel } from '../../src/modules/models/model-access.ts'
import { addModel, askAs } from '../models/models-world.ts'
import { call, refuse, say } from '../support/model-turns.ts'
import { startModelServer } from '../support/model-server.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'

const KEY = 'sk-live-never-shown-1234'

let shop: Shop
let owner: Member
let at: string
let operator: OperatorModel | null = null
const world = await openWorld({ operatorModel: () => operator })
const server = await startModelServer({ tls: world.receiver.authority })
afterAll(() => server.close())
beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
  at = `/companies/${shop.companyId}/assistant`
  server.otherwise = call('read_line', { line: 7 })
  operator = null
})
const open = dashboardOf(world, () => shop)
const show = async () => (await owner.ask<AssistantView>('GET', at)).body

test('is told who it is, saved, switched on, and says that it has no model', async () => {
  const { page } = await open({ at: 'assistant' })
  await page.getByText('Off', { exact: true }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Noor')
  await page.getByLabel('Business description').fill('Dresses by measure.')
  await page.getByText('Formal').click()
  await page.getByLabel('Fallback language').getByText('English').click()
  await page.getByLabel('Wait for more messages (seconds)').fill('5')
  await page.getByLabel('English, outside opening hours').fill('We open at nine.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  // What is written and not saved yet stays when it is switched on.
  await page.getByLabel('Guidance').fill('No discounts.')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('No model: the assistant is off and your team replies').waitFor()
  expect(await page.getByLabel('Guidance').inputValue()).toBe('No discounts.')
  expect(await show()).toMatchObject({
    isOn: true,
    name: 'Noor',
    profile: 'Dresses by measure.',
    guidance: '',
    tone: 'formal',
    language: 'en',
    debounceMs: 5_000,
    texts: { en: { inHours: null, outOfHours: 'We open at nine.' } },
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(show).toMatchObject({ guidance: 'No discounts.', revision: 3 })
})

test('what is too long stands at its field in Arabic, and what somebody else saved is shown', async () => {
  const { page } = await open({ at: 'assistant', language: 'ar' })
  await page.getByLabel('الاسم', { exact: true }).fill('ن'.repeat(61))
  await page.getByRole('button', { name: 'حفظ' }).click()
  await page.getByText('بقي تصحيح واحد').waitFor()
  await page.getByLabel('الاسم', { exact: true }).fill('نور')
  await owner.ask('PATCH', at, { revision: 0, name: 'Sami' })
  await page.getByRole('button', { name: 'حفظ' }).click()
  await page.getByText('حفظ شخص آخر هذه الإعدادات').waitFor()
  expect(await page.getByLabel('الاسم', { exact: true }).inputValue()).toBe('نور')
  await page.getByRole('button', { name: 'عرض الأحدث' }).click()
  expect(await page.getByLabel('الاسم', { exact: true }).inputValue()).toBe('Sami')
  expect(await findFlaws(page)).toEqual([])
})

test('an Agent reads it and can change nothing', async () => {
  const { page } = await open({ at: 'assistant', role: 'agent' })
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: /Save|Switch on/ }).count()).toBe(0)
})

test.each(LOOKS)('what was written is text, no barriers: $language $width', async (look) => {
  const texts = { inHours: HOSTILE, outOfHours: HOSTILE }
  await owner.ask('PATCH', at, {
    revision: 0,
    name: HOSTILE.slice(0, 60),
    profile: HOSTILE,
    guidance: HOSTILE,
    leadCriteria: HOSTILE,
    tags: [HOSTILE.slice(0, 50)],
    texts: { ar: texts, en: texts },
  })
  const { page } = await open({ at: 'assistant', ...look })
  expect(await findFlaws(page)).toEqual([])
})

test.each(LANGUAGES)(
  'knowledge is added, found, read again and switched off: %s',
  { timeout: 120_000 * TIMEOUT_FACTOR },
  async (language) => {
    const { page, say: spoken } = await open({ at: 'assistant/knowledge', language })
    const button = (name: keyof (typeof knowledgeWords)['en']) =>
      page.getByRole('button', { name: spoken(knowledgeWords, name), exact: true })
    const field = (name: keyof (typeof knowledgeWords)['en']) =>
      page.getByRole('textbox', { name: spoken(knowledgeWords, name), exact: true })
    await page.getByText(spoken(knowledgeWords, 'none'), { exact: true }).waitFor()
    expect(await findFlaws(page)).toEqual([])

    // A text is added, read beside the page, and its state says so by itself.
    await button('add_text').click()
    await field('text_title').fill('التوصيل داخل الرياض')
    await field('text_body').fill(`نوصل خلال يومين برسوم ٢٥ ريالا. ${HOSTILE}`)
    await button('add').click()
    const table = page.getByRole('table', { name: spoken(knowledgeWords, 'title') })
    await table.getByText(spoken(knowledgeWords, 'state_waiting')).waitFor()
    await world.service.processAll()
    await table.getByText(spoken(knowledgeWords, 'state_ready')).waitFor()

    // What a customer would write finds it.
    await field('try_label').fill('بكم التوصييل')
    await button('try_act').click()
    await page.getByText(/نوصل خلال يومين برسوم/).waitFor()
    await field('try_label').fill('do you repair phones')
    await button('try_act').click()
    await page.getByText(spoken(knowledgeWords, 'nothing_found')).waitFor()

    // A document that cannot be read says why, on a page of its own.
    await page.locator('input[type=file]').setInputFiles({
      name: 'prices.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(`%PDF-1.7 ${'junk'.repeat(100)}`),
    })
    await page.getByRole('heading', { name: 'prices' }).waitFor()
    await world.service.processAll()
    await page.getByRole('alert').getByText(spoken(knowledgeWords, 'failed_title')).waitFor()
    expect(await findFlaws(page)).toEqual([])
    await button('delete').click()
    await button('delete_act').click()
    await table.waitFor()
    await expect.poll(() => table.locator('tbody tr').count()).toBe(1)

    // The text is changed, and switched off.
    world.clock.advance(1_000)
    await table.getByRole('link', { name: 'التوصيل داخل الرياض' }).click()
    await field('text_body').fill('نوصل خلال ثلاثة أيام.')
    await button('save').click()
    await page.getByText(spoken(knowledgeWords, 'saved')).waitFor()
    await world.service.processAll()
    await page.getByRole('listitem').filter({ hasText: 'نوصل خلال ثلاثة أيام.' }).waitFor()
    await button('switch_off').click()
    await page.getByText(spoken(knowledgeWords, 'no_pieces')).waitFor()
    expect(await findFlaws(page)).toEqual([])
  },
)

test('a model is refused, added, tested and deleted; the host that gets customers’ texts is named', async () => {
  const { page } = await open({ at: 'assistant/models' })
  await page.getByText('No model: the assistant is off and your team replies').waitFor()
  const add = async (name: string) => {
    await page.getByRole('link', { name: 'Add model' }).click()
    await page.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'OpenAI-compatible' }).click()
    await page.getByLabel('Model name').fill(name)
    await page.getByLabel('Base URL').fill(server.baseUrl)
    await page.getByLabel('API key', { exact: true }).fill(KEY)
    await page.getByRole('button', { name: 'Test and add' }).click()
  }
  server.script(say('No tool.'))
  await add('small')
  await page.getByText(/didn’t use the tool/).waitFor()
  await page.getByRole('button', { name: 'Test and add' }).click()
  await page.getByRole('link', { name: 'small' }).waitFor()
  const { host } = new URL(server.baseUrl)
  await page.getByText(host).waitFor()
  await add('large')
  await page.getByRole('button', { name: /Move .*large.* up/ }).click()
  await page.locator('tbody tr').first().getByText('large').waitFor()

  await page.getByRole('link', { name: 'small' }).click()
  await page.getByText(/Customer messages are sent to/).waitFor()
  await page.getByText(/ending in .*1234/).waitFor()
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText(/The model used the tool/).waitFor()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Off').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'large' }).waitFor()
  await page.getByRole('link', { name: 'small' }).waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(KEY)
})

test('a model that does not let us in says so, in Arabic, until a test mends it', async () => {
  const { page, go } = await open({ language: 'ar' })
  await addModel(world, { accountId: shop.accountId, baseUrl: server.baseUrl, modelName: 'one' })
  server.script(refuse(401))
  await askAs(world, shop.accountId)
  await go('assistant/models')
  await page.getByText('لا يُستخدم').waitFor()
  await page.getByRole('link', { name: 'one' }).click()
  await page.getByText(/رفض خادم النموذج المفتاح/).waitFor()
  await page.getByRole('button', { name: 'إرسال سؤال الاختبار' }).click()
  await page.getByText(/استخدم النموذج الأداة/).waitFor()
  await go('assistant/models')
  await page.getByText('مفعّل', { exact: true }).waitFor()
  expect(await findFlaws(page)).toEqual([])
})

test('the scripted stand-in of the demonstration is called what it is; the Owner lowers the allowance', async () => {
  operator = {
    kind: 'openai_compatible',
    modelName: 'scripted (no language model)',
    baseUrl: 'http://127.0.0.1:9',
    key: null,
    isScripted: true,
  }
  const { page } = await open({ at: 'assistant/models' })
  await page.getByText('It isn’t a language model').waitFor()
  await page.getByLabel('Daily limit').fill('5000')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/of .?5,000/).waitFor()
  expect(await findFlaws(page)).toEqual([])
})
