/** The frame of every page: the side bar of each role, the pages closed to it, the command palette, the list of keys, and the notices. Spec: Concepts › Roles. */
import { expect, test } from 'vitest'
import { paletteWords } from '../../src/dashboard/frame/words-palette.ts'
import { topWords } from '../../src/dashboard/frame/words-top.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
import { appWords } from '../../src/dashboard/frame/words.ts'
import type { Role } from '../../src/core/vocabulary/accounts.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import {
  dashboardOf,
  findFlaws,
  findStiffFields,
  HOSTILE,
  openDashboard,
} from '../support/dashboard-page.ts'
import { makeOneOfEach } from '../support/company-fixture.ts'
import { giveUp } from '../support/deliveries.ts'
import { findSmallTargets } from '../support/touch-targets.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { addNotice } from '../support/records/notices.ts'
import { openOwnedShop, ownedShop } from '../support/owned-shop.ts'
import { press, sees } from '../support/page-steps.ts'

const { world, shop, owner } = await openOwnedShop()
const contacts = `/companies/${shop.companyId}/contacts`
const customer = { name: HOSTILE, phone: '+966501234567' }
const contactId = (await owner.ask<ContactView>('POST', contacts, customer)).body.id
/** A shop that has something on each page. */
const { shop: full, owner: itsOwner } = await ownedShop(world)
const ids = await makeOneOfEach(world, full, itsOwner)
await giveUp(world, full, 1)
/** The pages below those of the side bar, and the dialogs that open in them. */
const INSIDE = `inbox/${encodeURIComponent(ids.conversationId!)} contacts/${ids.contactId}
  contacts/settings contacts/duplicates contacts/imports contacts/imports/${ids.importId}
  appointments?date=2026-12-08&open=${ids.appointmentId} appointments/${ids.appointmentId}
  appointments/outside-hours appointments/set-up appointments/set-up?tab=people
  appointments/set-up?tab=changes appointments/set-up?tab=page appointments/set-up?tab=calendars
  leads?view=table leads?lead=${ids.leadId} flows/${ids.flowId}?step=tell flows/${ids.flowId}/hook
  flows/${ids.flowId}?step=trigger&view=list flows/${ids.flowId}?versions=true runs/${ids.runId}
  broadcasts/${ids.broadcastId} broadcasts/new assistant/knowledge/${ids.sourceId}
  assistant/replies/${ids.replyId} assistant/models/new webhooks/new webhooks/${ids.endpointId}
  webhooks/${ids.endpointId}?tab=event_types webhooks/${ids.endpointId}?tab=history
  webhooks/${ids.endpointId}/deliveries?view=gave_up webhooks/deliveries/${ids.deliveryId}
  webhooks/jobs webhooks/jobs/${ids.jobId} connections/new connections/${ids.connectionId}
  connections/calls actions/new actions/${ids.actionId} developer-tools?tool=path
  developer-tools?tool=events developer-tools?tool=vectors channels/${ids.siteChannelId}
  channels/${ids.channelId} channels/connect channels/connect/whatsapp channels/connect/instagram
  channels/connect/messenger channels/connect/web_widget profile`.split(/\s+/)

const open = dashboardOf(world, shop)

const OF_EVERYBODY = ['home', 'inbox', 'contacts', 'appointments', 'leads', 'flows'] as const
type Page = keyof typeof appWords.en
const OF_SET_UP = `runs broadcasts assistant templates webhooks connections actions developer_tools
  usage team audit plan settings channels`.split(/\s+/) as Page[]
/** Pages below one of those, by their addresses. */
const BELOW = `webhooks/deliveries connections/calls channels/connect
  appointments/outside-hours`.split(/\s+/)
const CASES = [
  { role: 'agent', language: 'en' },
  { role: 'agent', language: 'ar' },
  { role: 'admin', language: 'ar' },
  { role: 'owner', language: 'en' },
] as const
/** Agents read why the assistant answered as it did, and change nothing of it. */
const seenBy = (role: Role): Page[] =>
  role === 'agent' ? [...OF_EVERYBODY, 'assistant'] : [...OF_EVERYBODY, ...OF_SET_UP]

