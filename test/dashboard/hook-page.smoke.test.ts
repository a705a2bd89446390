/** Fields mapped from a request that was refused, and a URL replaced or deleted, in both languages. Spec: Hooks › Setting up. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkWords } from '../../src/dashboard/flows/hook/words-checks.ts'
import { hookWords } from '../../src/dashboard/flows/hook/words.ts'
import { builderWords } from '../../src/dashboard/flows/words-builder.ts'
import { secretDialogWords } from '../../src/dashboard/parts/words-secret-dialog.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type { NewHookUrl } from '../../src/contract/dashboard/hook-url.ts'
import { askHook } from '../support/ask-hook.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { spokenIn, within } from '../support/spoken.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterAll(async () => {
  await world.close()
})

const LANGUAGES = ['en', 'ar'] as const

test.each(LANGUAGES)('mapped by clicks from what was refused: %s', async (language) => {
  const { page, close, member, faults, go } = await openDashboard(world, {
    ...shop,
    language,
  })
  const say = spokenIn(language)
  const flows = `/companies/${shop.companyId}/flows`
  const trigger = { kind: 'webhook', phonePath: 'phone', namePath: null, languagePath: null }
  const { id } = (
    await member.ask<FlowDetail>('POST', flows, {
      name: `By request ${language}`,
      draft: {
        channelId: shop.channelId,
        trigger: { ...trigger, keep: [] },
        start: 'end',
        steps: { end: { kind: 'end' } },
      },
    })
  ).body
  const made = await member.ask<NewHookUrl>('POST', `/companies/${shop.companyId}/hook-urls`, {
    flowId: id,
  })
  await go(`flows/${id}/hook`)
  await page.getByText(say(hookWords, 'nothing_yet')).waitFor()
  await askHook(made.body.url, {
    customer: { mobile: '0501234567', 'loyalty.tier': 'gold' },
    order: { id: 10_482 },
  })
  await page.getByText('409 flow_off').waitFor()
  await page.getByText(say(checkWords, 'flow_off')).waitFor()
  const unreachable = say(hookWords, 'unreachable', { name: 'loyalty.tier' })
  await page.getByText(within(unreachable)).waitFor()
  await page.getByText(say(hookWords, 'not_in_last')).first().waitFor()
  const use = (path: string, field: string) =>
    page.getByRole('button', { name: within(say(hookWords, 'use_path', { path, field })) })
  await use('customer.mobile', hookWords[language].phone).click()
  await page.getByText('+966501234567').waitFor()
  await page.getByRole('button', { name: say(hookWords, 'keep_another') }).click()
  await use('order.id', 'value_1').click()
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()
  const draft = async () =>
    (await member.ask<FlowDetail>('GET', `${flows}/${id}`)).body.draft!.definition.trigger
  await expect.poll(draft).toMatchObject({
    phonePath: 'customer.mobile',
    keep: [{ name: 'value_1', path: 'order.id' }],
  })
  expect(faults).toEqual([])
  await close()
})

test.each(LANGUAGES)('replaced after its name is typed, and shown once: %s', async (language) => {
  const own = world.service.context.ids.token(6)
  const other = await createShop(world, { phoneNumberId: own, businessAccountId: own })
  const { page, close, faults, go } = await openDashboard(world, { ...other, language })
  const say = spokenIn(language)
  await go(`flows/${other.flowId}/hook`)
  await page.getByRole('button', { name: say(hookWords, 'replace') }).click()
  const asked = page.getByRole('dialog', { name: say(hookWords, 'replace_question') })
  const replace = asked.getByRole('button', { name: say(hookWords, 'replace') })
  await asked.getByLabel(say(hookWords, 'replace_label')).fill('Order is')
  expect(await replace.isDisabled()).toBe(true)
  expect(await findBarriers(page)).toEqual([])
  await asked.getByLabel(say(hookWords, 'replace_label')).fill('Order is ready')
  await replace.click()
  const shown = page.getByRole('dialog', { name: say(hookWords, 'created_title') })
  const url = (await shown.locator('code').first().textContent())!
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await shown.isVisible()).toBe(true)
  await shown.getByLabel(say(secretDialogWords, 'secret_stored')).check()
  await shown.getByRole('button', { name: say(partsWords, 'close') }).click()
  await shown.waitFor({ state: 'detached' })
  await page.getByText(say(hookWords, 'replaced')).waitFor()
  expect(await page.getByText(url).count()).toBe(0)
  expect((await askHook(other.hookUrl)).http).toBe(404)
  expect((await askHook(url)).http).toBe(202)
  expect(faults).toEqual([])
  await close()
})

test.each(LANGUAGES)('deleted after what follows is told, and made anew: %s', async (language) => {
  const own = world.service.context.ids.token(6)
  const other = await createShop(world, { phoneNumberId: own, businessAccountId: own })
  const { page, close, faults, go } = await openDashboard(world, {
    ...other,
    language,
    ...(language === 'ar' && { width: 360, height: 740 }),
  })
  const say = spokenIn(language)
  await go(`flows/${other.flowId}/hook`)
  expect(await overflowOf(page)).toBe(0)
  await page.getByRole('button', { name: say(hookWords, 'delete') }).click()
  const asked = page.getByRole('dialog', { name: say(hookWords, 'delete_question') })
  const remove = asked.getByRole('button', { name: say(hookWords, 'delete') })
  await asked.getByText(say(hookWords, 'delete_text', { name: 'Order is ready' })).waitFor()
  expect(await remove.isDisabled()).toBe(true)
  await asked.getByLabel(say(hookWords, 'replace_label')).fill('Order is ready')
  expect(await findBarriers(page)).toEqual([])
  await remove.click()
  await page.getByText(say(hookWords, 'no_url')).waitFor()
  expect((await askHook(other.hookUrl)).http).toBe(404)
  await page.getByRole('button', { name: say(hookWords, 'create') }).click()
  const shown = page.getByRole('dialog', { name: say(hookWords, 'created_title') })
  expect((await askHook((await shown.locator('code').first().textContent())!)).http).toBe(202)
  expect(faults).toEqual([])
  await close()
})

test('two who map one hook are told of each other, and one of the two drafts is chosen', async () => {
  const { page, close, member, go } = await openDashboard(world, { ...shop, language: 'en' })
  const path = `/companies/${shop.companyId}/flows/${shop.flowId}`
  const { published } = (await member.ask<FlowDetail>('GET', path)).body
  const { definition } = published!
  await go(`flows/${shop.flowId}/hook`)
  world.clock.advance(1_000)
  const theirs = { ...definition, trigger: { ...definition.trigger, namePath: 'theirs' } }
  expect((await member.ask('PUT', `${path}/draft`, theirs)).status).toBe(200)
  await page.getByRole('main').getByRole('textbox').first().fill('mine')
  const say = spokenIn('en')
  await page.getByRole('button', { name: say(builderWords, 'keep_mine') }).click()
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()
  const { draft } = (await member.ask<FlowDetail>('GET', path)).body
  expect(draft!.definition.trigger).not.toMatchObject({ namePath: 'theirs' })
  expect(JSON.stringify(draft!.definition.trigger)).toContain('mine')
  await close()
})
