/** A flow drawn, published and run, with the mouse and with the keyboard alone, in both languages. Spec: Flows › Steps; Flows › Triggers. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appWords } from '../../src/dashboard/app/words.ts'
import { builderWords } from '../../src/dashboard/flows/words-builder.ts'
import { formWords } from '../../src/dashboard/flows/words-forms.ts'
import { stepWords } from '../../src/dashboard/flows/words-steps.ts'
import { triggerWords } from '../../src/dashboard/flows/words-triggers.ts'
import { flowsWords } from '../../src/dashboard/flows/words.ts'
import { runsWords } from '../../src/dashboard/runs/words.ts'
import type { FlowDetail, FlowView } from '../../src/contract/dashboard/flow.ts'
import type { Page as ListPage } from '../../src/contract/dashboard/page.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import type { Member } from '../support/dashboard.ts'
import { hasFocus, tabTo } from '../support/keyboard.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { spokenIn, type Spoken } from '../support/spoken.ts'

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

const LANGUAGES = ['en', 'ar'] as const

async function publishedOf(member: Member, shop: ConnectedShop, name: string) {
  const flows = `/companies/${shop.companyId}/flows`
  const list = (await member.ask<ListPage<FlowView>>('GET', `${flows}?limit=100`)).body
  const { id } = list.items.find((flow) => flow.name === name)!
  return (await member.ask<FlowDetail>('GET', `${flows}/${id}`)).body.published!.definition
}

/** The customer writes the word; what the flow answers is on their phone, and the run in the list. */
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
  await page
    .getByRole('link', { name: say(appWords, 'runs') })
    .first()
    .click()
  const run = page.getByRole('row').filter({ hasText: flow })
  await run.getByText(say(runsWords, 'completed')).waitFor()
  await run.getByRole('link').first().click()
  await page.getByRole('heading', { name: flow }).waitFor()
  const steps = page.getByRole('list', { name: say(runsWords, 'steps') })
  await steps.getByText(answer(from)).waitFor()
  await expect.poll(() => steps.getByText(say(runsWords, 'step_done')).count()).toBe(2)
}

test.each(LANGUAGES)('with the mouse: %s', async (language) => {
  const shop = await whatsApp.openShop()
  const { page, close, member, faults, go } = await openDashboard(world, {
    ...shop,
    language,
  })
  const say = spokenIn(language)
  await go('flows')
  await page
    .getByRole('button', { name: say(flowsWords, 'new_flow') })
    .first()
    .click()
  await page.getByLabel(say(flowsWords, 'name')).fill('Thanks')
  await page.getByRole('button', { name: say(flowsWords, 'create') }).click()
  const panel = page.getByRole('complementary')
  await panel.getByLabel(say(builderWords, 'starts_by')).click()
  await page.getByRole('option', { name: say(triggerWords, 'keyword') }).click()
  await panel.getByLabel(say(formWords, 'keywords')).fill('thanks')
  await panel.getByLabel(say(formWords, 'keywords')).press('Enter')
  await page
    .getByRole('button', { name: say(builderWords, 'add_here') })
    .first()
    .click()
  await panel.getByRole('button', { name: say(stepWords, 'send_message') }).click()
  // It is not saved before it says something, and the problem leads to the field.
  await page.getByText(say(builderWords, 'not_saved', { n: 1 })).waitFor()
  await page
    .getByRole('button', { name: say(builderWords, 'go_to_step') })
    .first()
    .click()
  const text = panel.getByLabel(say(formWords, 'text'))
  await expect.poll(() => hasFocus(text)).toBe(true)
  await page.keyboard.type('You are welcome, ')
  await panel
    .getByRole('button', { name: say(formWords, 'insert', { name: 'contact.phone' }) })
    .click()
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()
  await page.getByText(say(builderWords, 'no_problems')).waitFor()
  // Any box of the map opens by a click on it.
  const map = page.getByRole('group', { name: say(builderWords, 'map') })
  await map.locator('[data-key=trigger]').click()
  await panel.getByLabel(say(formWords, 'keywords')).waitFor()
  await map.locator('[data-key=send_message]').click()
  await text.waitFor()
  const publish = say(builderWords, 'publish_version', { n: 1 })
  await page.getByRole('button', { name: publish }).click()
  await page.getByRole('dialog').getByRole('button', { name: publish }).click()
  await page
    .getByText(say(builderWords, 'version_live', { n: 1 }))
    .first()
    .waitFor()
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
  expect(faults).toEqual([])
  await close()
})

/** Goes down an open list until the option is the one that Enter takes. */
async function choose(page: Page, option: Locator): Promise<void> {
  await page.keyboard.press('Enter')
  await option.waitFor()
  for (let at = 0; at < 20; at += 1) {
    if ((await option.getAttribute('data-combobox-selected')) === 'true') break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

test.each(LANGUAGES)('with the keyboard alone: %s', async (language) => {
  const shop = await whatsApp.openShop()
  const { page, close, member, faults, go } = await openDashboard(world, {
    ...shop,
    language,
  })
  const say = spokenIn(language)
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
  await page.getByText(say(builderWords, 'no_problems')).waitFor()
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()

  const publish = say(builderWords, 'publish_version', { n: 1 })
  await tabTo(page, page.getByRole('button', { name: publish }), 'Shift+Tab')
  await keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: publish }))
  await keyboard.press('Enter')
  await page
    .getByText(say(builderWords, 'version_live', { n: 1 }))
    .first()
    .waitFor()
  expect((await publishedOf(member, shop, 'Keys')).trigger).toMatchObject({ words: ['thanks'] })
  await expectToRun(page, say, shop, { flow: 'Keys', answer: () => 'You are welcome' })
  expect(faults).toEqual([])
  await close()
})