test.each(CASES)('an $role sees their own pages and no other: $language', async (one) => {
  const { role, language } = one
  const { page, go, say } = await open({ ...one, at: '' })
  const navigation = page.getByRole('navigation', { name: say(appWords, 'navigation') }).first()
  const names = await navigation.getByRole('link').allInnerTexts()
  expect(names.map((name) => name.split('\n')[0])).toEqual(
    seenBy(role).map((word) => appWords[language][word]),
  )
  const seen: readonly string[] = [...seenBy(role), 'profile', ...(role === 'agent' ? [] : BELOW)]
  for (const word of [...OF_EVERYBODY.slice(1), ...OF_SET_UP, ...BELOW, 'profile']) {
    await go(word.replace('_', '-'))
    const isShut = !seen.includes(word)
    const refusals = await page.getByText(say(appWords, 'not_yours')).count()
    // No request is made that the role may not make.
    const alerts = await page.getByRole('alert').allInnerTexts()
    expect({ word, refusals, alerts }).toEqual({ word, refusals: isShut ? 1 : 0, alerts: [] })
    if (isShut) expect(await page.locator('main :is(table, form, button)').count()).toBe(0)
  }
})

test('only an Owner sees the pages of an Owner', async () => {
  const [boss, admin] = await Promise.all([open({ role: 'owner' }), open({ role: 'admin' })])
  for (const [{ page, go }, isOwn] of [
    [boss, true],
    [admin, false],
  ] as const) {
    await go('settings')
    const account = page.getByLabel('Account name')
    expect(await account.isDisabled()).toBe(!isOwn)
    await go('team')
    const row = page.getByRole('row').filter({ hasText: admin.member.email })
    await row.getByRole('button', { name: 'Change role' }).waitFor()
    const owners = page.getByRole('row').filter({ hasText: boss.member.email })
    expect(await owners.getByRole('button', { name: 'Change role' }).count()).toBe(isOwn ? 1 : 0)
    expect(await page.getByText('Only an Owner can change this.').count()).toBe(isOwn ? 0 : 1)
    await press(page, 'Invite a teammate')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Admin/ }).waitFor()
    expect(await dialog.getByRole('radio', { name: /^Owner/ }).count()).toBe(isOwn ? 1 : 0)
  }
})

/** Controls on a phone are at least 44 by 44 px. The typed text decides the direction of its field. */
test.each([
  { language: 'en', width: 360 },
  { language: 'ar', width: 600, theme: 'dark' },
  { language: 'ar', width: 1_440 },
] as const)(
  'every page fits without barriers, and suits fingers and both scripts: $language at $width px',
  { timeout: 240_000 * TIMEOUT_FACTOR },
  async ({ width, ...look }) => {
    const { page, go } = await openDashboard(world, { ...full, ...look, at: '' })
    const links = page.getByRole('navigation', { name: appWords[look.language].navigation }).first()
    const start = `/p/${full.companyId}`
    const all = await links.getByRole('link').all()
    const hrefs = await Promise.all(all.map((link) => link.getAttribute('href')))
    const paths = hrefs
      .filter((href) => href?.startsWith(start))
      .map((href) => href!.slice(start.length + 1))
    expect(paths.length).toBeGreaterThan(15)
    await page.setViewportSize({ width, height: 800 })
    const faults: Record<string, string[]> = {}
    const titles = new Set<string>()
    for (const path of [...paths, ...INSIDE]) {
      await go(path)
      const head = (await page.locator('main h1').first().textContent())!.trim()
      await expect.poll(() => page.title()).toBe(`${head} · Wasla`)
      const found = await findFlaws(page)
      if (paths.includes(path)) {
        titles.add(head)
        if (width < 1_000) found.push(...(await findSmallTargets(page)))
        found.push(...(await findStiffFields(page)))
      }
      if (found.length > 0) faults[path] = found
    }
    expect(faults).toEqual({})
    // Tabs and histories tell the pages apart (WCAG 2.4.2).
    expect(titles.size).toBe(paths.length)
  },
)

test('a pasted phone number, in any format, leads straight to its contact', async () => {
  const { page } = await open({ at: 'runs' })
  await page.keyboard.press('Control+KeyK')
  const input = page.getByRole('combobox', { name: 'Search' })
  await input.waitFor()
  await page.evaluate("navigator.clipboard.writeText('٠٥٠ ١٢٣ ٤٥٦٧')")
  await input.press('Control+KeyV')
  await expect.poll(() => new URL(page.url()).pathname).toMatch(`/contacts/${contactId}`)
})

