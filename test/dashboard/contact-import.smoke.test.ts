/** A thousand contacts brought in from a file with faults, in both languages. Spec: Contacts › Import. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importWords } from '../../src/dashboard/contacts/imports/words.ts'
import { contactsWords } from '../../src/dashboard/contacts/words.ts'
import { CONTACT_JOBS } from '../../src/limits/contacts.ts'
import { findBarriers } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { spokenIn } from '../support/spoken.ts'
import { uploadContacts } from '../support/upload-contacts.ts'

const HOSTILE = '"><img src=x onerror=globalThis.isHurt=true>'
const ROWS = 1_000
const UNREADABLE = 20
const REPEATED = 15
const NO_ADDRESS = 10

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  await world.close()
})

/** As a spreadsheet writes it: some phones are none, some are there twice, and names are anything. */
function fileOf(language: 'en' | 'ar'): string {
  const head = language === 'ar' ? 'الاسم,الجوال,البريد' : 'Full name,Mobile,E-mail'
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const known = at < ROWS - REPEATED ? at : at - 500
    const phone = at < UNREADABLE ? '12' : `05${String(10_000_000 + known)}`
    const name = at === 0 || at === UNREADABLE ? `"${HOSTILE.replaceAll('"', '""')}"` : `Sara ${at}`
    const email = at % (ROWS / NO_ADDRESS) === 50 ? 'no address' : `sara${at}@example.com`
    return `${name},${phone},${email}`
  })
  return [head, ...rows].join('\r\n')
}

async function passUntil(isThere: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(
      async () => {
        await world.service.processAll()
        world.clock.advance(CONTACT_JOBS.pageEveryMs)
        return isThere()
      },
      { interval: 50 },
    )
    .toBe(true)
}

test.each(['en', 'ar'] as const)('%s', async (language) => {
  const key = world.service.context.ids.token(6)
  const shop = await createShop(world, { phoneNumberId: key, businessAccountId: key })
  const { page, close, faults, go } = await openDashboard(world, { ...shop, language })
  const say = spokenIn(language)
  await go('contacts')
  await page.getByRole('link', { name: say(contactsWords, 'import') }).click()
  const name = `${HOSTILE}.csv`
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(fileOf(language)) })
  await page.getByRole('heading', { name }).waitFor()
  // What the headers say is put in beforehand.
  const column = (target: 'phone' | 'language') =>
    page.getByRole('combobox', {
      name: say(importWords, 'column_of', { name: importWords[language][target] }),
    })
  await expect
    .poll(() => column('phone').inputValue())
    .toBe(language === 'ar' ? 'الجوال' : 'Mobile')
  expect(await column('language').inputValue()).toBe('')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: say(importWords, 'check') }).click()

  // Of two with one phone the last counts.
  const leftOut = UNREADABLE + NO_ADDRESS + REPEATED
  const good = ROWS - leftOut
  const start = page.getByRole('button', { name: say(importWords, 'start', { n: good }) })
  await passUntil(() => start.isVisible())
  await page.getByText(say(importWords, 'left_out', { n: leftOut })).waitFor()
  const table = page.getByRole('table', { name: say(importWords, 'faults') })
  // What a window has no room for is drawn in the moment after.
  await expect.poll(() => table.locator('tbody tr').count()).toBe(leftOut)
  expect(await table.locator('tbody tr').first().innerText()).toMatch(
    language === 'ar' ? /2[\s\S]*[\u0600-\u06ff]/ : /2\s+(Mobile|phone)[\s\S]*[a-z]/i,
  )
  await start.click()
  const dialog = page.getByRole('dialog', { name: say(importWords, 'start_title', { n: good }) })
  await dialog.waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: say(importWords, 'start', { n: good }) }).click()

  const done = page.getByRole('heading', { name: say(importWords, 'done_title') })
  await passUntil(() => done.isVisible())
  const figure = (which: 'created' | 'updated' | 'unchanged' | 'left') =>
    page
      .locator('dl > div')
      .filter({ has: page.locator('dt', { hasText: say(importWords, which) }) })
      .locator('dd')
      .innerText()
  expect(await figure('created')).toBe(String(good))
  expect(await figure('left')).toBe(String(leftOut))
  await page.getByRole('link', { name: say(importWords, 'to_contacts') }).click()
  await page.getByRole('searchbox').fill('img src')
  await page.getByRole('row').filter({ hasText: HOSTILE }).waitFor()
  expect(await page.evaluate(() => 'isHurt' in globalThis)).toBe(false)
  expect(faults).toEqual([])
  await close()
})

const SMALL = 'Name,Mobile\r\nSara,0501234567'

async function openImports() {
  const key = world.service.context.ids.token(6)
  const shop = await createShop(world, { phoneNumberId: key, businessAccountId: key })
  const opened = await openDashboard(world, shop)
  const upload = async () => {
    expect((await uploadContacts(world, opened.member, shop, SMALL)).status).toBe(201)
  }
  return { ...opened, shop, upload, file: opened.page.getByRole('link', { name: 'customers.csv' }) }
}

test('a file that is brought elsewhere stands in the list by itself', async () => {
  const { page, close, faults, go, upload, file } = await openImports()
  await go('contacts/imports')
  await page.getByText('No import yet').waitFor()
  await upload()
  await file.waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a link of a list that is pressed with Control opens another tab, and this one stays', async () => {
  const { page, context, close, faults, go, upload, shop, file } = await openImports()
  await upload()
  await go('contacts/imports')
  const opened = context.waitForEvent('page')
  opened.catch(() => {})
  // A click that does not come about is told as such.
  await file.click({ modifiers: ['ControlOrMeta'] })
  const tab = await opened
  await tab.getByRole('heading', { name: 'customers.csv' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/p/${shop.companyId}/contacts/imports`)
  await file.click()
  await page.getByRole('heading', { name: 'customers.csv' }).waitFor()
  await tab.close()
  expect(faults).toEqual([])
  await close()
})
