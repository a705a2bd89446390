/** A flow is drawn, published and run, with the mouse and with the keyboard alone. Its fields are mapped from a refused request, and its URL is replaced and deleted, in both languages. Spec: Flows › Steps; Flows › Triggers; Hooks › Setting up. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { runStatusWords } from '../../src/core/words/run-status-words.ts'
import { appWords } from '../../src/dashboard/frame/words.ts'
import { builderWords } from '../../src/dashboard/flows/words-builder.ts'
import { formWords } from '../../src/dashboard/flows/words-forms.ts'
import { stepWords } from '../../src/dashboard/flows/words-steps.ts'
import { triggerWords } from '../../src/dashboard/flows/words-triggers.ts'
import { flowsWords } from '../../src/dashboard/flows/words.ts'
import { runsWords } from '../../src/dashboard/runs/words.ts'
import type { FlowDetail, FlowView } from '../../src/contract/dashboard/flow.ts'
import type { Page as ListPage } from '../../src/contract/dashboard/page.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { appears, findFlaws, firstOf, openDashboard } from '../support/dashboard-page.ts'
import type { Member } from '../support/dashboard.ts'
import { hasFocus, tabTo } from '../support/keyboard.ts'
import { type ConnectedShop, newPhone } from '../support/simulator.ts'
import { type Spoken, within } from '../support/spoken.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { checkWords } from '../../src/dashboard/flows/hook/words-checks.ts'
import { hookWords } from '../../src/dashboard/flows/hook/words.ts'
import { secretDialogWords } from '../../src/dashboard/parts/words-secret-dialog.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
import type { NewHookUrl } from '../../src/contract/dashboard/hook-url.ts'
import { postHook } from '../support/post-hook.ts'
import { createOwnShop, orderDraft } from '../support/shop.ts'
import { press, sees } from '../support/page-steps.ts'

const { world, whatsApp } = await openWhatsApp()

async function publishedOf(member: Member, shop: ConnectedShop, name: string) {
  const flows = `/companies/${shop.companyId}/flows`
  const list = (await member.ask<ListPage<FlowView>>('GET', `${flows}?limit=100`)).body
  const { id } = list.items.find((flow) => flow.name === name)!
  return (await member.ask<FlowDetail>('GET', `${flows}/${id}`)).body.published!.definition
}

/**
 * Expects that the customer's keyword starts the flow, whose answer reaches their phone, and that the run is listed.
 */
async function expectToRun(
  page: Page,
  say: Spoken,
  shop: ConnectedShop,
  { flow, answer }: { flow: string; answer(phone: string): string },
) {
  const from = newPhone()
  whatsApp.simulator.sendText({ from, phoneNumberId: shop.phoneNumberId, text: 'thanks' })
  await whatsApp.settle()
  const told = whatsApp.simulator.messages().filter(({ to }) => `+${to}` === from)
  expect(told.map(({ text }) => text)).toEqual([answer(from)])
  await firstOf(page, 'link', say(appWords, 'runs')).click()
  const run = page.getByRole('row').filter({ hasText: flow })
  await sees(run, say(runStatusWords, 'completed'))
  await run.getByRole('link').first().click()
  await page.getByRole('heading', { name: flow }).waitFor()
  const steps = page.getByRole('list', { name: say(runsWords, 'steps') })
  await sees(steps, answer(from))
  await expect.poll(() => steps.getByText(say(runsWords, 'step_done')).count()).toBe(2)
}

