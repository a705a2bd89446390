/** Broadcasts in a real browser, sent through the simulated provider. Spec: Broadcasts › Sending; Broadcasts › Outcome. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { draftWords } from '../../src/dashboard/broadcasts/words-draft.ts'
import { broadcastsWords } from '../../src/dashboard/broadcasts/words.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openBroadcasts, type Broadcasts } from '../support/broadcasts.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { spokenIn } from '../support/spoken.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'

const HOSTILE = '"><img src=x onerror="globalThis.isHurt=true">'

let world: World
let whatsApp: SimulatedWhatsApp
let news: Broadcasts

beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  news = await openBroadcasts(world, whatsApp)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...news.shop, ...options })

const MANY = 200

test.each(['en', 'ar'] as const)(
  'is written with a preview, checked, sent to 200 and told of: %s',
  async (language) => {
    const before = news.sent().length
    const tag = `vip ${language}`
    await news.contacts(MANY - 1, tag)
    // The newest is the first who is shown what they would read.
    await news.contact({ name: 'Noura', tags: [tag] })
    await news.owner.ask('POST', `${news.at}/segments`, { name: tag, filter: { tags: [tag] } })
    const { page, close, faults, go } = await open({ language })
    const say = spokenIn(language)
    await go('broadcasts/new')
    await page.getByLabel(say(draftWords, 'name')).fill(`We move ${language}`)
    await page.getByRole('combobox', { name: say(draftWords, 'template') }).click()
    await page.getByRole('option', { name: 'notice' }).click()
    const value = page.getByRole('textbox', { name: say(draftWords, 'value_body') })
    await value.fill('friend')
    await page.getByText('Dear friend, we move.').waitFor()
    await value.fill('')
    await page.getByRole('button', { name: say(draftWords, 'insert') }).click()
    await page.getByRole('menuitem', { name: say(draftWords, 'insert_name') }).click()
    await page.getByRole('button', { name: say(draftWords, 'next') }).click()
    await page.getByRole('radio', { name: say(draftWords, 'by_segment') }).click()
    await page.getByRole('combobox', { name: say(draftWords, 'segment') }).click()
    await page.getByRole('option', { name: tag }).click()
    await page.getByText(say(draftWords, 'fits', { n: MANY })).waitFor()
    await page.getByRole('button', { name: say(draftWords, 'to_check') }).click()
    await page.getByText(say(broadcastsWords, 'would_go', { n: MANY })).waitFor()
    await page.getByText(/Dear (?:Noura|Sara), we move\./).waitFor()
    const send = say(broadcastsWords, 'send', { n: MANY })
    await page.getByRole('button', { name: send }).click()
    const dialog = page.getByRole('dialog', {
      name: say(broadcastsWords, 'send_title', { n: MANY }),
    })
    await dialog.waitFor()
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: send }).click()
    await page.getByText(say(broadcastsWords, 'started')).waitFor()
    const { body } = await news.owner.ask<Page<BroadcastView>>('GET', `${news.at}/broadcasts`)
    const { id } = body.items.find((one) => one.name === `We move ${language}`)!
    // It is watched as it goes, without a reload.
    await news.finish(id)
    await page.getByText(say(broadcastsWords, 'done'), { exact: true }).first().waitFor()
    const recipients = page.getByRole('table', { name: say(broadcastsWords, 'recipients') })
    await recipients.getByText('Sara').first().waitFor()
    expect(news.sent()).toHaveLength(before + MANY)
    expect(await findBarriers(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)

test('is paused, resumed at another pace, and cancelled with what that means, in Arabic', async () => {
  await news.contacts(40, 'many')
  const id = await news.start('many', { perSecond: 2 })
  await news.handOver()
  const { page, close, faults, go } = await open({ language: 'ar' })
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
  await close()
})

test('an Agent has none of it, and a name that is a script is text', async () => {
  const draft = await news.draft('nobody', { name: HOSTILE })
  const { page, close, faults, go } = await open({ width: 390, height: 844 })
  await go('broadcasts')
  await page.getByText(HOSTILE).first().waitFor()
  await go(`broadcasts/${draft.id}`)
  await page.getByRole('heading', { name: HOSTILE }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await page.evaluate(() => 'isHurt' in globalThis)).toBe(false)
  expect(faults).toEqual([])
  await close()
  const agent = await open({ role: 'agent' })
  await agent.go('broadcasts')
  await agent.page.getByText('Only an Owner or Admin sees this page.').waitFor()
  expect(await agent.page.getByText(HOSTILE).count()).toBe(0)
  await agent.close()
})
