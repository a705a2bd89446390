/** The inbox in a real browser: what is waiting is found, taken, answered and ended, and nothing fails in silence; and contacts who never wrote. Spec: Inbox › What may be sent. */
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { appears, dashboardOf, findFlaws, firstOf, HOSTILE } from '../support/dashboard-page.ts'
import { setMessageStatus } from '../support/records/messages.ts'
import { noticesOf } from '../support/records/notices.ts'
import { act, inboxOf, type Talk } from '../support/inbox.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { writeWords } from '../../src/dashboard/contacts/words-write.ts'
import { composerWords } from '../../src/dashboard/inbox/words-composer.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const inbox = inboxOf({ world, whatsApp }, shop)
let talk: Talk
beforeEach(async () => {
  talk = await begun('Can you bring it to my office?')
})

/** A conversation whose customer is called by a name that nobody else has. */
async function begun(text: string, name?: string): Promise<Talk> {
  const made = await inbox.talk(newPhone(), text)
  const owner = await inbox.member('owner')
  const { contact } = await made.seen()
  const path = `/companies/${shop.companyId}/contacts/${contact!.id}`
  await owner.ask('PATCH', path, { name: name ?? nameOf(made), addTags: ['<b>loyal</b>'] })
  return made
}

const open = dashboardOf(world, shop)

const addressOf = ({ id }: Talk) => `inbox/${encodeURIComponent(id)}`
const nameOf = ({ phone }: Talk) => `Noura ${phone.slice(-5)}`
const rowOf = (page: Page, of: Talk) => page.getByRole('link', { name: nameOf(of) })
/** Names stand in isolates of their own. */
const hasIt = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`Assigned to .${name}`) })
const replyIn = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
const timesSent = (said: string) => async () =>
  (await talk.messages()).filter(({ text }) => text === said).length

