/** What is being written to a customer stays, whatever happens meanwhile. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/limits/units.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { inboxOf, type Talk } from '../support/inbox.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { PATIENCE } from '../support/patience.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let talk: Talk
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
}, 120_000 * PATIENCE)
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})
beforeEach(async () => {
  talk = await inboxOf({ world, whatsApp }, shop).talk(newPhone(), 'Is it ready?')
})

const open = () => openDashboard(world, shop)
const addressOf = ({ id }: Talk) => `inbox/${encodeURIComponent(id)}`

test('a template that is being filled stays in sight when the customer writes again', async () => {
  world.clock.advance(25 * HOUR_MS)
  const { page, close, go } = await open()
  await go(addressOf(talk))
  await page.getByPlaceholder('Choose a template').click()
  await page.getByRole('option', { name: /order_ready.*en/ }).click()
  const value = page.getByRole('textbox', { name: /Value .2/ })
  await value.fill('10482')
  await talk.writes('Are you there?')
  await page.getByText('You can write until').waitFor()
  expect(await value.inputValue()).toBe('10482')
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await page.getByRole('button', { name: 'Template', exact: true }).click()
  expect(await value.inputValue()).toBe('10482')
  await close()
})

test('a file stays with the reply while a note is written, and the next note that is begun meanwhile stays', async () => {
  const { page, close, go } = await open()
  await go(addressOf(talk))
  await page
    .getByLabel('Attach a file')
    .last()
    .setInputFiles({
      name: 'receipt.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7'),
    })
  await page.getByText('receipt.pdf').waitFor()
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  const note = page.getByRole('textbox', { name: 'Note for colleagues' })
  let goOn = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  await page.route('**/notes', async (route) => {
    await held
    await route.continue()
  })
  await note.fill('She paid in cash.')
  await page.getByRole('button', { name: 'Keep note' }).click()
  await note.fill('And she')
  goOn()
  await page.getByRole('article').getByText('She paid in cash.').waitFor()
  expect(await note.inputValue()).toBe('And she')
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await page.getByText('receipt.pdf').waitFor()
  await page.unroute('**/notes')
  await close()
})
