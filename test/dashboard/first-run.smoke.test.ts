/** The start as a newcomer meets it: from the printed link to the first event, and what strangers leave in every field. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMONSTRATION_BODY } from '../../src/banner.ts'
import { readConfig } from '../../src/config.ts'
import type { ServiceView } from '../../src/contract/dashboard/booking-setup.ts'
import type { Page as ListPage } from '../../src/contract/dashboard/page.ts'
import { appWords } from '../../src/dashboard/app/words.ts'
import { homeWords } from '../../src/dashboard/home/words.ts'
import { inboxWords } from '../../src/dashboard/inbox/words.ts'
import { runsWords } from '../../src/dashboard/runs/words.ts'
import { logWords } from '../../src/dashboard/webhooks/words-log.ts'
import { webhooksWords } from '../../src/dashboard/webhooks/words.ts'
import {
  DEMONSTRATION_ACCOUNT,
  DEMONSTRATION_COMPANY,
} from '../../src/demonstration/create-demonstration.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { start, type Started } from '../../src/start.ts'
import { askHook } from '../support/ask-hook.ts'
import { findBarriers, startBrowser } from '../support/browser.ts'
import { signedIn } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { connectionUrl } from '../support/service.ts'
import { spokenIn } from '../support/spoken.ts'

let folder: string
let database: TestDatabase
let started: Started
let browser: Browser
let url: string
const received: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'wasla-first-run-'))
  ;[database, browser] = await Promise.all([createTestDatabase(), startBrowser()])
  const settings = {
    DATABASE_URL: connectionUrl(database.connection),
    PORT: '0',
    SIMULATOR_PORT: '0',
    RECEIVER_PORT: '0',
    LOG_LEVEL: 'silent',
  }
  started = await start(readConfig(settings, [], folder), (line) => received.push(line))
  url = `http://127.0.0.1:${started.port}`
})
afterAll(async () => {
  await browser.close()
  await started.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** A newcomer without a session, who follows the link of the start. */
async function follow(link: string, locale: string): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(`${url}/welcome#${link}`)
  await page.waitForURL(`**/p/${DEMONSTRATION_COMPANY}`)
  return { page, faults }
}