test.each(LANGUAGES)('a flow is drawn and run with the mouse: %s', async (language) => {
  const shop = await whatsApp.openShop()
  const { page, member, say } = await openDashboard(world, { ...shop, language, at: 'flows' })
  await firstOf(page, 'button', say(flowsWords, 'new_flow')).click()
  await page.getByLabel(say(flowsWords, 'name')).fill('Thanks')
  await press(page, say(flowsWords, 'create'))
  const panel = page.getByRole('complementary')
  await panel.getByLabel(say(builderWords, 'starts_by')).click()
  await page.getByRole('option', { name: say(triggerWords, 'keyword') }).click()
  await panel.getByLabel(say(formWords, 'keywords')).fill('thanks')
  await panel.getByLabel(say(formWords, 'keywords')).press('Enter')
  await firstOf(page, 'button', say(builderWords, 'add_here')).click()
  await press(panel, say(stepWords, 'send_message'))
  // The draft is saved before the problems are shown, and a problem leads to its field.
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()
  await firstOf(page, 'button', say(builderWords, 'go_to_step')).click()
  const text = panel.getByLabel(say(formWords, 'text'))
  await expect.poll(() => hasFocus(text)).toBe(true)
  await page.keyboard.type('You are welcome, ')
  await press(panel, say(formWords, 'insert', { name: 'contact.phone' }))
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()
  await sees(page, say(builderWords, 'no_problems'))
  // Any box of the map opens by a click on it.
  const map = page.getByRole('group', { name: say(builderWords, 'map') })
  await map.locator('[data-key=trigger]').click()
  await panel.getByLabel(say(formWords, 'keywords')).waitFor()
  await map.locator('[data-key=send_message]').click()
  await text.waitFor()
  const publish = say(builderWords, 'publish_version', { n: 1 })
  await press(page, publish)
  await press(page.getByRole('dialog'), publish)
  await appears(page.getByText(say(builderWords, 'version_live', { n: 1 })).first())
  const { trigger, steps } = await publishedOf(member, shop, 'Thanks')
  expect(trigger).toMatchObject({ kind: 'keyword', words: ['thanks'] })
  expect(Object.values(steps)).toMatchObject([
    { kind: 'end' },
    { kind: 'send_message', text: 'You are welcome, {{contact.phone}}', next: 'end' },
  ])
  await expectToRun(page, say, shop, {
    flow: 'Thanks',
    answer: (phone) => `You are welcome, ${phone}`,
  })
})

/** Moves down an open list until the option is the one that Enter chooses. */
async function choose(page: Page, option: Locator): Promise<void> {
  await page.keyboard.press('Enter')
  await option.waitFor()
  for (let at = 0; at < 20; at += 1) {
    if ((await option.getAttribute('data-combobox-selected')) === 'true') break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

test.each(LANGUAGES)('a flow is drawn and run with the keyboard alone: %s', async (language) => {
  const shop = await whatsApp.openShop()
  const { page, member, go, say } = await openDashboard(world, { ...shop, language })
  const { keyboard } = page
  await go('flows')
  await tabTo(page, page.getByRole('button', { name: say(flowsWords, 'new_flow') }).first())
  await keyboard.press('Enter')
  await expect.poll(() => hasFocus(page.getByLabel(say(flowsWords, 'name')))).toBe(true)
  await keyboard.type('Keys')
  await keyboard.press('Enter')

  const panel = page.getByRole('complementary')
  await tabTo(page, panel.getByLabel(say(builderWords, 'starts_by')))
  await choose(page, page.getByRole('option', { name: say(triggerWords, 'keyword') }))
  await tabTo(page, panel.getByLabel(say(formWords, 'keywords')))
  await keyboard.type('thanks')
  await keyboard.press('Enter')

  // Back to the map: the arrows go from step to step, + adds one before.
  const map = page.getByRole('group', { name: say(builderWords, 'map') })
  await tabTo(page, map.locator('[data-key]').first(), 'Shift+Tab')
  await keyboard.press('ArrowDown')
  await expect.poll(() => hasFocus(map.locator('[data-key=end]'))).toBe(true)
  await keyboard.press('+')
  const kind = panel.getByRole('button', { name: say(stepWords, 'send_message') })
  await tabTo(page, panel.getByRole('searchbox'))
  await keyboard.type(stepWords[language].send_message.slice(0, -1))
  await tabTo(page, kind)
  await keyboard.press('Enter')
  await tabTo(page, panel.getByLabel(say(formWords, 'text')))
  await keyboard.type('You are welcome')
  await sees(page, say(builderWords, 'no_problems'))
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()

  const publish = say(builderWords, 'publish_version', { n: 1 })
  await tabTo(page, page.getByRole('button', { name: publish }), 'Shift+Tab')
  await keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: publish }))
  await keyboard.press('Enter')
  await appears(page.getByText(say(builderWords, 'version_live', { n: 1 })).first())
  expect((await publishedOf(member, shop, 'Keys')).trigger).toMatchObject({ words: ['thanks'] })
  await expectToRun(page, say, shop, { flow: 'Keys', answer: () => 'You are welcome' })
})

const hooked = await createOwnShop(world)

