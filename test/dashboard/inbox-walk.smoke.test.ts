/** A handover from its start to its end, two concurrent agents, and an interrupted stream, in both languages. Spec: Inbox › Handler and assignment; Concepts › Service window. */
import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { composerWords } from '../../src/dashboard/inbox/words-composer.ts'
import { threadWords } from '../../src/dashboard/inbox/words-thread.ts'
import { inboxWords } from '../../src/dashboard/inbox/words.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { drawLine } from '../support/cut-line.ts'
import {
  appears,
  dashboardOf,
  findFlaws,
  firstOf,
  openDashboard,
} from '../support/dashboard-page.ts'
import { type Inbox, inboxOf, type Talk } from '../support/inbox.ts'
import { type ConnectedShop, newPhone } from '../support/simulator.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { follow, press, sees } from '../support/page-steps.ts'

let shop: ConnectedShop
let inbox: Inbox
let talk: Talk

const { world, whatsApp } = await openWhatsApp()

beforeEach(async () => {
  shop = await whatsApp.openShop()
  inbox = inboxOf({ world, whatsApp }, shop)
  talk = await inbox.talk(newPhone(), 'Can you bring it to my office?')
  const owner = await inbox.member('owner')
  const { contact } = await talk.seen()
  const path = `/companies/${shop.companyId}/contacts/${contact!.id}`
  await owner.ask('PATCH', path, { name: 'Noura' })
  await talk.handOver('She wants it at her office.', 'needs_staff_action')
})

const AWAY_HOURS = 10
const address = () => `inbox/${encodeURIComponent(talk.id)}`
const open = dashboardOf(world, () => shop, { role: 'agent' })

/** Lets hours pass between two looks, never so many that the session ends. */
async function comeBackAfter(hours: number, context: BrowserContext, page: Page): Promise<void> {
  for (let left = hours; left > 0; left -= AWAY_HOURS) {
    world.clock.advance(Math.min(left, AWAY_HOURS) * HOUR_MS)
    await context.clock.setSystemTime(world.clock.now())
    await page.reload()
    await page.getByRole('article').first().waitFor()
  }
}

test.each(LANGUAGES)('a handover is answered in its window and after: %s', async (language) => {
  const { page, context, say } = await open({ at: 'inbox', language })
  const row = page.getByRole('link', { name: /Noura/ })
  await sees(row, say(inboxWords, 'reason_needs_staff_action'))
  await row.click()
  const card = page.getByRole('region', { name: say(threadWords, 'handed_to_team') })
  await sees(card, 'She wants it at her office.')
  expect(await findFlaws(page)).toEqual([])
  await press(card, say(threadWords, 'assign_me'))
  await page
    .getByRole('button', { name: say(threadWords, 'assigned_now', { name: 'The agent' }) })
    .waitFor()

  await sees(page, say(composerWords, 'write_until'))
  const reply = page.getByRole('textbox', { name: say(composerWords, 'reply') })
  await reply.fill('It comes today.')
  await press(page, say(composerWords, 'send'))
  await sees(page.getByRole('article'), 'It comes today.')
  await talk.has('It comes today.')
  await whatsApp.settle()
  // The stream reports the status of the message.
  const marks = ['status_accepted', 'status_sent', 'status_delivered', 'status_read'] as const
  const arrived = marks.map((mark) => threadWords[language][mark]).join('|')
  await appears(page.getByRole('img', { name: new RegExp(`^(?:${arrived})$`) }).first())

  await comeBackAfter(25, context, page)
  await sees(page, say(composerWords, 'window_closed'))
  expect(await reply.count()).toBe(0)
  await page.getByPlaceholder(composerWords[language].choose_template).click()
  await page.getByRole('option', { name: /order_ready.*en/ }).click()
  const send = page.getByRole('button', { name: say(composerWords, 'send_template') })
  expect(await send.isDisabled()).toBe(true)
  const value = (name: string) =>
    page.getByRole('textbox', { name: say(composerWords, 'slot_body', { name }) })
  await value('1').fill('Noura')
  await value('2').fill('10482')
  const preview = page.getByRole('group', { name: say(composerWords, 'preview') })
  await sees(preview, '10482')
  expect(await findFlaws(page)).toEqual([])
  await send.click()
  await sees(page.getByRole('article'), '10482')
  await talk.has('10482')
  await whatsApp.settle()
  expect(whatsApp.sentTo(talk.phone).map(({ text }) => text)).toEqual([
    'It comes today.',
    expect.stringContaining('10482'),
  ])

  await firstOf(page, 'button', new RegExp(`^${threadWords[language].resolve}`)).click()
  await sees(page, say(threadWords, 'resolved_done'))
  await follow(page, say(inboxWords, 'tab_resolved'))
  await row.waitFor()
  expect((await talk.seen()).status).toBe('resolved')
  const { templateName, sender } = (await talk.messages())[0]!
  expect([templateName, sender]).toEqual(['order_ready', 'staff'])
})

test.each(LANGUAGES)('two in one conversation see what the other does: %s', async (language) => {
  const at = address()
  const [first, second] = await Promise.all([open({ at, language }), open({ at })])
  const { say } = first
  const english = second.say
  await first.page
    .getByRole('button', { name: say(threadWords, 'assign_me') })
    .first()
    .click()
  const hasIt = english(threadWords, 'assigned_now', { name: 'The agent' })
  await second.page.getByRole('button', { name: hasIt }).waitFor()
  expect((await talk.seen()).assignee?.id).toBe(first.member.personId)

  await first.page.getByRole('textbox', { name: say(composerWords, 'reply') }).fill('On its way.')
  await press(first.page, say(composerWords, 'send'))
  await sees(second.page.getByRole('article'), 'On its way.')

  await press(second.page, english(composerWords, 'mode_note'))
  const note = second.page.getByRole('textbox', { name: english(composerWords, 'note') })
  await note.fill('I have the parcel here.')
  await press(second.page, english(composerWords, 'keep_note'))
  await sees(first.page.getByRole('article'), 'I have the parcel here.')
  await talk.writes('Thank you both')
  for (const { page } of [first, second]) {
    await sees(page.getByRole('article'), 'Thank you both')
  }
})

test.each(LANGUAGES)('a cut stream is reported, and misses nothing: %s', async (language) => {
  const line = await drawLine(world.url)
  onTestFinished(() => line.close())
  const { page, say } = await openDashboard(
    { service: world.service, url: line.url },
    { ...shop, role: 'agent', language, at: address() },
  )
  await page.getByRole('article').first().waitFor()
  const paused = page.getByText(say(partsWords, 'live_paused'))
  expect(await paused.count()).toBe(0)
  line.cut()
  await paused.waitFor()
  await talk.writes('Are you still there?')
  expect(await page.getByText('Are you still there?').count()).toBe(0)
  line.mend()
  await sees(page.getByRole('article'), 'Are you still there?')
  await paused.waitFor({ state: 'detached' })

  // A proxy refuses while the service starts: the browser would give up for good.
  await page.route('**/live', (route) => route.fulfill({ status: 502 }))
  line.cut()
  line.mend()
  await paused.waitFor()
  await talk.writes('And now?')
  await page.unroute('**/live')
  await sees(page.getByRole('article'), 'And now?')
  await paused.waitFor({ state: 'detached' })
})
