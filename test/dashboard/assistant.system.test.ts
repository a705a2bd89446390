/** The settings of the assistant, its knowledge and its models, in a real browser. Spec: Assistant › Settings; Assistant › Knowledge; Assistant › Models. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { knowledgeWords } from '../../src/dashboard/assistant/knowledge/words.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
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
import { chooseOption, fill, follow, press, sees } from '../support/page-steps.ts'

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

test('the assistant is described, saved and switched on, and says that it has no model', async () => {
  const { page } = await open({ at: 'assistant' })
  await sees(page, /^Off$/)
  await fill(page, [
    [/^Name$/, 'Noor'],
    ['Business description', 'Dresses by measure.'],
  ])
  await page.getByText('Formal').click()
  await page.getByLabel('Fallback language').getByText('English').click()
  await page.getByLabel('Wait for more messages (seconds)').fill('5')
  await page.getByLabel('English, outside opening hours').fill('We open at nine.')
  await press(page, 'Save')
  await sees(page, /^Saved$/)
  // Text that is written but not saved yet stays when the assistant is switched on.
  await page.getByLabel('Guidance').fill('No discounts.')
  await press(page, 'Switch on')
  await sees(page, 'No model: the assistant is off and your team replies')
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
  await press(page, 'Save')
  await expect.poll(show).toMatchObject({ guidance: 'No discounts.', revision: 3 })
})

test('text that is too long is marked at its field in Arabic, and what another member saved is shown', async () => {
  const { page } = await open({ at: 'assistant', language: 'ar' })
  await page.getByLabel('الاسم', { exact: true }).fill('ن'.repeat(61))
  await press(page, 'حفظ')
  await sees(page, 'بقي تصحيح واحد')
  await page.getByLabel('الاسم', { exact: true }).fill('نور')
  await owner.ask('PATCH', at, { revision: 0, name: 'Sami' })
  await press(page, 'حفظ')
  await sees(page, 'حفظ شخص آخر هذه الإعدادات')
  expect(await page.getByLabel('الاسم', { exact: true }).inputValue()).toBe('نور')
  await press(page, 'عرض الأحدث')
  expect(await page.getByLabel('الاسم', { exact: true }).inputValue()).toBe('Sami')
  expect(await findFlaws(page)).toEqual([])
})

test('an Agent reads the settings of the assistant and can change nothing', async () => {
  const { page } = await open({ at: 'assistant', role: 'agent' })
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: /Save|Switch on/ }).count()).toBe(0)
})

test.each(LOOKS)('settings are text, no barriers: $language $width', async (look) => {
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

    // A text is added and read next to the page, and its state updates automatically.
    await button('add_text').click()
    await field('text_title').fill('التوصيل داخل الرياض')
    await field('text_body').fill(`نوصل خلال يومين برسوم ٢٥ ريالا. ${HOSTILE}`)
    await button('add').click()
    const table = page.getByRole('table', { name: spoken(knowledgeWords, 'title') })
    await sees(table, spoken(knowledgeWords, 'state_waiting'))
    await world.service.processAll()
    await sees(table, spoken(knowledgeWords, 'state_ready'))

    // The words of a customer find it.
    await field('try_label').fill('بكم التوصييل')
    await button('try_act').click()
    await sees(page, /نوصل خلال يومين برسوم/)
    await field('try_label').fill('do you repair phones')
    await button('try_act').click()
    await sees(page, spoken(knowledgeWords, 'nothing_found'))

    // A document that cannot be read says why, on a separate page.
    await page.locator('input[type=file]').setInputFiles({
      name: 'prices.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(`%PDF-1.7 ${'junk'.repeat(100)}`),
    })
    await page.getByRole('heading', { name: 'prices' }).waitFor()
    await world.service.processAll()
    await sees(page.getByRole('alert'), spoken(knowledgeWords, 'failed_title'))
    expect(await findFlaws(page)).toEqual([])
    await button('delete').click()
    await button('delete_act').click()
    await table.waitFor()
    await expect.poll(() => table.locator('tbody tr').count()).toBe(1)

    // The text is changed, and switched off.
    world.clock.advance(1_000)
    await follow(table, 'التوصيل داخل الرياض')
    await field('text_body').fill('نوصل خلال ثلاثة أيام.')
    await press(page, spoken(partsWords, 'save'))
    await sees(page, spoken(knowledgeWords, 'saved'))
    await world.service.processAll()
    await page.getByRole('listitem').filter({ hasText: 'نوصل خلال ثلاثة أيام.' }).waitFor()
    await button('switch_off').click()
    await sees(page, spoken(knowledgeWords, 'no_pieces'))
    expect(await findFlaws(page)).toEqual([])
  },
)

test('a model is refused, added, tested and deleted; the host that gets customers’ texts is named', async () => {
  const { page } = await open({ at: 'assistant/models' })
  await sees(page, 'No model: the assistant is off and your team replies')
  const add = async (name: string) => {
    await follow(page, 'Add model')
    await chooseOption(page, 'Provider', 'OpenAI-compatible')
    await fill(page, [
      ['Model name', name],
      ['Base URL', server.baseUrl],
      [/^API key$/, KEY],
    ])
    await press(page, 'Test and add')
  }
  server.script(say('No tool.'))
  await add('small')
  await sees(page, /didn’t use the tool/)
  await press(page, 'Test and add')
  await page.getByRole('link', { name: 'small' }).waitFor()
  const { host } = new URL(server.baseUrl)
  await sees(page, host)
  await add('large')
  await press(page, /Move .*large.* up/)
  await sees(page.locator('tbody tr').first(), 'large')

  await follow(page, 'small')
  await sees(page, /Customer messages are sent to/, /ending in .*1234/)
  await press(page, 'Run test')
  await sees(page, /The model used the tool/)
  await press(page, 'Switch off')
  await sees(page, 'Off')
  await press(page, /^Delete$/)
  await press(page.getByRole('dialog'), 'Delete')
  await page.getByRole('link', { name: 'large' }).waitFor()
  await page.getByRole('link', { name: 'small' }).waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(KEY)
})

test('a model that refuses the key says so, in Arabic, until a test succeeds', async () => {
  const { page, go } = await open({ language: 'ar' })
  await addModel(world, { accountId: shop.accountId, baseUrl: server.baseUrl, modelName: 'one' })
  server.script(refuse(401))
  await askAs(world, shop.accountId)
  await go('assistant/models')
  await sees(page, 'لا يُستخدم')
  await follow(page, 'one')
  await sees(page, /رفض خادم النموذج المفتاح/)
  await press(page, 'إرسال سؤال الاختبار')
  await sees(page, /استخدم النموذج الأداة/)
  await go('assistant/models')
  await sees(page, /^مفعّل$/)
  expect(await findFlaws(page)).toEqual([])
})

test('the scripted stand-in of the demonstration is labelled as one; the Owner lowers the allowance', async () => {
  operator = {
    kind: 'openai_compatible',
    modelName: 'scripted (no language model)',
    baseUrl: 'http://127.0.0.1:9',
    key: null,
    isScripted: true,
  }
  const { page } = await open({ at: 'assistant/models' })
  await sees(page, 'It isn’t a language model')
  await page.getByLabel('Daily limit').fill('5000')
  await press(page, 'Save')
  await sees(page, /of .?5,000/)
  expect(await findFlaws(page)).toEqual([])
})