test.each(LANGUAGES)('the fields of a refused request are mapped: %s', async (language) => {
  const { page, member, go, say } = await openDashboard(world, { ...hooked, language })
  const company = `/companies/${hooked.companyId}`
  const flows = `${company}/flows`
  const paths = { phonePath: 'phone', namePath: null, languagePath: null, keep: [] }
  const trigger = { kind: 'webhook', ...paths }
  const draft = orderDraft(hooked, { trigger, start: 'end', steps: { end: { kind: 'end' } } })
  const name = `By request ${language}`
  const { id } = (await member.ask<FlowDetail>('POST', flows, { name, draft })).body
  const made = await member.ask<NewHookUrl>('POST', `${company}/hook-urls`, { flowId: id })
  await go(`flows/${id}/hook`)
  await sees(page, say(hookWords, 'nothing_yet'))
  await postHook(made.body.url, {
    customer: { mobile: '0501234567', 'loyalty.tier': 'gold' },
    order: { id: 10_482 },
  })
  await sees(page, '409 flow_off', say(checkWords, 'flow_off'))
  const unreachable = say(hookWords, 'unreachable', { name: 'loyalty.tier' })
  await sees(page, within(unreachable))
  await page.getByText(say(hookWords, 'not_in_last')).first().waitFor()
  const use = (path: string, field: string) =>
    page.getByRole('button', { name: within(say(hookWords, 'use_path', { path, field })) })
  await use('customer.mobile', hookWords[language].phone).click()
  await sees(page, '+966501234567')
  await press(page, say(hookWords, 'keep_another'))
  await use('order.id', 'value_1').click()
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()
  const saved = async () =>
    (await member.ask<FlowDetail>('GET', `${flows}/${id}`)).body.draft!.definition.trigger
  await expect.poll(saved).toMatchObject({
    phonePath: 'customer.mobile',
    keep: [{ name: 'value_1', path: 'order.id' }],
  })
})

test.each([{ language: 'en' }, { language: 'ar', width: 360, height: 740 }] as const)(
  'the URL of a hook is replaced and shown once, deleted, and made again: $language',
  async (look) => {
    const other = await createOwnShop(world)
    const at = `flows/${other.flowId}/hook`
    const { page, say } = await openDashboard(world, { ...other, ...look, at })
    expect(await findFlaws(page)).toEqual([])
    await press(page, say(hookWords, 'replace'))
    const asked = page.getByRole('dialog', { name: say(hookWords, 'replace_question') })
    const replace = asked.getByRole('button', { name: say(hookWords, 'replace') })
    await asked.getByLabel(say(hookWords, 'replace_label')).fill('Order is')
    expect(await replace.isDisabled()).toBe(true)
    expect(await findFlaws(page)).toEqual([])
    await asked.getByLabel(say(hookWords, 'replace_label')).fill('Order is ready')
    await replace.click()
    const shown = page.getByRole('dialog', { name: say(hookWords, 'created_title') })
    const url = (await shown.locator('code').first().textContent())!
    expect(await findFlaws(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await shown.isVisible()).toBe(true)
    await shown.getByLabel(say(secretDialogWords, 'secret_stored')).check()
    await press(shown, say(partsWords, 'close'))
    await shown.waitFor({ state: 'detached' })
    await sees(page, say(hookWords, 'replaced'))
    expect(await page.getByText(url).count()).toBe(0)
    expect((await postHook(other.hookUrl)).http).toBe(404)
    expect((await postHook(url)).http).toBe(202)

    await press(page, say(hookWords, 'delete'))
    const deleting = page.getByRole('dialog', { name: say(hookWords, 'delete_question') })
    const remove = deleting.getByRole('button', { name: say(hookWords, 'delete') })
    await sees(deleting, say(hookWords, 'delete_text', { name: 'Order is ready' }))
    expect(await remove.isDisabled()).toBe(true)
    await deleting.getByLabel(say(hookWords, 'replace_label')).fill('Order is ready')
    expect(await findFlaws(page)).toEqual([])
    await remove.click()
    await sees(page, say(hookWords, 'no_url'))
    expect((await postHook(url)).http).toBe(404)
    await press(page, say(hookWords, 'create'))
    expect((await postHook((await shown.locator('code').first().textContent())!)).http).toBe(202)
  },
)

test("two members who map one hook see each other's draft, and choose one of them", async () => {
  const { page, member, go, say } = await openDashboard(world, { ...hooked, language: 'en' })
  const path = `/companies/${hooked.companyId}/flows/${hooked.flowId}`
  const { published } = (await member.ask<FlowDetail>('GET', path)).body
  const { definition } = published!
  await go(`flows/${hooked.flowId}/hook`)
  world.clock.advance(1_000)
  const theirs = { ...definition, trigger: { ...definition.trigger, namePath: 'theirs' } }
  expect((await member.ask('PUT', `${path}/draft`, theirs)).status).toBe(200)
  await page.getByRole('main').getByRole('textbox').first().fill('mine')
  await press(page, say(builderWords, 'keep_mine'))
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()
  const { draft } = (await member.ask<FlowDetail>('GET', path)).body
  expect(draft!.definition.trigger).not.toMatchObject({ namePath: 'theirs' })
  expect(JSON.stringify(draft!.definition.trigger)).toContain('mine')
})
