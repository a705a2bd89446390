/** Pages whose reads fail, and filters that are cleared, in a real browser: no page states what it does not know. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { actionsWords } from '../../src/dashboard/actions/words.ts'
import { teamWords } from '../../src/dashboard/account/words-team.ts'
import { setupWords } from '../../src/dashboard/appointments/words-setup.ts'
import { appointmentsWords } from '../../src/dashboard/appointments/words.ts'
import { knowledgeWords } from '../../src/dashboard/assistant/knowledge/words.ts'
import { modelsWords } from '../../src/dashboard/assistant/models/words.ts'
import { repliesWords } from '../../src/dashboard/assistant/replies/words.ts'
import { broadcastsWords } from '../../src/dashboard/broadcasts/words.ts'
import { channelsWords } from '../../src/dashboard/channels/words.ts'
import { connectionsWords } from '../../src/dashboard/connections/words.ts'
import { callsWords } from '../../src/dashboard/connections/words-calls.ts'
import { importWords } from '../../src/dashboard/contacts/imports/words.ts'
import { settingsWords } from '../../src/dashboard/contacts/words-settings.ts'
import { contactsWords } from '../../src/dashboard/contacts/words.ts'
import { hookWords } from '../../src/dashboard/flows/hook/words.ts'
import { flowsWords } from '../../src/dashboard/flows/words.ts'
import { appWords } from '../../src/dashboard/frame/words.ts'
import { inboxWords } from '../../src/dashboard/inbox/words.ts'
import { leadsWords } from '../../src/dashboard/leads/words.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
import { runsWords } from '../../src/dashboard/runs/words.ts'
import { templatesWords } from '../../src/dashboard/templates/words.ts'
import { jobWords } from '../../src/dashboard/webhooks/words-jobs.ts'
import { logWords } from '../../src/dashboard/webhooks/words-log.ts'
import { webhooksWords } from '../../src/dashboard/webhooks/words.ts'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import { dashboardOf } from '../support/dashboard-page.ts'
import { openOwnedShop } from '../support/owned-shop.ts'
import { postHook } from '../support/post-hook.ts'
import { press, sees } from '../support/page-steps.ts'
import { connectApi } from '../support/shop-api.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const { world, shop, owner } = await openOwnedShop()
const open = dashboardOf(world, shop)
type Say = Awaited<ReturnType<typeof open>>['say']
const own = `/companies/${shop.companyId}`

/** Makes every read of these addresses fail as after an error of the service. */
const failReads = (page: Page, addresses: string | RegExp) =>
  page.route(addresses, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ status: 500, json: {} })
      : route.continue(),
  )

/**
 * Presses "Try again" until there is no such button. A timer or a live update may have read already, or may be reading
 * now and fail.
 */
async function tryAgain(place: Page | Locator, say: Say) {
  const button = place.getByRole('button', { name: say(partsWords, 'try_again') })
  const pressAndCount = () =>
    button.evaluateAll((all) => {
      ;(all[0] as { click(): void } | undefined)?.click()
      return all.length
    })
  await expect.poll(pressAndCount).toBe(0)
}

/** The lists: the page, the request for its rows, and the text of the empty list where it can be empty. */
const LISTS: readonly (readonly [at: string, reads: string, empty: string | null])[] = [
  ['inbox?tab=open', 'conversations', inboxWords.en.empty_open],
  ['contacts', 'contacts', contactsWords.en.none],
  ['contacts/duplicates', 'contact-duplicates', settingsWords.en.no_duplicates],
  ['contacts/imports', 'contact-imports', importWords.en.none],
  ['contacts/settings', 'contact-fields', settingsWords.en.no_fields],
  ['contacts/settings', 'tags', settingsWords.en.no_tags],
  ['appointments', 'appointments', appointmentsWords.en.none_week],
  ['appointments?view=list', 'appointments', appointmentsWords.en.none_weeks],
  ['appointments/shifted', 'appointments/shifted', appointmentsWords.en.none_shifted],
  ['appointments/outside-hours', 'appointments/outside-hours', appointmentsWords.en.none_outside],
  ['appointments/set-up', 'services', setupWords.en.no_services],
  ['appointments/set-up?tab=people', 'resources', setupWords.en.no_people],
  ['appointments/set-up?tab=changes', 'opening-changes', setupWords.en.no_changes],
  ['appointments/set-up?tab=calendars', 'calendar-links', setupWords.en.no_links],
  ['leads?view=table', 'leads', leadsWords.en.none],
  ['leads', 'leads', leadsWords.en.none_here],
  ['flows', 'flows', flowsWords.en.empty],
  ['runs', 'runs', runsWords.en.none],
  ['broadcasts', 'broadcasts', broadcastsWords.en.none],
  ['assistant/replies', 'assistant/replies', repliesWords.en.none],
  ['assistant/knowledge', 'knowledge/sources', knowledgeWords.en.none],
  ['assistant/models', 'models', modelsWords.en.none],
  ['templates', 'templates', templatesWords.en.no_channel],
  ['webhooks', 'endpoints', webhooksWords.en.none],
  ['webhooks/deliveries', 'deliveries', logWords.en.none],
  ['webhooks/jobs', 'resend-jobs', jobWords.en.none],
  ['connections', 'connections', connectionsWords.en.none],
  ['connections/calls', 'calls', callsWords.en.none],
  ['actions', 'actions', actionsWords.en.no_connection],
  ['channels', 'channels', channelsWords.en.none],
  ['team', 'members', null],
  ['team', 'invitations', teamWords.en.no_invitations],
  ['audit', 'audit', null],
  ['profile', 'sessions', null],
]

