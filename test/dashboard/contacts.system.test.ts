/** Contacts in a real browser. Spec: Contacts › Changes; Contacts › Search. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { newPhone } from '../support/simulator.ts'
import { createShop, type Shop } from '../support/shop.ts'

const HOSTILE = '"><img src=x onerror="globalThis.isHurt=true"><script>isHurt=true</script>'

let world: World
let shop: Shop
let owner: Member
let at: string

beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  await world.close()
})
beforeEach(async () => {
  const key = world.service.context.ids.token(6)
  shop = await createShop(world, { phoneNumberId: key, businessAccountId: key })
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })
const make = async (input: object) =>
  (await owner.ask<ContactView>('POST', `${at}/contacts`, input)).body
const show = async (id: string) =>
  (await owner.ask<ContactView>('GET', `${at}/contacts/${id}`)).body

test('adds a contact, finds them by their number in Arabic digits, and edits them', async () => {
  const { page, close, faults, go } = await open()
  await go('contacts')
  await page.getByRole('button', { name: 'Add contact' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add contact' })
  await dialog.getByLabel('Name').fill('Noura')
  await dialog.getByLabel('Phone').fill('12')
  await dialog.getByRole('button', { name: 'Add contact' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const phone = newPhone()
  const noura = await make({ name: 'Noura Al-Qahtani', phone })
  await make({ name: 'Fahad', phone: newPhone() })
  const arabic = phone.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
  await page.getByRole('searchbox').fill(arabic)
  const row = page.getByRole('row').filter({ hasText: 'Noura Al-Qahtani' })
  await row.waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'Fahad' }).count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('q')).not.toBe(null)
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: 'Noura Al-Qahtani' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit contact' })
  await edit.getByLabel('E-mail').fill('no address')
  await edit.getByRole('button', { name: 'Save contact' }).click()
  await edit.getByText('1 thing to fix').waitFor()
  await edit.getByLabel('E-mail').fill('noura@example.com')
  await edit.getByRole('button', { name: 'Save contact' }).click()
  await edit.waitFor({ state: 'hidden' })
  expect(await show(noura.id)).toMatchObject({ email: 'noura@example.com', phone })
  expect(faults).toEqual([])
  await close()
})

test('a form that is open about one contact is not found open about the next, and undoes nothing that a flow did meanwhile', async () => {
  const sara = await make({ name: 'Sara Al-Harbi', tags: ['retail'] })
  const layan = await make({ name: 'Layan Al-Otaibi' })
  const { page, close, go } = await open()
  await go(`contacts/${sara.id}`)
  const edit = page.getByRole('dialog', { name: 'Edit contact' })
  const begin = () => page.getByRole('button', { name: 'Edit' }).click()
  await begin()
  await edit.getByLabel('E-mail').fill('sara@example.com')
  await page.keyboard.press('Control+KeyK')
  await page.getByRole('combobox', { name: 'Find anything' }).fill('Layan')
  await page.getByRole('option').filter({ hasText: 'Layan Al-Otaibi' }).first().click()
  await page.getByRole('heading', { name: 'Layan Al-Otaibi' }).waitFor()
  await edit.waitFor({ state: 'hidden' })
  await go(`contacts/${sara.id}`)
  await begin()
  await owner.ask('PATCH', `${at}/contacts/${sara.id}`, { addTags: ['loyal'], language: 'ar' })
  await edit.getByLabel('E-mail').fill('sara@example.com')
  await edit.getByRole('button', { name: 'Save contact' }).click()
  await edit.waitFor({ state: 'hidden' })
  expect(await show(layan.id)).toMatchObject({ name: 'Layan Al-Otaibi', email: null })
  expect(await show(sara.id)).toMatchObject({
    email: 'sara@example.com',
    language: 'ar',
    tags: expect.arrayContaining(['loyal', 'retail']),
  })
  await close()
})

test('stops messages, and resumes them with a reason that is kept, in Arabic', async () => {
  const { id } = await make({ name: 'ليلى', phone: newPhone() })
  const { page, close, faults, go } = await open({ language: 'ar' })
  await go(`contacts/${id}`)
  await page.getByRole('button', { name: 'إيقاف الرسائل' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'إيقاف الرسائل' }).click()
  await page.getByRole('button', { name: 'استئناف الرسائل' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'استئناف الرسائل' }).click()
  await dialog.getByText('بقي تصحيح واحد').waitFor()
  await dialog.getByLabel('السبب').fill('طلبت ذلك')
  await dialog.getByRole('button', { name: 'استئناف الرسائل' }).click()
  await page.getByText('طلبت ذلك').first().waitFor()
  expect(await show(id)).toMatchObject({ optedOut: false })
  expect(await findBarriers(page)).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('tags those that are selected, and shows a segment of them as a view', async () => {
  const [first] = await Promise.all(['Amal', 'Badr'].map((name) => make({ name })))
  const { page, close, go } = await open()
  await go('contacts')
  await page.getByRole('checkbox', { name: /Select .Amal/ }).click()
  await page.getByRole('button', { name: 'Add a tag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tag', { exact: true }).first().fill('loyal')
  await dialog.getByRole('button', { name: 'Tag 1 contact' }).click()
  await page.getByText('1 contact changed').waitFor()
  expect((await show(first!.id)).tags).toEqual(['loyal'])
  const segment = { name: 'Loyal ones', filter: { tags: ['loyal'] } }
  await owner.ask('POST', `${at}/segments`, segment)
  await go('contacts')
  await page.getByRole('link', { name: 'Loyal ones 1' }).click()
  await page.getByRole('row').filter({ hasText: 'Badr' }).waitFor({ state: 'hidden' })
  await page.getByRole('row').filter({ hasText: 'Amal' }).waitFor()
  await page.getByRole('button', { name: 'Segments' }).click()
  await page.getByRole('menuitem', { name: 'Delete segment' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete segment' }).click()
  await page.getByText('Badr').first().waitFor()
  expect((await owner.ask<{ items: object[] }>('GET', `${at}/segments`)).body.items).toEqual([])
  await close()
})

test('merges two, and erases one only when the name is typed', async () => {
  const phone = newPhone()
  const [kept, gone] = [
    await make({ name: 'Sami', phone }),
    await make({ name: 'Sami N', email: 'sami@example.com' }),
  ]
  const { page, close, go } = await open()
  await go(`contacts/${kept.id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Merge with another' }).click()
  const merge = page.getByRole('dialog', { name: 'Merge two contacts' })
  await merge.getByLabel('The contact that becomes part of this one').first().fill('Sami N')
  await page.getByRole('option', { name: 'Sami N' }).click()
  await merge
    .getByRole('region', { name: 'Becomes part of it' })
    .getByText('sami@example.com')
    .waitFor()
  await merge.getByRole('button', { name: /Merge into .Sami/ }).click()
  await merge.waitFor({ state: 'hidden' })
  await page.getByText('sami@example.com').waitFor()
  expect(await show(gone.id)).toMatchObject({ id: kept.id, phone, email: 'sami@example.com' })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Erase for good' }).click()
  const erase = page.getByRole('dialog', { name: /Erase/ })
  const act = erase.getByRole('button', { name: 'Erase for good' })
  await erase.getByRole('textbox').fill('Sam')
  expect(await act.isDisabled()).toBe(true)
  await erase.getByRole('textbox').fill('Sami')
  await act.click()
  await page.waitForURL('**/contacts')
  expect(await show(kept.id)).toMatchObject({ name: null, phone: null })
  await close()
})