test('what waits is found, taken over, answered with a saved reply, and resolved by the keyboard', async () => {
  await talk.handOver('She wants it at her office.', 'needs_staff_action')
  const omar = await inbox.member()
  const text = 'It comes to {{contact.phone}} today.'
  const path = `/companies/${shop.companyId}/canned-replies`
  await omar.ask('POST', path, { shortcut: 'today', text })
  const { page } = await open({ at: 'inbox', role: 'agent' })
  const row = rowOf(page, talk)
  await row.getByText('Needs action from your team').waitFor()
  // J by its place, as on an Arabic keyboard; Enter opens.
  await page.keyboard.press('KeyJ')
  await row.focus()
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Handed over to your team' })
  await card.getByText('She wants it at her office.').waitFor()
  await card.getByRole('button', { name: 'Assign to me' }).click()
  await hasIt(page, 'The agent').waitFor()

  await replyIn(page).fill('/tod')
  await page.getByRole('option', { name: '/today' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => replyIn(page).inputValue()).toBe(`It comes to ${talk.phone} today.`)
  await page.keyboard.press('Enter')
  await page.getByRole('article').getByText(`It comes to ${talk.phone} today.`).waitFor()
  await expect.poll(() => replyIn(page).inputValue()).toBe('')
  await talk.has(`It comes to ${talk.phone} today.`)
  await whatsApp.settle()
  // Told by the stream, without a reload.
  await appears(page.getByRole('img', { name: /^(Sent|Delivered|Read)$/ }).first())

  await page.keyboard.press('Alt+KeyR')
  await page.getByText('Conversation resolved. It reopens if the customer writes again.').waitFor()
  await page.getByRole('link', { name: 'Resolved', exact: true }).click()
  await row.waitFor()
  expect(await talk.seen()).toMatchObject({ status: 'resolved', isUnread: false })
})

describe('what cannot be sent', () => {
  test('after the window a text is kept as a note, and no reply can be written', async () => {
    world.clock.advance(25 * HOUR_MS)
    const { page } = await open({ at: addressOf(talk) })
    const draft = [`wasla.draft.${talk.id}`, 'Begun before it closed'] as const
    await page.evaluate(([key, text]) => sessionStorage.setItem(key, text), draft)
    await page.reload()
    await page.getByText('Reply window closed.').waitFor()
    await page.getByText('Your text is kept. You can save it as a note.').waitFor()
    expect(await replyIn(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Note', exact: true }).click()
    const note = page.getByRole('textbox', { name: 'Internal note' })
    expect(await note.inputValue()).toBe('Begun before it closed')
  })

  test('a reply that does not arrive is kept, said so, and goes once when it is tried again, in a page loaded anew too', async () => {
    const { page } = await open({ at: addressOf(talk) })
    await page.route('**/messages', (route) => route.abort())
    await replyIn(page).fill('I am on my way')
    await page.keyboard.press('Enter')
    const failed = page.getByRole('alert').filter({ hasText: 'I am on my way' })
    await failed.getByText('Connection lost.').waitFor()
    await page.unroute('**/messages')
    await page.reload()
    await failed.getByRole('button', { name: 'Try again' }).click()
    await failed.waitFor({ state: 'detached' })
    await expect.poll(timesSent('I am on my way')).toBe(1)
    await page.getByRole('article').filter({ hasText: 'I am on my way' }).waitFor()
  })

  test('what is tried again in a page loaded anew is said to be on its way, and put before what was begun since', async () => {
    const { page } = await open({ at: addressOf(talk) })
    await page.route('**/messages', () => undefined)
    await replyIn(page).fill('I am on my way')
    await page.keyboard.press('Enter')
    const sending = page.getByRole('article').filter({ hasText: 'I am on my way' })
    const failed = page.getByRole('alert').filter({ hasText: 'I am on my way' })
    await sending.getByText('Sending').waitFor()
    await page.reload()
    await failed.getByRole('button', { name: 'Try again' }).click()
    await sending.getByText('Sending').waitFor()
    await page.reload()
    await replyIn(page).fill('See you soon')
    await failed.getByRole('button', { name: 'Edit' }).click()
    expect(await replyIn(page).inputValue()).toBe('I am on my way\nSee you soon')
  })

  test('a reply that has failed is sent again once, however often it is pressed', async () => {
    const { page } = await open({ at: addressOf(talk) })
    await replyIn(page).fill('It is at the door')
    await page.keyboard.press('Enter')
    const sent = timesSent('It is at the door')
    await expect.poll(sent).toBe(1)
    await whatsApp.settle()
    await setMessageStatus(world, { conversationId: talk.id, direction: 'out' }, 'failed')
    await page.reload()
    await page.getByRole('button', { name: 'Resend' }).dblclick()
    await expect.poll(sent).toBe(2)
    await page.getByRole('article').filter({ hasText: 'It is at the door' }).nth(1).waitFor()
    await whatsApp.settle()
    expect(await sent()).toBe(2)
  })

  test('of a reply that is half written nothing, while a saved one is made beside it', async () => {
    const { page } = await open({ at: addressOf(talk) })
    await replyIn(page).fill('Your refund is')
    await page.getByRole('button', { name: 'saved replies' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'New saved reply' }).click()
    await dialog.getByLabel('Shortcut').fill('refund')
    await dialog.getByLabel('Text').fill('It takes three days.')
    await dialog.getByLabel('Shortcut').press('Enter')
    await dialog.getByText('It takes three days.').waitFor()
    await whatsApp.settle()
    expect((await talk.messages()).filter(({ direction }) => direction === 'out')).toEqual([])
    await page.keyboard.press('Escape')
    expect(await replyIn(page).inputValue()).toBe('Your refund is')
  })

  test('a text that is too long for the channel; and what waits is taken back by who wrote it', async () => {
    const { page } = await open({ at: addressOf(talk) })
    await replyIn(page).fill('x'.repeat(4_100))
    await page.getByText('too long for this channel').waitFor()
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await replyIn(page).fill('Too early')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Cancel sending' }).click()
    await page.getByText('Cancelled, not sent').waitFor()
    await whatsApp.settle()
    expect((await talk.messages())[0]).toMatchObject({ text: 'Too early', status: 'cancelled' })
  })
})

test('of two who take it at once the later one is told who has it, and sees it so', async () => {
  await talk.handOver()
  const { page, go } = await open()
  // What the other one does is not told in time.
  await page.route('**/live', (route) => route.abort())
  await go(addressOf(talk))
  const take = page.getByRole('button', { name: 'Assign to me' })
  await take.waitFor()
  const sara = await inbox.member()
  await act(sara, talk, 'take-over', { turn: (await talk.seen()).turn })
  await take.click()
  await page.getByRole('alert').getByText('The agent').waitFor()
  await hasIt(page, 'The agent').waitFor()
  expect((await talk.seen()).assignee?.id).toBe(sara.personId)
})

test('a note stays among colleagues, and its author changes it', async () => {
  const { page } = await open({ at: addressOf(talk), role: 'agent' })
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  const note = page.getByRole('textbox', { name: 'Internal note' })
  await note.fill('Ask @The')
  await page.getByRole('option', { name: 'The owner' }).first().click()
  await expect.poll(() => note.inputValue()).toBe('Ask @The owner ')
  await page.getByRole('button', { name: 'Add note' }).click()
  const kept = page.getByRole('article').filter({ hasText: /Note by .The agent/ })
  await kept.getByRole('button', { name: 'Edit' }).click()
  await kept.getByRole('textbox', { name: 'Note' }).fill('Asked already')
  await kept.getByRole('button', { name: 'Save' }).click()
  await kept.getByText('Asked already').waitFor()
  expect(await talk.messages()).toHaveLength(1)
  const mentioned = { companyId: shop.companyId, kind: 'mentioned' }
  expect(await noticesOf(world, mentioned)).not.toEqual([])
})

test('a note that is being written never stands where replies are, and outlasts a look elsewhere', async () => {
  world.clock.advance(25 * HOUR_MS)
  const { page } = await open({ at: addressOf(talk) })
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  const note = page.getByRole('textbox', { name: 'Internal note' })
  await note.fill('She never pays in time')
  await talk.writes('Are you there?')
  await page.getByText('You can write until').waitFor()
  expect(await note.inputValue()).toBe('She never pays in time')
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  expect(await replyIn(page).inputValue()).toBe('')
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  expect(await note.inputValue()).toBe('She never pays in time')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('article').filter({ hasText: 'She never pays in time' }).waitFor()
  expect(await note.inputValue()).toBe('')
})

test('a template that is being filled stays in sight when the customer writes again', async () => {
  world.clock.advance(25 * HOUR_MS)
  const { page } = await open({ at: addressOf(talk) })
  await page.getByPlaceholder('Choose a template').click()
  await page.getByRole('option', { name: /order_ready.*en/ }).click()
  const value = page.getByRole('textbox', { name: /Value .2/ })
  await value.fill('10482')
  await talk.writes('Are you there?')
  await page.getByText('You can write until').waitFor()
  expect(await value.inputValue()).toBe('10482')
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await page.getByRole('button', { name: 'Template', exact: true }).click()
  expect(await value.inputValue()).toBe('10482')
})

test('a file stays with the reply while a note is written, and the next note that is begun meanwhile stays', async () => {
  const { page } = await open({ at: addressOf(talk) })
  const file = { mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
  await page
    .getByLabel('Attach file')
    .last()
    .setInputFiles({ name: 'receipt.pdf', ...file })
  await page.getByText('receipt.pdf').waitFor()
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  const note = page.getByRole('textbox', { name: 'Internal note' })
  const held = Promise.withResolvers<void>()
  await page.route('**/notes', async (route) => {
    await held.promise
    await route.continue()
  })
  await note.fill('She paid in cash.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await note.fill('And she')
  held.resolve()
  await page.getByRole('article').getByText('She paid in cash.').waitFor()
  expect(await note.inputValue()).toBe('And she')
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await page.getByText('receipt.pdf').waitFor()
  await page.unroute('**/notes')
})

test('those that are selected are resolved together; only who sets up resolves all that a filter finds', async () => {
  await talk.handOver()
  const { page } = await open({ at: 'inbox', role: 'agent' })
  await page.getByRole('button', { name: 'Select conversations' }).click()
  await page.getByText('Select conversations to resolve together.').waitFor()
  expect(
    await page.getByRole('button', { name: 'Resolve all matching conversations' }).count(),
  ).toBe(0)
  await page.getByRole('checkbox', { name: new RegExp(`Select .${nameOf(talk)}`) }).click()
  await page
    .getByRole('region', { name: '1 selected' })
    .getByRole('button', { name: 'Resolve' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await page.getByText('1 conversation resolved').waitFor()
  expect((await talk.seen()).status).toBe('resolved')
})

describe('in Arabic', () => {
  test('is walked through on a phone, one thing at a time', async () => {
    await talk.handOver('العميلة تريد تغيير العنوان.')
    const { page } = await open({ at: 'inbox', language: 'ar', width: 390, height: 844 })
    await rowOf(page, talk).click()
    await page.getByText('العميلة تريد تغيير العنوان.').waitFor()
    await page.getByRole('button', { name: 'إسناد إليّ' }).click()
    await page.getByRole('textbox', { name: 'رد' }).fill('تم، نصل إليك قبل الرابعة.')
    await page.getByRole('button', { name: 'إرسال', exact: true }).click()
    await page.getByRole('article').getByText('تم، نصل إليك قبل الرابعة.').waitFor()
    expect(await findFlaws(page)).toEqual([])
    await page.getByRole('button', { name: 'العميل', exact: true }).click()
    await page.getByRole('complementary', { name: 'العميل' }).getByText(talk.phone).waitFor()
    await page.getByRole('button', { name: 'إغلاق', exact: true }).click()
    await page.getByRole('link', { name: 'العودة إلى القائمة' }).click()
    await rowOf(page, talk).waitFor({ state: 'detached' })
  })

  test.each(['en', 'ar'] as const)('bars nobody, nor in English: %s', async (language) => {
    await talk.handOver('Ask the courier again')
    for (const width of [390, 1_440]) {
      const { page } = await open({ at: addressOf(talk), language, width })
      await page.getByText('Ask the courier again').waitFor()
      expect(await findFlaws(page)).toEqual([])
    }
  })
})

test('what a stranger wrote is shown as text, wherever it stands', async () => {
  talk = await begun(HOSTILE, HOSTILE)
  await talk.handOver(HOSTILE)
  const owner = await inbox.member('owner')
  await owner.ask('POST', `${talk.path}/notes`, { text: HOSTILE })
  const replies = `/companies/${shop.companyId}/canned-replies`
  await owner.ask('POST', replies, { shortcut: 'evil', text: HOSTILE })
  const { page } = await open({ at: addressOf(talk) })
  await page.getByRole('article').filter({ hasText: HOSTILE }).first().waitFor()
  await page.getByRole('region', { name: 'Handed over to your team' }).getByText(HOSTILE).waitFor()
  await page.getByRole('heading', { name: HOSTILE }).waitFor()
  await page.getByRole('article').filter({ hasText: 'not sent' }).getByText(HOSTILE).waitFor()
  await page.getByText('<b>loyal</b>').waitFor()
  await page.getByRole('button', { name: 'saved replies' }).click()
  expect(await appears(page.getByRole('dialog').getByText(HOSTILE))).toBe(true)
})

const NAME = '"><img src=x onerror=isHurt=1>'

/** A contact who never wrote. */
async function newContact(name: string) {
  const phone = newPhone()
  const member = await inbox.member()
  const path = `/companies/${shop.companyId}/contacts`
  const { body } = await member.ask<ContactView>('POST', path, { phone, name })
  return { id: body.id, phone, path: `${path}/${body.id}`, member }
}

test.each([{ language: 'en' }, { language: 'ar', width: 360, height: 740 }] as const)(
  'a contact who never wrote is sent a template that was filled in: $language',
  async (look) => {
    const { id, phone } = await newContact(NAME)
    const { page, say } = await open({ ...look, role: 'agent', at: `contacts/${id}` })
    await page.getByRole('button', { name: say(writeWords, 'write') }).click()
    const dialog = page.getByRole('dialog', { name: say(writeWords, 'title') })
    await dialog.getByPlaceholder(writeWords[look.language].choose).click()
    await firstOf(page, 'option', /order_ready.*(?:English|الإنجليزية)/).click()
    const send = dialog.getByRole('button', { name: say(composerWords, 'send_template') })
    expect(await send.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: /2/ }).fill('10482')
    const preview = dialog.getByRole('group', { name: say(composerWords, 'preview') })
    await preview.getByText('10482').waitFor()
    await preview.getByText(NAME).waitFor()
    expect(await findFlaws(page)).toEqual([])
    await send.click()
    await page.waitForURL('**/inbox/*')
    await page.getByRole('article').getByText('10482').waitFor()
    await whatsApp.settle()
    expect(whatsApp.sentTo(phone)).toHaveLength(1)
  },
)

test('a contact who stopped all messages meanwhile is not written to, and it is said before and after', async () => {
  const { id, path, member } = await newContact('Maha')
  const { page } = await open({ role: 'agent', at: `contacts/${id}` })
  await page.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await dialog.getByPlaceholder('Choose a template').click()
  await firstOf(page, 'option', /order_ready.*(?:English|الإنجليزية)/).click()
  await dialog.getByRole('textbox', { name: /2/ }).fill('10482')
  await member.ask('POST', `${path}/opt-out`)
  await dialog.getByRole('button', { name: 'Send template' }).click()
  await appears(dialog.getByRole('alert').getByText(/opted out/))
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Send a template' }).click()
  await dialog.getByText('Don’t message them another way.', { exact: false }).waitFor()
  expect(await dialog.getByPlaceholder('Choose a template').count()).toBe(0)
  expect(await findFlaws(page)).toEqual([])
})
