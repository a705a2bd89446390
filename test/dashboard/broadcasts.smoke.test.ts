/** Many contacts together in a real browser: broadcasts, sent through the simulated provider, and contacts imported from a file. Spec: Broadcasts › Sending; Broadcasts › Outcome; Contacts › Import. */
import type { Page as BrowserPage } from 'playwright-core'
import { expect, test } from 'vitest'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { draftWords } from '../../src/dashboard/broadcasts/words-draft.ts'
import { broadcastsWords } from '../../src/dashboard/broadcasts/words.ts'
import { openBroadcasts } from '../support/broadcasts.ts'
import {
  appears,
  dashboardOf,
  findFlaws,
  HOSTILE,
  openDashboard,
} from '../support/dashboard-page.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { importWords } from '../../src/dashboard/contacts/imports/words.ts'
import { contactsWords } from '../../src/dashboard/contacts/words.ts'
import { CONTACT_JOBS } from '../../src/core/limits/contacts.ts'
import { createOwnShop } from '../support/shop.ts'
import { uploadContacts } from '../support/upload-contacts.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { chooseOption, follow, pick, press, sees } from '../support/page-steps.ts'

const { world, whatsApp } = await openWhatsApp()
const news = await openBroadcasts(world, whatsApp)

const open = dashboardOf(world, news.shop)

const MANY = 200

test.each(LANGUAGES)(
  'a broadcast is written with a preview, checked, sent to 200 and reported: %s',
  async (language) => {
    const before = news.sent().length
    const tag = `vip ${language}`
    await news.contacts(MANY - 1, tag)
    // The preview shows the newest contact first.
    await news.contact({ name: 'Noura', tags: [tag] })
    await news.contact({ phone: null, email: `${language}@x.example`, tags: [tag] })
    await news.owner.ask('POST', `${news.at}/segments`, { name: tag, filter: { tags: [tag] } })
    const { page, say } = await open({ at: 'broadcasts/new', language })
    await page.getByLabel(say(draftWords, 'name')).fill(`We move ${language}`)
    await chooseOption(page, say(draftWords, 'template'), 'notice')
    const value = page.getByRole('textbox', { name: say(draftWords, 'value_body') })
    await value.fill('friend')
    await sees(page, 'Dear friend, we move.')
    await value.fill('')
    await pick(page, say(draftWords, 'insert'), say(draftWords, 'insert_name'))
    await press(page, say(draftWords, 'next'))
    await page.getByRole('radio', { name: say(draftWords, 'by_segment') }).click()
    await chooseOption(page, say(draftWords, 'segment'), tag)
    await sees(page, say(draftWords, 'fits', { n: MANY + 1 }))
    await press(page, say(draftWords, 'to_check'))
    await sees(page, say(broadcastsWords, 'goes_to', { n: MANY }))
    const left = page.getByText(say(broadcastsWords, 'left_out', { n: 1 }))
    await left.waitFor()
    await sees(page, /Dear (?:Noura|Sara), we move\./)
    const send = say(broadcastsWords, 'send', { n: MANY })
    await press(page, send)
    const dialog = page.getByRole('dialog', {
      name: say(broadcastsWords, 'send_title', { n: MANY }),
    })
    await dialog.waitFor()
    expect(await findFlaws(page)).toEqual([])
    await press(dialog, send)
    await sees(page, say(broadcastsWords, 'started'))
    const { body } = await news.owner.ask<Page<BroadcastView>>('GET', `${news.at}/broadcasts`)
    const { id } = body.items.find((one) => one.name === `We move ${language}`)!
    // The page follows the broadcast without a reload.
    await news.finish(id)
    await page.getByText(say(broadcastsWords, 'done'), { exact: true }).first().waitFor()
    const recipients = page.getByRole('table', { name: say(broadcastsWords, 'recipients') })
    await recipients.getByText('Sara').first().waitFor()
    await left.waitFor()
    await sees(page, say(broadcastsWords, 'written_to', { n: MANY }))
    expect(news.sent()).toHaveLength(before + MANY)
    expect(await findFlaws(page)).toEqual([])
  },
)

test('a broadcast is paused, resumed at another rate, and cancelled, in Arabic', async () => {
  await news.contacts(40, 'many')
  const id = await news.start('many', { perSecond: 2 })
  await news.enqueue()
  const { page } = await open({ at: `broadcasts/${id}`, language: 'ar' })
  await press(page, 'إيقاف مؤقت', /^استئناف$/)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('5')
  await press(dialog, /^استئناف$/)
  await dialog.waitFor({ state: 'hidden' })
  expect(await news.show(id)).toMatchObject({ perSecond: 5 })
  await press(page, 'إلغاء الرسالة الجماعية')
  await press(page.getByRole('dialog'), 'إلغاء الرسالة الجماعية')
  await sees(page, 'أُلغيت الرسالة الجماعية')
  expect(await news.show(id)).toMatchObject({ state: 'cancelled' })
  expect(await findFlaws(page)).toEqual([])
})

test('a broadcast name that is a script is shown as text', async () => {
  const draft = await news.draft('nobody', { name: HOSTILE })
  const { page, go } = await open({ at: 'broadcasts', width: 390, height: 844 })
  await page.getByText(HOSTILE).first().waitFor()
  await go(`broadcasts/${draft.id}`)
  await page.getByRole('heading', { name: HOSTILE }).waitFor()
  expect(await findFlaws(page)).toEqual([])
})

const ROWS = 1_000
const UNREADABLE = 20
const REPEATED = 15
const NO_ADDRESS = 10

/**
 * Returns a file as a spreadsheet writes it: some phones are unreadable, some are there twice, and names are
 * anything.
 */
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
  const isThereNow = async () => {
    await world.service.processAll()
    world.clock.advance(CONTACT_JOBS.pageEveryMs)
    return isThere()
  }
  await expect.poll(isThereNow, { interval: 50 }).toBe(true)
}

