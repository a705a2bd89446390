/** Broadcasts in a real browser, sent through the simulated provider. Spec: Broadcasts › Sending; Broadcasts › Outcome. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { findBarriers, overflowOf, startBrowser } from '../support/browser.ts'
import { openBroadcasts, type Broadcasts } from '../support/broadcasts.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'

const HOSTILE = '"><img src=x onerror="globalThis.isHurt=true">'

let browser: Browser
let world: World
let whatsApp: SimulatedWhatsApp
let news: Broadcasts

beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  news = await openBroadcasts(world, whatsApp)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser.close()
  await whatsApp.close()
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(browser, world, { ...news.shop, ...options })

test('is written with a live preview, checked, sent after its consequence is read, and told of', async () => {
  await news.contact({ name: 'Noura', tags: ['vip'] })
  await news.contact({ name: 'Fahad', tags: ['vip'] })
  const filter = { tags: ['vip'] }
  await news.owner.ask('POST', `${news.at}/segments`, { name: 'The vips', filter })
  const { page, context, faults, go } = await open()
  await go('broadcasts/new')
  await page.getByLabel('Name', { exact: true }).fill('We move')
  await page.getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name: 'notice' }).click()
  await page.getByRole('textbox', { name: 'Value of' }).fill('friend')
  await page.getByText('Dear friend, we move.').waitFor()
  await page.getByRole('textbox', { name: 'Value of' }).fill('')
  await page.getByRole('button', { name: 'Insert a value of the contact' }).click()
  await page.getByRole('menuitem', { name: 'Name' }).click()
  await page.getByRole('button', { name: 'To the audience' }).click()
  await page.getByRole('radio', { name: 'A segment' }).click()
  await page.getByText(/2. contacts fit now/).waitFor()
  await page.getByRole('button', { name: 'Save and check' }).click()
  await page.getByText(/It would go to .2. contacts now/).waitFor()
  await page.getByText('Dear Noura, we move.').waitFor()
  await page.getByRole('button', { name: /Send to .2. people/ }).click()
  const dialog = page.getByRole('dialog', { name: /It cannot be called back/ })
  await dialog.getByRole('button', { name: /Send to .2. people/ }).click()
  await page.getByText('It has begun').waitFor()
  const { body } = await news.owner.ask<Page<BroadcastView>>('GET', `${news.at}/broadcasts`)
  await news.finish(body.items[0]!.id)
  await page.reload()
  const recipients = page.getByRole('table', { name: 'Recipients' })
  await recipients.getByText('Noura').waitFor()
  expect(news.sent()).toHaveLength(2)
  expect(await findBarriers(page)).toEqual([])
  expect(faults).toEqual([])
  await context.close()
})

test('is paused, resumed at another pace, and cancelled with what that means, in Arabic', async () => {
  await news.contacts(40, 'many')
  const id = await news.start('many', { perSecond: 2 })
  await news.handOver()
  const { page, context, faults, go } = await open({ language: 'ar' })
  await go(`broadcasts/${id}`)
  await page.getByRole('button', { name: 'إيقاف مؤقت' }).click()
  await page.getByRole('button', { name: 'استئناف', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('5')
  await dialog.getByRole('button', { name: 'استئناف', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await news.show(id)).toMatchObject({ perSecond: 5 })
  await page.getByRole('button', { name: 'إلغاء الرسالة الجماعية' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'إلغاء الرسالة الجماعية' }).click()
  await page.getByText('أُلغيت الرسالة الجماعية').waitFor()
  expect(await news.show(id)).toMatchObject({ state: 'cancelled' })
  expect(await overflowOf(page)).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  expect(faults).toEqual([])
  await context.close()
})

test('an Agent has none of it, and a name that is a script is text', async () => {
  const draft = await news.draft('nobody', { name: HOSTILE })
  const { page, context, faults, go } = await open({ width: 390, height: 844 })
  await go('broadcasts')
  await page.getByText(HOSTILE).first().waitFor()
  await go(`broadcasts/${draft.id}`)
  await page.getByRole('heading', { name: HOSTILE }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await page.evaluate(() => 'isHurt' in globalThis)).toBe(false)
  expect(faults).toEqual([])
  await context.close()
  const agent = await open({ role: 'agent' })
  await agent.go('broadcasts')
  await agent.page.getByRole('alert').waitFor()
  expect(await agent.page.getByText(HOSTILE).count()).toBe(0)
  await agent.context.close()
})