test(
  'no list whose read failed is shown as empty: each says so and is read again on request',
  { timeout: 240_000 * TIMEOUT_FACTOR },
  async () => {
    const project = await owner.ask<{ id: string }>('POST', '/companies', { name: 'New shop' })
    const { page, say, faults } = await open()
    const failed = page.getByRole('alert').filter({
      hasText: new RegExp(`${partsWords.en.could_not_be_loaded}|${appWords.en.page_failed}`),
    })
    const shown = async (locator: Locator) =>
      locator
        .first()
        .waitFor()
        .then(
          () => true,
          () => false,
        )
    const wrong: Record<string, object> = {}
    for (const [at, reads, empty] of LISTS) {
      const address = new RegExp(`/api(?:/companies/[^/]+)?/${reads}(?:\\?|$)`)
      await failReads(page, address)
      await page.goto(`${world.url}/p/${project.body.id}/${at}`)
      const saysSo = await shown(failed)
      const isEmpty = empty !== null && (await page.getByText(empty, { exact: true }).count()) > 0
      await page.unroute(address)
      await tryAgain(failed, say)
      // The list is empty indeed, so that the text which was not shown is the right one.
      const isRead = empty === null || (await shown(page.getByText(empty, { exact: true })))
      if (!saysSo || isEmpty || !isRead) wrong[`${at} ${reads}`] = { saysSo, isEmpty, isRead }
    }
    expect(wrong).toEqual({})
    // The browser reports the requests that a page which was left had not finished.
    faults.length = 0
  },
)

test('a connection whose users could not be read is not shown as unused, and cannot be deleted', async () => {
  const { page, say } = await open()
  const id = world.service.context.ids.uuid()
  const baseUrl = new URL('/api', world.receiver.url).href
  await connectApi(world, { id, companyId: shop.companyId, baseUrl })
  await failReads(page, '**/connection-users')
  await page.goto(`${world.url}/p/${shop.companyId}/connections`)
  const unused = page.getByText(say(connectionsWords, 'nobody'))
  await page.getByRole('row').nth(1).waitFor()
  expect(await unused.count()).toBe(0)
  await page.goto(`${world.url}/p/${shop.companyId}/connections/${id}`)
  await press(page, say(connectionsWords, 'delete'))
  const dialog = page.getByRole('dialog')
  await sees(dialog, say(partsWords, 'could_not_be_loaded'))
  const act = dialog.getByRole('button', { name: say(connectionsWords, 'delete') })
  expect(await act.isDisabled()).toBe(true)
  expect(await unused.count()).toBe(0)
  await page.unrouteAll()
  await tryAgain(dialog, say)
  await expect.poll(() => act.isDisabled()).toBe(false)
  await sees(page, say(connectionsWords, 'nobody'))
})

test('a choice of contacts that could not be read says so, and not that no contact matches', async () => {
  const { page, say } = await open()
  await failReads(page, '**/contacts?*')
  await page.goto(`${world.url}/p/${shop.companyId}/leads`)
  await press(page, say(leadsWords, 'make'))
  await page.getByRole('combobox', { name: say(leadsWords, 'of_whom') }).click()
  await sees(page, say(partsWords, 'could_not_be_loaded'))
  expect(await page.getByText('Nobody matches.').count()).toBe(0)
})

test('the page of a hook URL does not wait for a first request when the last one could not be read', async () => {
  expect((await postHook(shop.hookUrl)).http).toBeGreaterThan(0)
  const { page, say } = await open()
  await failReads(page, '**/shape')
  await page.goto(`${world.url}/p/${shop.companyId}/flows/${shop.flowId}/hook`)
  await sees(page, say(partsWords, 'could_not_be_loaded'))
  expect(await page.getByText(say(hookWords, 'nothing_yet')).count()).toBe(0)
  await page.unrouteAll()
  await tryAgain(page, say)
  await sees(page, say(hookWords, 'last_request'))
})

test('an impossible date in the address of the calendar shows today', async () => {
  const { page, go } = await open({ at: 'appointments?view=day' })
  const day = page.getByRole('heading', { level: 1 })
  const today = await day.textContent()
  await go('appointments?view=day&date=2026-02-31')
  expect(await day.textContent()).toBe(today)
})

test('an emptied score of a lead is stored as none, and not as 0', async () => {
  const { page, say } = await open()
  const contact = await owner.ask<{ id: string }>('POST', `${own}/contacts`, { name: 'Reem' })
  const { id } = (
    await owner.ask<LeadView>('POST', `${own}/leads`, { contactId: contact.body.id, score: 40 })
  ).body
  await page.goto(`${world.url}/p/${shop.companyId}/leads?lead=${id}`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say(leadsWords, 'score')).fill('')
  await press(dialog, say(partsWords, 'save'))
  const score = async () => (await owner.ask<LeadView>('GET', `${own}/leads/${id}`)).body.score
  await expect.poll(score).toBe(null)
})

test('clearing the filters of the call log also empties the field of the status', async () => {
  const { page, say } = await open({ at: 'connections/calls?status=404' })
  const status = page.getByRole('textbox', { name: say(callsWords, 'status') })
  expect(await status.inputValue()).toBe('404')
  await press(page, say(partsWords, 'clear_filters'))
  await expect.poll(() => status.inputValue()).toBe('')
})