test.each(LANGUAGES)(
  'a thousand contacts are imported from a file with faults: %s',
  async (language) => {
    const shop = await createOwnShop(world)
    const { page, say } = await openDashboard(world, { ...shop, language, at: 'contacts' })
    await follow(page, say(contactsWords, 'import'))
    const name = `${HOSTILE}.csv`
    const file = { name, mimeType: 'text/csv', buffer: Buffer.from(fileOf(language)) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('heading', { name }).waitFor()
    // The columns that the headers name are chosen beforehand.
    const column = (target: 'phone' | 'language') =>
      page.getByRole('combobox', {
        name: say(importWords, 'column_of', { name: importWords[language][target] }),
      })
    await expect
      .poll(() => column('phone').inputValue())
      .toBe(language === 'ar' ? 'الجوال' : 'Mobile')
    expect(await column('language').inputValue()).toBe('')
    const country = page.getByRole('combobox', { name: say(importWords, 'country') })
    expect(await country.inputValue()).not.toBe('')
    expect(await findFlaws(page)).toEqual([])
    await press(page, say(importWords, 'check'))

    const leftOut = UNREADABLE + NO_ADDRESS
    const good = ROWS - leftOut - REPEATED
    const start = page.getByRole('button', { name: say(importWords, 'start', { n: good }) })
    await passUntil(() => start.isVisible())
    await sees(page, say(importWords, 'left_out', { n: leftOut }))
    const table = page.getByRole('table', { name: say(importWords, 'rows_checked') })
    await pick(page, say(importWords, 'only'), say(importWords, 'left_out_rows'))
    // Rows outside of the window are drawn a moment later.
    await expect.poll(() => table.locator('tbody tr').count()).toBe(leftOut)
    expect(await table.locator('tbody tr').first().innerText()).toMatch(
      language === 'ar' ? /2[\s\S]*الجوال[\s\S]*[\u0600-\u06ff]/ : /2\s[\s\S]*Mobile[\s\S]*[a-z]/,
    )
    await start.click()
    const dialog = page.getByRole('dialog', { name: say(importWords, 'start_title', { n: good }) })
    await dialog.waitFor()
    expect(await findFlaws(page)).toEqual([])
    await press(dialog, say(importWords, 'start', { n: good }))

    const done = page.getByRole('heading', { name: say(importWords, 'done_title') })
    await passUntil(() => done.isVisible())
    const figure = (which: 'created' | 'combined' | 'left_out_rows') =>
      page
        .locator('dl > div')
        .filter({ has: page.locator('dt', { hasText: say(importWords, which) }) })
        .locator('dd')
        .innerText()
    expect(await figure('created')).toBe(String(good))
    expect(await figure('combined')).toBe(String(REPEATED))
    expect(await figure('left_out_rows')).toBe(String(leftOut))
    await follow(page, say(importWords, 'to_contacts'))
    await page.getByRole('searchbox').fill('img src')
    await page.getByRole('row').filter({ hasText: HOSTILE }).waitFor()
  },
)

const SMALL = 'Name,Mobile\r\nSara,0501234567'

async function openImports() {
  const shop = await createOwnShop(world)
  const opened = await openDashboard(world, shop)
  const upload = async () => {
    expect((await uploadContacts(world, opened.member, shop, SMALL)).status).toBe(201)
  }
  return { ...opened, shop, upload, file: opened.page.getByRole('link', { name: 'customers.csv' }) }
}

test('an import that is started in another tab appears in the list automatically', async () => {
  const { page, go, upload, file } = await openImports()
  await go('contacts/imports')
  await sees(page, 'No imports yet')
  await upload()
  expect(await appears(file)).toBe(true)
})

test('a file with wrongly decoded letters is read again in the encoding that the member chooses', async () => {
  const shop = await createOwnShop(world)
  const { page, go, member, say } = await openDashboard(world, { ...shop, language: 'ar' })
  // A single letter above ASCII is taken for a Western one.
  const file = Buffer.from('Name;Mobile\r\nAli \u00c7;966501234567', 'latin1')
  const { body } = await uploadContacts(world, member, shop, file)
  await go(`contacts/imports/${body.id}`)
  const table = page.getByRole('table', { name: say(importWords, 'first_rows') })
  await sees(table, 'Ali Ç')
  await chooseOption(page, say(importWords, 'encoding'), say(importWords, 'encoding_arabic'))
  await sees(table, 'Ali ا')
  await chooseOption(page, say(importWords, 'delimiter'), say(importWords, 'delimiter_comma'))
  await sees(table, 'Name;Mobile')
  expect(await findFlaws(page)).toEqual([])
})

/**
 * Returns the addresses of all tabs, as the browser lists them. Playwright's own event of a new tab sometimes gets
 * lost on a busy machine.
 */
async function tabsBeside(page: BrowserPage): Promise<string[]> {
  const session = await page.context().browser()!.newBrowserCDPSession()
  const { targetInfos } = await session.send('Target.getTargets')
  await session.detach()
  return targetInfos.map(({ url }) => url)
}

test('a link of a list that is pressed with Control opens another tab, and this one stays', async () => {
  const { page, go, upload, shop, file } = await openImports()
  await upload()
  await go('contacts/imports')
  const address = new URL((await file.getAttribute('href'))!, page.url()).href
  await file.click({ modifiers: ['ControlOrMeta'] })
  await expect.poll(() => tabsBeside(page)).toContain(address)
  expect(new URL(page.url()).pathname).toBe(`/p/${shop.companyId}/contacts/imports`)
  await file.click()
  await page.getByRole('heading', { name: 'customers.csv' }).waitFor()
})