test('an Agent works with contacts, and neither imports, exports, merges nor erases', async () => {
  const { id } = await make({ name: 'Amal' })
  const { page, close, go } = await open({ role: 'agent' })
  await go('contacts')
  await page.getByRole('row').filter({ hasText: 'Amal' }).waitFor()
  expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0)
  await go(`contacts/${id}`)
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0)
  await close()
})

test('what a stranger wrote is text in every place, on a phone too', async () => {
  const field = { key: 'city', label: HOSTILE.slice(0, 80), kind: 'text' }
  await owner.ask('POST', `${at}/contact-fields`, field)
  const { id } = await make({
    name: HOSTILE,
    phone: newPhone(),
    tags: [HOSTILE.slice(0, 50)],
    fields: { city: HOSTILE },
  })
  await owner.ask('POST', `${at}/segments`, { name: HOSTILE.slice(0, 80), filter: {} })
  const { page, close, faults, go } = await open({ width: 390, height: 844 })
  await go('contacts')
  await page.getByText(HOSTILE.slice(0, 50)).first().waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await go(`contacts/${id}`)
  await page.getByRole('heading', { name: HOSTILE }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  await go('contacts/settings')
  await page.getByText(HOSTILE.slice(0, 50)).first().waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(await page.evaluate(() => 'isHurt' in globalThis)).toBe(false)
  expect(faults).toEqual([])
  await close()
})
