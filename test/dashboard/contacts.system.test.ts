/** Contacts, the board of leads, and the appointments that are outside of the changed hours, in a real browser. Spec: Contacts › Changes; Contacts › Search; Leads › Lists; Leads › Qualifying; Appointments › Hours; reading A38. */
import { beforeEach, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { dashboardOf, findFlaws, HOSTILE } from '../support/dashboard-page.ts'
import type { Member } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import type { Shop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { contactsWords } from '../../src/dashboard/contacts/words.ts'
import { phoneWords } from '../../src/dashboard/parts/words-phone.ts'
import { topWords } from '../../src/dashboard/frame/words-top.ts'
import { appointmentsWords } from '../../src/dashboard/appointments/words.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { fill, follow, pick, press, sees } from '../support/page-steps.ts'

let shop: Shop
let owner: Member
let at: string
const world = await openWorld()
beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
  at = `/companies/${shop.companyId}`
})

const open = dashboardOf(world, () => shop)
const openAsAgent = dashboardOf(world, () => shop, { role: 'agent' })
const make = async (input: object) =>
  (await owner.ask<ContactView>('POST', `${at}/contacts`, input)).body
const show = async (id: string) =>
  (await owner.ask<ContactView>('GET', `${at}/contacts/${id}`)).body