test.each([
  { language: 'en', phone: '+12025550171' },
  { language: 'ar', phone: '+12025550172' },
] as const)('from the link to the first event: $language', async ({ language, phone }) => {
  const link = await started.service.demonstrationLink.open(DEMONSTRATION_ACCOUNT)
  const { page, faults } = await follow(link, language === 'ar' ? 'ar' : 'en-GB')
  const say = spokenIn(language)
  await page.getByRole('heading', { name: say(homeWords, 'demonstration') }).waitFor()
  expect(await findBarriers(page)).toEqual([])

  // The request of the banner starts a run; the simulated customer taps by herself.
  const hookUrl = `${url}/hooks/${started.demonstration!.hookToken}`
  const customer = { ...DEMONSTRATION_BODY.customer, name: `Sara ${language}`, phone, language }
  received.length = 0
  expect((await askHook(hookUrl, { ...DEMONSTRATION_BODY, customer })).http).toBe(202)
  const opens = (what: 'see_run' | 'break_receiver') =>
    page.getByRole('link', {
      name: `${homeWords[language].open}: ${homeWords[language][what]}`,
    })
  await opens('see_run').click()
  const run = page.getByRole('row').filter({ hasText: `Sara ${language}` })
  await run.getByText(say(runsWords, 'completed')).waitFor()
  await run.getByRole('link').first().click()
  await page.getByRole('list', { name: say(runsWords, 'steps') }).waitFor()

  // Its events are at the shop's receiver, and told as delivered.
  await expect.poll(() => received.some((line) => line.includes('flow.completed'))).toBe(true)
  await page
    .getByRole('link', { name: say(appWords, 'webhooks') })
    .first()
    .click()
  await page.getByRole('link', { name: say(webhooksWords, 'all_deliveries') }).click()
  const rows = page.getByRole('table', { name: say(logWords, 'list') }).locator('tbody tr')
  await rows
    .filter({ hasText: 'flow.completed' })
    .first()
    .getByText(say(logWords, 'delivered'))
    .waitFor()

  // They are the customer themselves, on a simulated phone of another tab.
  await page
    .getByRole('link', { name: say(appWords, 'home') })
    .first()
    .click()
  const tab = page.waitForEvent('popup')
  await page.getByRole('link', { name: new RegExp(homeWords[language].be_customer) }).click()
  const phones = await tab
  await phones
    .getByRole('button', { name: new RegExp(phone.slice(-3)) })
    .first()
    .click()
  await phones.getByLabel('Message of the customer').fill(language === 'ar' ? 'مساعدة' : 'help')
  await phones.getByRole('button', { name: 'Send', exact: true }).click()
  // How many wait stands behind its name.
  await page
    .getByRole('link', { name: new RegExp(`^${appWords[language].inbox}`) })
    .first()
    .click()
  await page.getByRole('link', { name: new RegExp(`^${inboxWords[language].tab_open}`) }).click()
  await page
    .getByRole('link', { name: new RegExp(`Sara ${language}`) })
    .first()
    .waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

const HOSTILE = `"><img src=x onerror="isHurt=1"><script>isHurt=1</script>`

/** What somebody writes freely, by the names that columns have. */
const WRITTEN = [
  'name',
  'label',
  'text',
  'description',
  'summary',
  'caption',
  'file_name',
  'reason_text',
  'lost_reason',
  'cancellation_reason',
  'customer_name',
  'visitor_name',
  'user_agent',
  'business_name',
  'email',
] as const

/** Puts the script wherever the tables let it stand; says into how many columns. */
async function fillWithScripts(): Promise<number> {
  const { kysely } = database.db
  const { rows } = await sql<{ tableName: string; columnName: string }>`
    select c.table_name, c.column_name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text'
      and c.column_name in (${sql.join(WRITTEN)})
      and c.table_name not in ('migration', 'event_type')`.execute(kysely)
  let filled = 0
  for (const { tableName: table, columnName: column } of rows) {
    const set = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${HOSTILE} where ${sql.ref(column)} is not null`
    // Some may be there once only, or are no free text.
    const done = await set.execute(kysely).catch(() => null)
    if (done !== null && Number(done.numAffectedRows ?? 0) > 0) filled += 1
  }
  return filled
}

/** A customer whose file has a name that is a script. */
const SENDER = '12025550173'

/** The demonstration has what can be booked and nothing that is, and no file. */
async function leaveTraces(world: { service: Started['service']; url: string }): Promise<void> {
  const owner = await signedIn(world, { accountId: DEMONSTRATION_ACCOUNT })
  const at = `/companies/${DEMONSTRATION_COMPANY}`
  const services = (await owner.ask<ListPage<ServiceView>>('GET', `${at}/services`)).body.items
  const tomorrow = new Date(started.service.context.clock.now().getTime() + DAY_MS)
  tomorrow.setUTCMinutes(0, 0, 0)
  const { status } = await owner.ask('POST', `${at}/appointments`, {
    key: 'a-key-of-a-member',
    serviceId: services[0]!.id,
    startsAt: tomorrow,
    name: HOSTILE,
  })
  expect(status).toBe(201)
  started.demonstration!.simulator.sendSample({ from: SENDER, kind: 'document' })
  const kept = () =>
    database.db.kysely.selectFrom('file').select('id').where('state', '=', 'kept').execute()
  await expect.poll(async () => (await kept()).length).toBe(1)
}

test('what strangers and members wrote is text on every page', async () => {
  const world = { service: started.service, url }
  await leaveTraces(world)
  expect(await fillWithScripts()).toBeGreaterThan(15)
  const { page, context, faults, go } = await openDashboard(world, {
    accountId: DEMONSTRATION_ACCOUNT,
    companyId: DEMONSTRATION_COMPANY,
    language: 'ar',
  })
  const { kysely } = database.db
  const idOf = async (table: string) =>
    (await sql<{ id: string }>`select id from ${sql.table(table)} limit 1`.execute(kysely)).rows[0]!
      .id
  const { id: conversation } = await kysely
    .selectFrom('conversation')
    .select('id')
    .where('filedUnder', '=', SENDER)
    .executeTakeFirstOrThrow()
  const [flow, run, endpoint, delivery, contact, appointment, broadcast, channel] =
    await Promise.all(
      [
        'flow',
        'flow_run',
        'endpoint',
        'webhook_delivery',
        'contact',
        'appointment',
        'broadcast',
        'channel',
      ].map((table) => idOf(table)),
    )
  const showing: string[] = []
  for (const at of [
    '',
    'inbox?tab=open',
    `inbox/${encodeURIComponent(conversation)}`,
    'contacts',
    `contacts/${contact}`,
    'contacts/settings',
    'appointments?view=list',
    `appointments/${appointment}`,
    'appointments/set-up',
    'appointments/set-up?tab=people',
    'appointments/set-up?tab=page',
    'leads',
    'leads?view=table',
    'flows',
    `flows/${flow}`,
    `flows/${flow}/hook`,
    'runs',
    `runs/${run}`,
    'broadcasts',
    `broadcasts/${broadcast}`,
    'templates',
    'webhooks',
    `webhooks/${endpoint}`,
    `webhooks/${endpoint}?tab=history`,
    'webhooks/deliveries',
    `webhooks/deliveries/${delivery}`,
    'connections',
    'actions',
    'team',
    'audit',
    'settings',
    'profile',
    'channels',
    `channels/${channel}`,
  ]) {
    await go(at)
    const main = page.locator('main')
    if (at.endsWith(encodeURIComponent(conversation))) {
      await page.getByRole('article').getByText('<img src=x').first().waitFor()
    }
    if ((await main.getByText('<img src=x').count()) > 0) showing.push(at)
    expect([at, await main.locator('script, img[src=x]').count()]).toEqual([at, 0])
    expect([at, await page.evaluate(() => 'isHurt' in globalThis)]).toEqual([at, false])
  }
  // Not only on pages that show none of it.
  expect(showing.length).toBeGreaterThan(20)
  expect(faults).toEqual([])
  await context.close()
})