test('copying works over http too, where browsers refuse a page the clipboard', async () => {
  const { page } = await open({ at: `contacts/${contactId}` })
  await page.evaluate(`
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.addEventListener('paste', ({ clipboardData }) => {
      globalThis.pasted = clipboardData.getData('text')
    })
  `)
  await press(page, /Copy$/, topWords.en.find)
  await page.getByRole('combobox', { name: 'Search' }).press('Control+KeyV')
  await expect.poll(() => page.evaluate('globalThis.pasted')).toBe(contactId)
})

test.each(LANGUAGES)(
  'a refused copy is reported, with the whole text to select: %s',
  async (language) => {
    const { page, say } = await open({ at: `contacts/${contactId}`, language })
    await page.evaluate(`
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
    document.execCommand = () => false
  `)
    await press(page, new RegExp(`${partsWords[language].copy}$`))
    const notice = page.getByRole('status')
    await sees(notice, say(partsWords, 'not_copied'))
    expect((await notice.allInnerTexts()).join()).toContain(contactId)
  },
)

test('the palette moves by arrows and opens by Enter; pages are found by their names', async () => {
  const { page } = await open({ at: 'runs' })
  await press(page, topWords.en.find)
  const input = page.getByRole('combobox', { name: 'Search' })
  await input.fill('img')
  const option = page.getByRole('option').filter({ hasText: HOSTILE })
  await option.first().waitFor()
  expect(await option.first().getAttribute('aria-selected')).toBe('true')
  expect(await findFlaws(page)).toEqual([])
  await input.fill('a')
  await page.getByRole('option', { name: 'Page Team' }).waitFor()
  await input.press('ArrowDown')
  await expect.poll(() => page.getByRole('option', { selected: true }).count()).toBe(1)
  await input.fill('nobody has this name')
  await sees(page, 'No results in this project.')
  await input.fill('audit')
  await page.getByRole('option', { name: 'Page Audit log' }).waitFor()
  await input.press('Enter')
  await page.waitForURL('**/audit')
})

test('the focus is kept when its element disappears: a field that closes, a row whose page opens', async () => {
  const { page } = await open({ at: 'contacts' })
  const focused = () => page.evaluate<string>('document.activeElement.tagName')
  await page.getByRole('row').filter({ hasText: HOSTILE }).getByRole('link').first().press('Enter')
  await page.getByRole('heading', { name: HOSTILE }).first().waitFor()
  await expect.poll(focused).not.toBe('BODY')
  await page.getByRole('button', { name: 'Edit' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Name').press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(focused).not.toBe('BODY')
  await page.goBack()
  await page.getByRole('searchbox').waitFor()
  await expect.poll(focused).not.toBe('BODY')
})

test('an Agent is not led to pages that are closed to them', async () => {
  const { page, say } = await open({ at: 'contacts', role: 'agent', language: 'ar' })
  // The field names what this role can find, and nothing else.
  await page.getByText(say(topWords, 'find_as_agent')).click()
  await page.getByPlaceholder(say(paletteWords, 'placeholder_as_agent')).waitFor()
  await page.getByRole('option', { name: 'المحادثات' }).waitFor()
  expect(await page.getByRole('option', { name: 'الفريق' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test.each(LANGUAGES)('a question mark lists the keys, unless it is typed: %s', async (language) => {
  const { page, say } = await open({ at: 'runs', language })
  await page.getByRole('searchbox').first().press('?')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.locator('h1').click()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: say(paletteWords, 'keys') }).waitFor()
  expect(await findFlaws(page)).toEqual([])
})

test('notices are counted at the bell, listed, and marked as read', async () => {
  for (const endpointName of [HOSTILE, 'Orders']) {
    const { endpointId } = shop
    const health = { failuresInRow: 50, failingSince: world.clock.now().toISOString() }
    const details = { endpointId, endpointName, ...health }
    await addNotice(world, shop, { kind: 'endpoint_failing', subjectId: endpointId, details })
  }
  const { page } = await open({ at: 'runs' })
  const bell = page.getByRole('button', { name: /^Notifications/ })
  const unread = bell.locator('[aria-hidden="true"]').filter({ hasText: /\d/ })
  await expect.poll(() => unread.textContent()).toBe('2')
  await bell.click()
  const list = page.getByRole('dialog', { name: 'Notifications' })
  await list.getByText('<img src=x').first().waitFor()
  expect(await findFlaws(page)).toEqual([])
  await list.getByRole('button', { name: 'Mark as read' }).first().click()
  await expect.poll(() => unread.textContent()).toBe('1')
  await press(list, 'Mark all as read')
  await expect.poll(() => unread.count()).toBe(0)
  expect(await bell.textContent()).toBe('Notifications')
})