test('a member adds a contact, finds it by its number in Arabic digits, and edits it', async () => {
  const { page } = await open({ at: 'contacts' })
  await page.getByRole('button', { name: 'Add contact' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add contact' })
  const name = dialog.getByLabel('Name')
  const directionOf = async (typed: string) => {
    await name.fill(typed)
    return page.evaluate<string>('getComputedStyle(document.activeElement).direction')
  }
  expect([await directionOf('نورة'), await directionOf('Noura')]).toEqual(['rtl', 'ltr'])
  await dialog.getByLabel('Phone').fill('12')
  await press(dialog, 'Add contact')
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
  await press(page, 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit contact' })
  await edit.getByLabel('Email').fill('no address')
  await press(edit, 'Save contact')
  await sees(edit, '1 problem to fix')
  await edit.getByLabel('Email').fill('noura@example.com')
  await press(edit, 'Save contact')
  await edit.waitFor({ state: 'hidden' })
  expect(await show(noura.id)).toMatchObject({ email: 'noura@example.com', phone })
})

test('the country of a number is shown next to it, and the complete number is shown before it is saved', async () => {
  const { page, say } = await open({ at: 'contacts' })
  await page.getByRole('button', { name: 'Add contact' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add contact' })
  const country = dialog.getByRole('combobox', { name: say(phoneWords, 'country') })
  await expect.poll(() => country.inputValue()).toMatch(/^Saudi Arabia \W*966\W*$/)
  await fill(dialog, { Name: 'Ali', Phone: '0501234567' })
  await sees(dialog, /Read as.*966.*501?.*4567/)
  await country.fill('emirates')
  await page.getByRole('option', { name: /United Arab Emirates/ }).click()
  await sees(dialog, /Read as.*971.*4567/)
  await press(dialog, 'Add contact')
  await dialog.waitFor({ state: 'hidden' })
  const found = await owner.ask<{ items: ContactView[] }>('GET', `${at}/contacts?q=Ali`)
  expect(found.body.items).toMatchObject([{ name: 'Ali', phone: '+971501234567' }])
})

test('a number that was kept without its country stays as it is in an edit, until its country is chosen', async () => {
  const { id } = await make({ name: 'Ali', phone: '0501234567' })
  const { page, say } = await open({ at: `contacts/${id}`, language: 'ar' })
  const dialog = page.getByRole('dialog', { name: say(contactsWords, 'form_edit') })
  const begin = () => page.getByRole('button', { name: 'تعديل' }).click()
  const save = async () => {
    await press(dialog, say(contactsWords, 'save'))
    await dialog.waitFor({ state: 'hidden' })
  }
  await begin()
  await sees(dialog, say(phoneWords, 'unsaid'))
  expect(await findFlaws(page)).toEqual([])
  await dialog.getByLabel(say(contactsWords, 'name')).fill('علي')
  await save()
  expect(await show(id)).toMatchObject({ name: 'علي', phone: null, rawPhone: '0501234567' })
  await begin()
  await dialog.getByRole('combobox', { name: say(phoneWords, 'country') }).fill('الكويت')
  await page.getByRole('option', { name: /الكويت/ }).click()
  await sees(dialog, /ليس هذا رقمًا صالحًا في/)
  await dialog.getByRole('combobox', { name: say(phoneWords, 'country') }).fill('الإمارات')
  await page.getByRole('option', { name: /الإمارات/ }).click()
  await save()
  expect(await show(id)).toMatchObject({ phone: '+971501234567', rawPhone: null })
})

test('a form about one contact closes when the next is opened, and keeps what a flow changed meanwhile', async () => {
  const sara = await make({ name: 'Sara Al-Harbi', tags: ['retail'] })
  const layan = await make({ name: 'Layan Al-Otaibi' })
  const { page, go } = await open({ at: `contacts/${sara.id}` })
  const edit = page.getByRole('dialog', { name: 'Edit contact' })
  const begin = () => page.getByRole('button', { name: 'Edit' }).click()
  await begin()
  await edit.getByLabel('Email').fill('sara@example.com')
  await page.keyboard.press('Control+KeyK')
  await page.getByRole('combobox', { name: 'Search' }).fill('Layan')
  await page.getByRole('option').filter({ hasText: 'Layan Al-Otaibi' }).first().click()
  await page.getByRole('heading', { name: 'Layan Al-Otaibi' }).waitFor()
  await edit.waitFor({ state: 'hidden' })
  await go(`contacts/${sara.id}`)
  await begin()
  await owner.ask('PATCH', `${at}/contacts/${sara.id}`, { addTags: ['loyal'], language: 'ar' })
  await edit.getByLabel('Email').fill('sara@example.com')
  await press(edit, 'Save contact')
  await edit.waitFor({ state: 'hidden' })
  expect(await show(layan.id)).toMatchObject({ name: 'Layan Al-Otaibi', email: null })
  expect(await show(sara.id)).toMatchObject({
    email: 'sara@example.com',
    language: 'ar',
    tags: expect.arrayContaining(['loyal', 'retail']),
  })
})

test('a member stops messages, and resumes them with a reason that is kept, in Arabic', async () => {
  const { id } = await make({ name: 'ليلى', phone: newPhone() })
  const { page } = await open({ at: `contacts/${id}`, language: 'ar' })
  await press(page, 'إيقاف الرسائل')
  await press(page.getByRole('dialog'), 'إيقاف الرسائل')
  await press(page, 'استئناف الرسائل')
  const dialog = page.getByRole('dialog')
  await press(dialog, 'استئناف الرسائل')
  await sees(dialog, 'بقي تصحيح واحد')
  await dialog.getByLabel('السبب').fill('طلبت ذلك')
  await press(dialog, 'استئناف الرسائل')
  await page.getByText('طلبت ذلك').first().waitFor()
  expect(await show(id)).toMatchObject({ optedOut: false })
  expect(await findFlaws(page)).toEqual([])
})

test('a member tags the selected contacts, and shows a segment of them as a view', async () => {
  const [first] = await Promise.all(['Amal', 'Badr'].map((name) => make({ name })))
  const { page, go } = await open({ at: 'contacts' })
  await page.getByRole('checkbox', { name: /Select .Amal/ }).click()
  await press(page, 'Add tag')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tag', { exact: true }).first().fill('loyal')
  await press(dialog, 'Tag 1 contact')
  await sees(page, '1 contact updated')
  expect((await show(first!.id)).tags).toEqual(['loyal'])
  const segment = { name: 'Loyal ones', filter: { tags: ['loyal'] } }
  await owner.ask('POST', `${at}/segments`, segment)
  await go('contacts')
  await follow(page, 'Loyal ones 1')
  await page.getByRole('row').filter({ hasText: 'Badr' }).waitFor({ state: 'hidden' })
  await page.getByRole('row').filter({ hasText: 'Amal' }).waitFor()
  await pick(page, 'Segments', 'Delete segment')
  await press(page.getByRole('dialog'), 'Delete segment')
  await page.getByText('Badr').first().waitFor()
  expect((await owner.ask<{ items: object[] }>('GET', `${at}/segments`)).body.items).toEqual([])
})

test('a member merges two contacts, and erases one only when its name is typed', async () => {
  const phone = newPhone()
  const kept = await make({ name: 'Sami', phone })
  const gone = await make({ name: 'Sami N', email: 'sami@example.com' })
  const { page } = await open({ at: `contacts/${kept.id}` })
  await pick(page, 'More', 'Merge with another contact')
  const merge = page.getByRole('dialog', { name: 'Merge contacts' })
  await merge.getByLabel('Contact to merge into this one').first().fill('Sami N')
  await page.getByRole('option', { name: 'Sami N' }).click()
  await sees(merge.getByRole('region', { name: 'Merged in' }), 'sami@example.com')
  await press(merge, /Merge into .Sami/)
  await merge.waitFor({ state: 'hidden' })
  await sees(page, 'sami@example.com')
  expect(await show(gone.id)).toMatchObject({ id: kept.id, phone, email: 'sami@example.com' })
  await pick(page, 'More', 'Erase permanently')
  const erase = page.getByRole('dialog', { name: /Permanently erase/ })
  const act = erase.getByRole('button', { name: 'Erase permanently' })
  await erase.getByRole('textbox').fill('Sam')
  expect(await act.isDisabled()).toBe(true)
  await erase.getByRole('textbox').fill('Sami')
  await act.click()
  await page.waitForURL('**/contacts')
  expect(await show(kept.id)).toMatchObject({ name: null, phone: null })
})

test('a member separates two merged contacts, and removes a pair that is not the same person from the list', async () => {
  const [one, other] = [await make({ name: 'Twin A' }), await make({ name: 'Twin B' })]
  await owner.ask('POST', `${at}/contacts/${one.id}/merge`, { fromId: other.id })
  const { page } = await open({ at: `contacts/${one.id}` })
  await press(page, 'Separate')
  const dialog = page.getByRole('dialog', { name: /Separate .Twin B. from this contact/ })
  await press(dialog, 'Separate')
  await dialog.waitFor({ state: 'hidden' })
  expect(await show(other.id)).toMatchObject({ id: other.id, name: 'Twin B' })

  for (const phone of [newPhone(), newPhone()]) await make({ name: 'سارة التوأم', phone })
  await page.goto(new URL('duplicates', page.url()).href)
  const pair = page.locator('section').filter({ hasText: 'Same name: سارة التوأم' })
  await press(pair, 'Not the same person')
  await pair.waitFor({ state: 'detached' })
  const { body } = await owner.ask<{ items: object[] }>('GET', `${at}/contact-duplicates`)
  expect(JSON.stringify(body.items)).not.toContain('سارة التوأم')
})

test('an Agent works with contacts, but does not import, export, merge or erase them', async () => {
  const { id } = await make({ name: 'Amal' })
  const { page, go } = await openAsAgent({ at: 'contacts' })
  await page.getByRole('row').filter({ hasText: 'Amal' }).waitFor()
  expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0)
  await go(`contacts/${id}`)
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0)
})

test('untrusted input is shown as text in every place, on a phone too', async () => {
  const field = { key: 'city', label: HOSTILE.slice(0, 80), kind: 'text' }
  await owner.ask('POST', `${at}/contact-fields`, field)
  const { id } = await make({
    name: HOSTILE,
    phone: newPhone(),
    tags: [HOSTILE.slice(0, 50)],
    fields: { city: HOSTILE },
  })
  await owner.ask('POST', `${at}/segments`, { name: HOSTILE.slice(0, 80), filter: {} })
  const { page, go } = await open({ at: 'contacts', width: 390, height: 844 })
  const hostile = page.getByText(HOSTILE.slice(0, 50)).filter({ visible: true }).first()
  await hostile.waitFor()
  expect(await findFlaws(page)).toEqual([])
  for (const path of [`contacts/${id}`, 'contacts/settings']) {
    await go(path)
    await hostile.waitFor()
    expect(await findFlaws(page)).toEqual([])
  }
})

async function makeLead(name: string, input: object = {}): Promise<LeadView> {
  const made = { contactId: (await make({ name })).id, ...input }
  return (await owner.ask<LeadView>('POST', `${at}/leads`, made)).body
}
const showLead = async (id: string) => (await owner.ask<LeadView>('GET', `${at}/leads/${id}`)).body

test('a card on the board of leads is moved by the keyboard alone, and a lost lead asks for the reason', async () => {
  const lead = await makeLead('Sara', { score: 70, temperature: 'hot', summary: 'Two machines' })
  const { page } = await openAsAgent({ at: 'leads' })
  await sees(page.getByRole('region', { name: 'Open' }), 'Two machines')
  await page.getByRole('button', { name: /Move .Sara/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Qualify' }).press('Enter')
  const qualified = page.getByRole('region', { name: 'Qualified' })
  await sees(qualified, 'Sara')
  expect(await showLead(lead.id)).toMatchObject({ status: 'qualified' })
  await page.getByRole('button', { name: /Move .Sara/ }).press('Enter')
  await page.getByRole('menuitem', { name: 'Mark as lost' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Reason').fill('Too dear')
  await press(page.getByRole('dialog'), 'Mark as lost')
  await sees(page.getByRole('region', { name: 'Lost' }), 'Sara')
  expect(await showLead(lead.id)).toMatchObject({ status: 'lost', lostReason: 'Too dear' })
})

test('a card of a lead is dragged to another column, and never to one that it may not enter', async () => {
  const lead = await makeLead('Fahad')
  const { page } = await openAsAgent({ at: 'leads' })
  const card = page.getByRole('listitem').filter({ hasText: 'Fahad' })
  await card.dragTo(page.getByRole('region', { name: 'Won' }))
  await sees(page.getByRole('region', { name: 'Won' }), 'Fahad')
  await card.dragTo(page.getByRole('region', { name: 'Qualified' }))
  await sees(page, 'Won and lost leads can only be reopened')
  expect(await showLead(lead.id)).toMatchObject({ status: 'won' })
})

test('a lead is made, opened next to the board and changed, in Arabic', async () => {
  await make({ name: 'ريم القحطاني' })
  const { page } = await openAsAgent({ at: 'leads', language: 'ar' })
  await press(page, 'إضافة عميل محتمل')
  const dialog = page.getByRole('dialog', { name: 'إضافة عميل محتمل' })
  await dialog.getByLabel('العميل').first().fill('ريم القح')
  await page.getByRole('option', { name: 'ريم القحطاني' }).click()
  await press(dialog, 'إضافة عميل محتمل')
  const drawer = page.getByRole('dialog', { name: 'ريم القحطاني' })
  await drawer.getByLabel('موضوع الطلب').fill('طقم كامل')
  await press(drawer, 'حفظ')
  await sees(page, 'حُفظ العميل المحتمل')
  expect(await findFlaws(page)).toEqual([])
})

test('typed changes of a lead stay when others change it, and their changes are shown', async () => {
  const lead = await makeLead('Huda', { summary: 'A grinder' })
  const { page } = await openAsAgent({ at: `leads?lead=${lead.id}` })
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('What they want').fill('A grinder and two kilos')
  world.clock.advance(1_000)
  await owner.ask('PATCH', `${at}/leads/${lead.id}`, { score: 80, summary: 'A mill' })
  await expect.poll(() => drawer.getByLabel('Score').inputValue()).toBe('80')
  expect(await drawer.getByLabel('What they want').inputValue()).toBe('A grinder and two kilos')
  world.clock.advance(1_000)
  await press(drawer, 'Save')
  await sees(page, 'Lead saved')
  expect(await showLead(lead.id)).toMatchObject({ score: 80, summary: 'A grinder and two kilos' })
  world.clock.advance(1_000)
  await owner.ask('PATCH', `${at}/leads/${lead.id}`, { summary: 'Nothing' })
  await expect.poll(() => drawer.getByLabel('What they want').inputValue()).toBe('Nothing')
})

test('a lead that was refused without a customer is saved once one is chosen', async () => {
  await make({ name: 'Maha Al-Harbi' })
  const { page } = await openAsAgent({ at: 'leads' })
  await page.getByRole('button', { name: 'Add lead' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add lead' })
  await press(dialog, 'Add lead')
  await sees(dialog, '1 problem to fix')
  await dialog.getByLabel('Customer').first().fill('Maha')
  await page.getByRole('option', { name: 'Maha Al-Harbi' }).click()
  await press(dialog, 'Add lead')
  const drawer = page.getByRole('dialog', { name: 'Maha Al-Harbi' })
  await drawer.waitFor()
  expect(await drawer.getByText('1 problem to fix').count()).toBe(0)
})

test('text of a customer is shown as text on the board and in the table, on a phone too', async () => {
  await makeLead(HOSTILE, { summary: HOSTILE })
  const { page, go } = await openAsAgent({ at: 'leads', width: 390, height: 844 })
  await page.getByRole('button', { name: HOSTILE, exact: true }).waitFor()
  expect(await findFlaws(page)).toEqual([])
  await go('leads?view=table')
  await page.getByRole('row').filter({ hasText: HOSTILE }).waitFor()
  expect(await findFlaws(page)).toEqual([])
})

/** A shop whose opening hours were changed after a customer had booked. */
const { shop: booked, owner: boss } = await ownedShop(world)
const openBooked = dashboardOf(world, booked)
const { tastingId } = await addBookingPage(world, { companyId: booked.companyId })
const day = '2026-11-24'
// Tuesday at noon in Riyadh.
const appointment = { serviceId: tastingId, startsAt: `${day}T09:00:00Z`, name: HOSTILE }
await ask('/appointments', { key: 'key-of-a-member-0001', ...appointment })
await ask('/opening-changes', { firstDay: day, lastDay: day, hours: null })

async function ask(path: string, json: unknown): Promise<void> {
  const { status } = await boss.ask('POST', `/companies/${booked.companyId}${path}`, json)
  expect(status).toBe(201)
}

test.each([{ language: 'en' }, { language: 'ar', width: 360, height: 740 }] as const)(
  'the notice of appointments outside of opening hours leads to the whole list: $language',
  async (look) => {
    const { page, go, say } = await openBooked({ ...look, at: '' })
    await press(page, say(topWords, 'unread_notices', { n: 1 }))
    const notices = page.getByRole('dialog')
    await notices.getByRole('link').first().click()
    await page.waitForURL('**/appointments/outside-hours')
    await page.getByRole('heading', { name: say(appointmentsWords, 'outside') }).waitFor()
    await page.getByText(/12:00/).first().waitFor()
    await page.getByText('Sara').first().waitFor()
    await page.keyboard.press('Escape')
    expect(await findFlaws(page)).toEqual([])
    await page.getByRole('link', { name: HOSTILE }).first().click()
    await page.waitForURL(/appointments\/[-0-9a-f]{36}$/)
    await go('appointments?date=2026-11-24')
    await sees(page, say(appointmentsWords, 'outside_n', { n: 1 }))
  },
)

test('a completed appointment is corrected to a no-show, and back; a cancelled one stays', async () => {
  world.clock.advance(4 * DAY_MS)
  const { page } = await openBooked({ role: 'agent', at: 'appointments?date=2026-11-24&view=list' })
  await page.getByRole('link', { name: HOSTILE }).first().click()
  const panel = page.getByRole('complementary', { name: 'Appointment' })
  const act = (name: string) => panel.getByRole('button', { name, exact: true })
  await act('Mark as completed').click()
  await act('Mark as no-show').click()
  await act('Mark as completed').waitFor()
  await act('Mark as completed').click()
  await act('Mark as no-show').waitFor()
  await panel.getByText('No-show').first().waitFor()
  expect(await act('Cancel…').count()).toBe(0)
})
