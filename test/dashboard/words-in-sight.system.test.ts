/** Rows of controls on a phone, and the names of channels, scores, assignments and resends on their pages, in both languages. Spec: Inbox › Handler and assignment. */
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { channelWords } from '../../src/core/words/channel-words.ts'
import { appointmentsWords } from '../../src/dashboard/appointments/words.ts'
import { contactsWords } from '../../src/dashboard/contacts/words.ts'
import { composerWords } from '../../src/dashboard/inbox/words-composer.ts'
import { templatesWords } from '../../src/dashboard/templates/words.ts'
import { deliveryWords } from '../../src/dashboard/webhooks/words-delivery.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { appears, dashboardOf, findFlaws } from '../support/dashboard-page.ts'
import { act, inboxOf } from '../support/inbox.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { press, sees } from '../support/page-steps.ts'
import { putChannel } from '../support/records/channels.ts'
import { addDeliveries } from '../support/records/deliveries.ts'
import { newPhone } from '../support/simulator.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const inbox = inboxOf({ world, whatsApp }, shop)
await addBookingPage(world, shop)
const open = dashboardOf(world, shop)
const phone = { width: 360, height: 780 }

test.each(LANGUAGES)(
  'the controls of the calendar take one row of a phone: %s',
  async (language) => {
    const { page, say } = await open({ at: 'appointments?date=2026-11-24', language, ...phone })
    const more = page.getByRole('button', { name: say(appointmentsWords, 'view_and_filters') })
    const controls = [
      page.getByRole('heading', { level: 1 }),
      ...(['earlier', 'later', 'book'] as const).map((key) =>
        page.getByRole('button', { name: say(appointmentsWords, key) }),
      ),
      more,
    ]
    const middles = await Promise.all(
      controls.map(async (control) => {
        const { y, height } = (await control.boundingBox())!
        return y + height / 2
      }),
    )
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4)
    const first = page.getByRole('region', { name: say(appointmentsWords, 'calendar') })
    expect((await first.boundingBox())!.y - Math.max(...middles)).toBeLessThan(60)
    await more.click()
    const sheet = page.getByRole('dialog')
    await appears(sheet.getByRole('combobox', { name: say(appointmentsWords, 'status') }))
    expect(await findFlaws(page)).toEqual([])
    await sheet.getByText(say(appointmentsWords, 'list')).click()
    await page.waitForURL('**view=list*')
  },
)

test.each(LANGUAGES)('the tools of a reply take one row of a phone: %s', async (language) => {
  const talk = await inbox.talk(newPhone())
  const at = `inbox/${encodeURIComponent(talk.id)}`
  const { page, say } = await open({ at, language, ...phone })
  const send = page.getByRole('button', { name: say(composerWords, 'send') })
  const note = page.getByRole('button', { name: say(composerWords, 'mode_note') })
  const [end, start] = [await send.boundingBox(), await note.boundingBox()]
  expect(Math.abs(end!.y + end!.height / 2 - start!.y - start!.height / 2)).toBeLessThan(4)
  expect(await findFlaws(page)).toEqual([])
})

test.each(LANGUAGES)('a channel without a name has the name of its type: %s', async (language) => {
  await putChannel(world, shop.channelId, { name: null })
  const { page, go, say } = await open({ at: 'templates', language })
  const option = page.getByRole('option', { name: channelWords[language].whatsapp })
  await page.getByRole('combobox', { name: say(templatesWords, 'channel') }).click()
  await appears(option)
  await go('contacts')
  await press(page, say(contactsWords, 'new_segment'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: say(contactsWords, 'of_channel') }).click()
  await appears(option)
  await go('broadcasts/new')
  const chosen = page.getByRole('main').locator(`[value="${channelWords[language].whatsapp}"]`)
  expect(await appears(chosen)).toBe(true)
})

test.each([
  ['en', /Score .?87.? of .?100/],
  ['ar', /التقييم .?87.? من .?100/],
] as const)('a card of a lead says what its score is out of: %s', async (language, score) => {
  const owner = await inbox.member('owner')
  const at = `/companies/${shop.companyId}`
  const contact = await owner.ask<{ id: string }>('POST', `${at}/contacts`, { name: language })
  await owner.ask('POST', `${at}/leads`, { contactId: contact.body.id, score: 87 })
  const { page } = await open({ at: 'leads', language })
  const card = page.getByRole('listitem').filter({ hasText: language })
  expect(await appears(card.getByText(score))).toBe(true)
})

test.each([
  ['en', /The owner.? assigned it to .?The agent/],
  ['ar', /أُسندت إلى .?The agent.? بواسطة .?The owner/],
] as const)(
  'a conversation names the member who assigned it, and the assignee: %s',
  async (language, assigned) => {
    const talk = await inbox.talk(newPhone())
    await talk.handOver()
    const [owner, agent] = [await inbox.member('owner'), await inbox.member('agent')]
    const { turn } = await talk.seen()
    const { status } = await act(owner, talk, 'assign', { assigneeId: agent.personId, turn })
    expect(status).toBe(200)
    const { page } = await open({ at: `inbox/${encodeURIComponent(talk.id)}`, language })
    await sees(page, assigned)
  },
)

test.each(LANGUAGES)('a delivery links each of its resends: %s', async (language) => {
  const [original] = await addDeliveries(world, shop, ['delivered'])
  const states = ['delivered', 'dead_lettered']
  const ids = await addDeliveries(world, shop, states, { kind: 'resend', resendOf: original! })
  const { page, say } = await open({ at: `webhooks/deliveries/${original}`, language })
  const resends = page.getByRole('list', { name: say(deliveryWords, 'resends') })
  await expect.poll(() => resends.getByRole('link').count()).toBe(2)
  expect(await findFlaws(page)).toEqual([])
  await resends.getByRole('link').last().click()
  await page.waitForURL(`**/webhooks/deliveries/${ids[0]}`)
})
