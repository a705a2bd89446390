/** A run on the map of its version: the way it took, each step's state and time, by mouse and by keys. Spec: Flows › Runs. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { RunView } from '../../src/contract/dashboard/run.ts'
import { runsWords } from '../../src/dashboard/runs/words.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { inboxOf } from '../support/inbox.ts'
import { createWorld, type World } from '../support/service.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import {
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { spokenIn } from '../support/spoken.ts'
import { PATIENCE } from '../support/patience.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let runId: string
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop({
    steps: {
      ...ORDER_READY_STEPS,
      ask: { ...ORDER_READY_STEPS.ask, next: 'thanks', onTimeout: 'later' },
      thanks: { kind: 'send_message', text: 'Thank you', buttons: [], next: 'finish' },
      later: { kind: 'send_message', text: 'Are you there?', buttons: [], next: 'finish' },
    },
  })
  await askHook(shop.hookUrl)
  await whatsApp.settle()
  const inbox = inboxOf({ world, whatsApp }, shop)
  await inbox.talk(ORDER.customer.phone, 'I come at five')
  await whatsApp.settle()
  const owner = await inbox.member('owner')
  const runs = await owner.ask<Page<RunView>>('GET', `/companies/${shop.companyId}/runs`)
  runId = runs.body.items[0]!.id
}, 120_000 * PATIENCE)
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

test.each(['en', 'ar'] as const)('which way it went, and step by step: %s', async (language) => {
  const { page, go, faults, close } = await openDashboard(world, { ...shop, language })
  const say = spokenIn(language)
  await go(`runs/${runId}`)
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
  await page.getByText(say(runsWords, 'step_of', { n: 1, of: 4 })).waitFor()
  // By keys alone: down the way, and the step is shown below.
  await node('tell').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText(say(runsWords, 'step_of', { n: 2, of: 4 })).waitFor()
  await page.getByRole('button', { name: say(runsWords, 'step_after') }).press('Enter')
  await page.getByText(say(runsWords, 'step_of', { n: 3, of: 4 })).waitFor()
  await page
    .getByRole('region', { name: say(runsWords, 'steps') })
    .getByText('Thank you')
    .waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('on a phone the steps stand one below the other', async () => {
  const options = { ...shop, language: 'ar', width: 360, height: 740 } as const
  const { page, go, close } = await openDashboard(world, options)
  await go(`runs/${runId}?view=map`)
  await page.getByText('Thank you').first().waitFor()
  expect(await page.locator('[data-key="tell"]').count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  await close()
})
