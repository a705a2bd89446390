/** What is done with whole flows and branches: copied, duplicated, deleted, in both languages. Spec: Flows › Drafts and versions. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builderWords } from '../../src/dashboard/flows/words-builder.ts'
import { stepWords } from '../../src/dashboard/flows/words-steps.ts'
import { flowsWords } from '../../src/dashboard/flows/words.ts'
import type { FlowDetail, FlowView } from '../../src/contract/dashboard/flow.ts'
import type { Page as ListPage } from '../../src/contract/dashboard/page.ts'
import { askHook } from '../support/ask-hook.ts'
import { findBarriers } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { spokenIn } from '../support/spoken.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  await world.close()
})

/** A shop whose one flow waits for a reply, and goes two ways from there. */
async function openFlows(language: 'en' | 'ar') {
  const own = world.service.context.ids.token(6)
  const shop = await createShop(world, {
    phoneNumberId: own,
    businessAccountId: own,
    trigger: { kind: 'manual' },
    start: 'ask',
    steps: {
      ask: {
        kind: 'wait_for_reply',
        saveAs: null,
        timeoutMinutes: 60,
        next: 'thanks',
        onTimeout: 'late',
      },
      thanks: { kind: 'note', text: 'They replied', next: 'praise' },
      praise: { kind: 'note', text: 'They liked it', next: null },
      late: { kind: 'note', text: 'No reply', next: null },
    },
  })
  const opened = await openDashboard(world, { ...shop, language })
  const flows = `/companies/${shop.companyId}/flows`
  const flowNamed = async (name: string) => {
    const list = (await opened.member.ask<ListPage<FlowView>>('GET', `${flows}?limit=100`)).body
    const flow = list.items.find((one) => one.name === name)
    return flow && (await opened.member.ask<FlowDetail>('GET', `${flows}/${flow.id}`)).body
  }
  return { ...opened, shop, say: spokenIn(language), flowNamed }
}

const LANGUAGES = ['en', 'ar'] as const

test.each(LANGUAGES)('a branch is copied, pasted elsewhere, and deleted: %s', async (language) => {
  const { page, close, shop, say, faults, go, flowNamed } = await openFlows(language)
  await go(`flows/${shop.flowId}?step=thanks`)
  const panel = page.getByRole('complementary')
  await panel.getByRole('button', { name: say(builderWords, 'more_acts') }).click()
  await page.getByRole('menuitem', { name: say(builderWords, 'copy_branch') }).click()
  await page.getByText(say(builderWords, 'copied', { n: 2 })).waitFor()
  const map = page.getByRole('group', { name: say(builderWords, 'map') })
  await map.locator('[data-key=late]').click()
  await panel.getByRole('button', { name: say(builderWords, 'more_acts') }).click()
  await page.getByRole('menuitem', { name: say(builderWords, 'add_after') }).click()
  await panel.getByRole('button', { name: say(builderWords, 'paste', { n: 2 }) }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await panel.getByRole('button', { name: say(builderWords, 'paste', { n: 2 }) }).click()
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()
  const stepsOf = async () =>
    Object.values((await flowNamed('Order is ready'))!.draft!.definition.steps)
  const texts = async () => (await stepsOf()).map((step) => 'text' in step && step.text)
  expect((await texts()).filter((text) => text === 'They liked it')).toHaveLength(2)

  // With the step the ways that it opened go, which is asked with their number.
  await map.locator('[data-key=ask]').click()
  await page.getByRole('complementary', { name: /ask$/ }).waitFor()
  await panel.getByRole('button', { name: say(builderWords, 'delete') }).click()
  const asked = page.getByRole('dialog', { name: say(builderWords, 'delete_question', { n: 3 }) })
  await asked.getByText(say(builderWords, 'delete_branches')).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await asked.getByRole('button', { name: say(builderWords, 'keep_step') }).click()
  await asked.waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: say(builderWords, 'delete') }).click()
  await asked.getByRole('button', { name: say(builderWords, 'delete_steps', { n: 4 }) }).click()
  await page.getByText(say(builderWords, 'deleted')).waitFor()
  await expect.poll(texts).toEqual(['They replied', 'They liked it'])
  await map.getByText(say(stepWords, 'note')).first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test.each(LANGUAGES)(
  'a flow is duplicated, and deleted with what that ends: %s',
  async (language) => {
    const { page, close, shop, say, faults, go, flowNamed } = await openFlows(language)
    await go('flows')
    const more = (name: string) =>
      page.getByRole('button', { name: say(flowsWords, 'more', { name }) })
    await more('Order is ready').click()
    await page.getByRole('menuitem', { name: say(flowsWords, 'duplicate') }).click()
    const copy = flowsWords[language].copy_of.replace('{name}', 'Order is ready')
    await page.getByText(say(flowsWords, 'duplicated', { name: copy })).waitFor()
    await page.getByRole('link', { name: copy }).waitFor()
    expect((await flowNamed(copy))!.draft!.definition.start).toBe('ask')

    await more('Order is ready').click()
    await page.getByRole('menuitem', { name: say(flowsWords, 'delete') }).click()
    const asked = page.getByRole('dialog', {
      name: say(flowsWords, 'delete_question', { name: 'Order is ready' }),
    })
    await asked.getByText(flowsWords[language].delete_hook).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await asked.getByRole('button', { name: say(flowsWords, 'delete_flow') }).click()
    await page.getByText(say(flowsWords, 'deleted', { name: 'Order is ready' })).waitFor()
    await page
      .getByRole('link', { name: 'Order is ready', exact: true })
      .waitFor({ state: 'detached' })
    expect((await askHook(shop.hookUrl)).http).toBe(404)
    expect(faults).toEqual([])
    await close()
  },
)
