/**
 * The account's screens in a real browser: team, audit, settings, profile, usage, plan. Two people who edit
 * concurrently and one who is interrupted lose nothing: no change of a colleague, nothing typed and nothing shown
 * only once.
 */
import { afterAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/modules/accounts/password.ts'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import type { MeView } from '../../src/contract/dashboard/me.ts'
import type { Page as ListPage } from '../../src/contract/dashboard/page.ts'
import { type Member, signedIn } from '../support/dashboard.ts'
import { appears, dashboardOf, HOSTILE } from '../support/dashboard-page.ts'
import { describePerson } from '../support/records/members.ts'
import { createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import type { ActionView } from '../../src/contract/dashboard/action.ts'
import type { ResourceView } from '../../src/contract/dashboard/booking-setup.ts'
import type { ConnectionView } from '../../src/contract/dashboard/connection.ts'
import type { EndpointView } from '../../src/contract/dashboard/endpoint.ts'
import { SIGN_IN_LIMITS } from '../../src/core/limits/sign-in.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { startShopApi } from '../support/shop-api.ts'
import { follow, press, sees } from '../support/page-steps.ts'

const world = await openWorld()
const shop = await createShop(world)

const open = dashboardOf(world, shop)

/** The first company of the member's account. */
async function projectOf(member: Member): Promise<CompanyView> {
  const { items } = (await member.ask<ListPage<CompanyView>>('GET', '/companies')).body
  return items[0]!
}

test('a colleague is invited by a link that is shown once, given another role, and removed', async () => {
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const { page } = await open({ at: 'team' })
  await press(page, 'Invite a teammate')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('new@example.com')
  await dialog.getByLabel('Admin', { exact: true }).check()
  await press(dialog, /^Send invitation$/)
  const link = dialog.locator('code')
  await link.waitFor()
  expect(await link.textContent()).toContain(`${world.url}/invitation#`)
  await sees(dialog, 'The person opens it in a browser to accept the invitation.')
  expect(await dialog.getByText('never in a browser').count()).toBe(0)
  expect(await dialog.getByText('Download .env').count()).toBe(0)
  await dialog.getByLabel('I’ve stored it safely').check()
  await press(dialog, 'Close')
  const invitation = page.getByRole('row').filter({ hasText: 'new@example.com' })
  await sees(invitation, 'You, as a link')

  const row = page.getByRole('row').filter({ hasText: agent.email })
  await press(row, 'Change role')
  await dialog.getByLabel('Admin', { exact: true }).check()
  await press(dialog, 'Change role')
  await sees(row, 'Admin')
  await press(row, 'Remove')
  await sees(dialog, 'conversations assigned to them')
  await press(dialog, /^Remove/)
  await row.waitFor({ state: 'detached' })
})

test('a project name that looks like a script is shown as text everywhere', async () => {
  const { page } = await open({ at: 'settings' })
  await press(page, 'New project')
  await page.getByRole('dialog').getByLabel('Name').fill(HOSTILE)
  await press(page, 'Create project')
  await follow(page, HOSTILE)
  await page.waitForURL((url) => !url.pathname.includes(shop.companyId))
  const project = page.url()
  await page.goto(`${project}/settings`)
  await page.getByLabel('Name', { exact: true }).fill(`${HOSTILE} 2`)
  await page.getByRole('button', { name: 'Save' }).first().click()
  await sees(page, 'Saved')
  await page.goto(`${project}/audit?action=company.renamed`)
  await page.locator('summary', { hasText: 'Project renamed' }).first().click()
  await page.locator('del', { hasText: HOSTILE }).waitFor()
  expect(await appears(page.locator('ins', { hasText: `${HOSTILE} 2` }))).toBe(true)
})

test('opening hours are entered for each weekday, in Arabic digits too, and refused at their field', async () => {
  const { page, member: owner } = await open({ at: 'settings', language: 'ar' })
  await page.getByRole('switch', { name: 'مفتوح على مدار الساعة' }).click({ force: true })
  await press(page, 'إضافة ساعات يوم \u2068الأحد\u2069')
  const from = page.getByLabel('\u2068الأحد\u2069، من')
  await from.fill('٢٥:٠٠')
  await page.getByRole('button', { name: 'حفظ' }).nth(1).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  await from.fill('٨:٣٠')
  await page.getByRole('button', { name: 'حفظ' }).nth(1).click()
  await sees(page, /^حُفظ$/)
  const { openingHours } = await projectOf(owner)
  expect(openingHours?.sunday).toEqual([{ from: '08:30', to: '17:00' }])
})

test('the audit log is filtered by its address, and exported as a file once the password is entered', async () => {
  const { page, go, member } = await open({ at: 'audit?action=invitation.created' })
  const password = 'a long enough password'
  await describePerson(world, member.personId, { passwordHash: await hashPassword(password) })
  await page.getByText('Teammate invited').first().waitFor()
  expect(await page.locator('details', { hasText: 'Project created' }).count()).toBe(0)
  world.clock.advance(SIGN_IN_LIMITS.passwordFreshMs + 1)
  const download = page.waitForEvent('download')
  await press(page, 'Export CSV')
  const asked = page.getByRole('dialog')
  await asked.getByLabel('Password', { exact: true }).fill(password)
  await press(asked, partsWords.en.go_on)
  expect((await download).suggestedFilename()).toBe('audit.csv')
  await go('audit?action=no.such')
  await press(page, 'Clear filters')
  await page.getByText('Audit log exported').first().waitFor()
})

test('a person chooses language, digits and clock, and ids keep their digits', async () => {
  const { page, go } = await open({ at: 'profile' })
  for (const [label, option] of [
    ['Language', 'Arabic, العربية'],
    ['Digits when using Arabic', '٠١٢٣'],
    ['Time zone for dates and times', 'UTC'],
  ] as const) {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await press(page, 'Save')
  await page.getByRole('heading', { name: 'ملفك الشخصي' }).waitFor()
  await go('usage')
  await page.getByText('١٬٠٠٠').first().waitFor()
  await page.getByTitle('الأوقات معروضة بتوقيت UTC').waitFor()
  await appears(page.getByText(/٠٠:٠٠/).nth(1))
  await go('audit')
  await page.locator('summary').first().click()
  expect(await page.locator('details[open] button bdi').textContent()).toMatch(/^[0-9a-f-]+…/)
  await press(page, 'English')
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
})

test('saving a name keeps what was changed elsewhere after the page was opened', async () => {
  const { page, go, member } = await open()
  const name = page.getByLabel('Name', { exact: true })
  await go('settings')
  const project = `/companies/${shop.companyId}`
  expect((await member.ask('PATCH', project, { timeZone: 'Asia/Dubai' })).status).toBe(200)
  await name.fill('Dar Al Bun')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect
    .poll(() => projectOf(member))
    .toMatchObject({ name: 'Dar Al Bun', timeZone: 'Asia/Dubai' })

  await go('profile')
  expect((await member.ask('PATCH', '/me', { digits: 'arabic' })).status).toBe(200)
  await name.fill('Huda')
  await press(page, 'Save')
  await expect
    .poll(async () => (await member.ask<MeView>('GET', '/me')).body)
    .toMatchObject({ name: 'Huda', digits: 'arabic' })
})

const api = await startShopApi(world)
const { shop: ours, owner: colleague } = await ownedShop(world)
const path = (list: string) => `/companies/${ours.companyId}/${list}`.replace(/\/$/, '')
const connection = await make<ConnectionView>('connections', {
  name: 'Orders',
  baseUrl: api.baseUrl,
})
afterAll(() => api.close())
const openOurs = dashboardOf(world, ours)

async function make<Made>(list: string, input: object): Promise<Made> {
  const { status, body } = await colleague.ask<Made>('POST', path(list), input)
  expect(status).toBe(201)
  return body
}

/** Makes a change as a colleague, a second later. */
async function change(list: string, input: object): Promise<void> {
  world.clock.advance(SECOND_MS)
  expect((await colleague.ask('PATCH', path(list), input)).status).toBe(200)
}

const read = async <View>(list: string) => (await colleague.ask<View>('GET', path(list))).body

test('changing the path of an action keeps the confirmation that a colleague has just required', async () => {
  const action = await make<ActionView>('actions', {
    toolName: 'order_status',
    description: 'Looks up an order.',
    request: actionRequest(connection.id),
    parameters: [ORDER],
    needsConfirmation: false,
  })
  const { page } = await openOurs({ at: `actions/${action.id}`, role: 'admin' })
  const told = page.getByLabel('Description', { exact: true }).first()
  await told.fill('Looks up where an order is.')
  await change(`actions/${action.id}`, { needsConfirmation: true })
  await press(page, /^Save$/)
  await sees(page, /^Saved$/)
  expect(await read(`actions/${action.id}`)).toMatchObject({
    description: 'Looks up where an order is.',
    needsConfirmation: true,
  })
})

test('renaming a person keeps the hours that a colleague has set meanwhile; Escape closes one dialog only', async () => {
  const sara = await make<ResourceView>('resources', { name: 'Sara', kind: 'person' })
  const { page } = await openOurs({ at: 'appointments/set-up?tab=people', role: 'admin' })
  await press(page, 'Sara')
  const dialog = page.getByRole('dialog').filter({ hasText: 'Name in Arabic' })
  await dialog.getByLabel('Name in Arabic').fill('سارة')
  const hours = { sunday: [{ from: '10:00', to: '14:00' }] }
  await change(`resources/${sara.id}`, { hours })

  await press(dialog, 'Delete')
  const question = page.getByRole('dialog').filter({ hasText: /Delete .*Sara/ })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Name in Arabic').inputValue()).toBe('سارة')

  await press(dialog, 'Save')
  await dialog.waitFor({ state: 'detached' })
  const { items } = await read<{ items: ResourceView[] }>('resources')
  expect(items.find(({ id }) => id === sara.id)).toMatchObject({ nameAr: 'سارة', hours })
})

test('the opening hours that a colleague sets appear next to what is typed, and are kept', async () => {
  const { page } = await openOurs({ at: 'settings', role: 'admin' })
  const always = page.getByLabel('Always open')
  await always.click()
  await press(page, /Add hours for .*Friday/)
  const hours = { monday: [{ from: '08:00', to: '12:00' }] }
  await change('', { openingHours: hours })
  // The browser comes back to the front, minutes later.
  world.clock.advance(2 * MINUTE_MS)
  await page.context().clock.setSystemTime(world.clock.now())
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
  await page.getByLabel(/Monday.*, from/).waitFor()
  await press(page.locator('form').filter({ has: always }), 'Save')
  await sees(page, /^Saved$/)
  const { openingHours } = await projectOf(colleague)
  expect(openingHours).toMatchObject({ ...hours, friday: [{ from: '09:00', to: '17:00' }] })
})

test('a connection that a colleague changed meanwhile is shown again, typed text stays, and a save works', async () => {
  const { page } = await openOurs({ at: `connections/${connection.id}`, role: 'admin' })
  await page.getByLabel('Name', { exact: true }).fill('All orders')
  await change(`connections/${connection.id}`, { timeoutSeconds: 7 })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await appears(page.getByText(/while you were editing/).first())
  await expect.poll(() => page.getByLabel('Timeout (seconds)').inputValue()).toContain('7')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('All orders')
  await save.click()
  await sees(page, /^Saved$/)
  expect(await read(`connections/${connection.id}`)).toMatchObject({
    name: 'All orders',
    timeoutSeconds: 7,
  })
})

test('a rotated secret is shown with its fingerprint, and its page cannot be left before it is stored', async () => {
  const { page, go } = await openOurs({ at: 'webhooks' })
  await page.locator(`main a[href$="${ours.endpointId}"]`).first().click()
  await page.getByRole('button', { name: 'Rotate secret' }).first().click()
  await press(page.getByRole('dialog'), /^Rotate secret$/)
  const dialog = page.getByRole('dialog').filter({ hasText: 'whsec_' })
  await dialog.waitFor()
  const [current] = (await read<EndpointView>(`endpoints/${ours.endpointId}`)).secrets
  const said = (await dialog.innerText()).replaceAll(/\s/g, '')
  expect(said).toContain(current!.fingerprint!.replaceAll(/\s/g, ''))

  const address = page.url()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog').getByRole('combobox')
  await palette.fill('Inbox')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('combobox').waitFor({ state: 'detached' })
  expect(page.url()).toBe(address)
  await page.evaluate('history.back()')
  await expect.poll(() => page.url()).toBe(address)
  await dialog.waitFor()
  expect(page.url()).toBe(address)
  await dialog.getByLabel('I’ve stored it safely').check()
  await press(dialog, 'Close')
  await dialog.waitFor({ state: 'detached' })
  await go('inbox')
})
