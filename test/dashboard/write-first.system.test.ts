/** A template to a contact who never wrote, from their page. Spec: Inbox › What may be sent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { writeWords } from '../../src/dashboard/contacts/words-write.ts'
import { composerWords } from '../../src/dashboard/inbox/words-composer.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { inboxOf, type Inbox } from '../support/inbox.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { spokenIn } from '../support/spoken.ts'
import { PATIENCE } from '../support/patience.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let inbox: Inbox
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
  inbox = inboxOf({ world, whatsApp }, shop)
}, 120_000 * PATIENCE)
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

async function contact(name: string) {
  const phone = newPhone()
  const member = await inbox.member()
  const path = `/companies/${shop.companyId}/contacts`
  const { body } = await member.ask<ContactView>('POST', path, { phone, name })
  return { id: body.id, phone, path: `${path}/${body.id}`, member }
}

test.each([{ language: 'en' }, { language: 'ar', width: 360, height: 740 }] as const)(
  'which template, what is in it, and it is sent: $language',
  async (look) => {
    const name = '"><img src=x onerror=alert(1)>'
    const { id, phone } = await contact(name)
    const options = { ...shop, ...look, role: 'agent' } as const
    const { page, go, faults, close } = await openDashboard(world, options)
    const say = spokenIn(look.language)
    await go(`contacts/${id}`)
    await page.getByRole('button', { name: say(writeWords, 'write') }).click()
    const dialog = page.getByRole('dialog', { name: say(writeWords, 'title') })
    await dialog.getByPlaceholder(writeWords[look.language].choose).click()
    await page
      .getByRole('option', { name: /order_ready.*(?:English|الإنجليزية)/ })
      .first()
      .click()
    const send = dialog.getByRole('button', { name: say(composerWords, 'send_template') })
    expect(await send.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: /2/ }).fill('10482')
    const preview = dialog.getByRole('group', { name: say(composerWords, 'preview') })
    await preview.getByText('10482').waitFor()
    await preview.getByText(name).waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await send.click()
    await page.waitForURL('**/inbox/*')
    await page.getByRole('article').getByText('10482').waitFor()
    await whatsApp.settle()
    const sent = whatsApp.simulator.messages().filter(({ to }) => `+${to}` === phone)
    expect(sent).toHaveLength(1)
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  },
)

test('who stopped all messages meanwhile is not written to, and it is said before and after', async () => {
  const { id, path, member } = await contact('Maha')
  const { page, go, close } = await openDashboard(world, { ...shop, role: 'agent' })
  await go(`contacts/${id}`)
  await page.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await dialog.getByPlaceholder('Choose a template').click()
  await page
    .getByRole('option', { name: /order_ready.*(?:English|الإنجليزية)/ })
    .first()
    .click()
  await dialog.getByRole('textbox', { name: /2/ }).fill('10482')
  await member.ask('POST', `${path}/opt-out`)
  await dialog.getByRole('button', { name: 'Send template' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/opted out/)
    .waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Send a template' }).click()
  await dialog.getByText('Do not message them another way.', { exact: false }).waitFor()
  expect(await dialog.getByPlaceholder('Choose a template').count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await close()
})
