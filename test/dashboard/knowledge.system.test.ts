/** What the assistant knows, filled and tried in a browser, in both languages. Spec: Assistant › Knowledge. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { knowledgeWords } from '../../src/dashboard/assistant/knowledge/words.ts'
import { findBarriers } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { spokenIn } from '../support/spoken.ts'

const HOSTILE = '"><img src=x onerror=globalThis.isHurt=true>'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  await world.close()
})

test.each(['en', 'ar'] as const)(
  '%s',
  async (language) => {
    const key = world.service.context.ids.token(6)
    const shop = await createShop(world, { phoneNumberId: key, businessAccountId: key })
    const { page, close, faults, go } = await openDashboard(world, { ...shop, language })
    const say = spokenIn(language)
    const button = (name: keyof (typeof knowledgeWords)['en']) =>
      page.getByRole('button', { name: say(knowledgeWords, name), exact: true })
    const field = (name: keyof (typeof knowledgeWords)['en']) =>
      page.getByRole('textbox', { name: say(knowledgeWords, name), exact: true })
    await go('assistant/knowledge')
    await page.getByText(say(knowledgeWords, 'none'), { exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])

    // A text is added, read beside the page, and its state says so by itself.
    await button('add_text').click()
    await field('text_title').fill('التوصيل داخل الرياض')
    await field('text_body').fill(`نوصل خلال يومين برسوم ٢٥ ريالا. ${HOSTILE}`)
    await button('add').click()
    const table = page.getByRole('table', { name: say(knowledgeWords, 'title') })
    await table.getByText(say(knowledgeWords, 'state_waiting')).waitFor()
    await world.service.processAll()
    await table.getByText(say(knowledgeWords, 'state_ready')).waitFor()

    // What a customer would write finds it.
    await field('try_label').fill('بكم التوصييل')
    await button('try_act').click()
    await page.getByText(/نوصل خلال يومين برسوم/).waitFor()
    await field('try_label').fill('do you repair phones')
    await button('try_act').click()
    await page.getByText(say(knowledgeWords, 'nothing_found')).waitFor()

    // A document that cannot be read says why, on a page of its own.
    await page.locator('input[type=file]').setInputFiles({
      name: 'prices.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(`%PDF-1.7 ${'junk'.repeat(100)}`),
    })
    await page.getByRole('heading', { name: 'prices' }).waitFor()
    await world.service.processAll()
    await page.getByRole('alert').getByText(say(knowledgeWords, 'failed_title')).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('delete').click()
    await button('delete_act').click()
    await table.waitFor()
    await expect.poll(() => table.locator('tbody tr').count()).toBe(1)

    // The text is changed, and switched off.
    world.clock.advance(1_000)
    await table.getByRole('link', { name: 'التوصيل داخل الرياض' }).click()
    await field('text_body').fill('نوصل خلال ثلاثة أيام.')
    await button('save').click()
    await page.getByText(say(knowledgeWords, 'saved')).waitFor()
    await world.service.processAll()
    await page.getByRole('listitem').filter({ hasText: 'نوصل خلال ثلاثة أيام.' }).waitFor()
    await button('switch_off').click()
    await page.getByText(say(knowledgeWords, 'no_pieces')).waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(faults).toEqual([])
    expect(await page.evaluate('globalThis.isHurt')).toBeUndefined()
    await close()
  },
  120_000,
)
