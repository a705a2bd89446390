/** The inbox in a real browser: waiting conversations are found, assigned, answered and resolved, and every failure is shown. Contacts who never wrote get templates. Spec: Inbox › Allowed messages. */
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { appears, dashboardOf, findFlaws, firstOf, HOSTILE } from '../support/dashboard-page.ts'
import { setMessageStatus } from '../support/records/messages.ts'
import { noticesOf } from '../support/records/notices.ts'
import { act, inboxOf, type Talk } from '../support/inbox.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { writeWords } from '../../src/dashboard/contacts/words-write.ts'
import { inboxWords } from '../../src/dashboard/inbox/words.ts'
import { composerWords } from '../../src/dashboard/inbox/words-composer.ts'
import { fill, follow, press, sees } from '../support/page-steps.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const inbox = inboxOf({ world, whatsApp }, shop)
let talk: Talk
beforeEach(async () => {
  talk = await begun('Can you bring it to my office?')
})

/** Begins a conversation with a customer whose name is unique. */
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
/** Names are within isolates of bidirectional text. */
const hasIt = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`Assigned to .${name}`) })
const replyIn = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
const timesSent = (said: string) => async () =>
  (await talk.messages()).filter(({ text }) => text === said).length

test('a waiting conversation is found, assigned, answered with a saved reply and resolved by keys', async () => {
  await talk.handOver('She wants it at her office.', 'needs_staff_action')
  const omar = await inbox.member()
  const text = 'It comes to {{contact.phone}} today.'
  const path = `/companies/${shop.companyId}/canned-replies`
  await omar.ask('POST', path, { shortcut: 'today', text })
  const { page } = await open({ at: 'inbox', role: 'agent' })
  const row = rowOf(page, talk)
  await sees(row, 'Needs action from your team')
  // J is recognized by its position, as on an Arabic keyboard; Enter opens.
  await page.keyboard.press('KeyJ')
  await row.focus()
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Handed over to your team' })
  await sees(card, 'She wants it at her office.')
  await press(card, 'Assign to me')
  await hasIt(page, 'The agent').waitFor()

  await replyIn(page).fill('/tod')
  await page.getByRole('option', { name: '/today' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => replyIn(page).inputValue()).toBe(`It comes to ${talk.phone} today.`)
  await page.keyboard.press('Enter')
  await sees(page.getByRole('article'), `It comes to ${talk.phone} today.`)
  await expect.poll(() => replyIn(page).inputValue()).toBe('')
  await talk.has(`It comes to ${talk.phone} today.`)
  await whatsApp.settle()
  // The stream reports the status, without a reload.
  await appears(page.getByRole('img', { name: /^(Sent|Delivered|Read)$/ }).first())

  await page.keyboard.press('Alt+KeyR')
  await sees(page, 'Conversation resolved. It reopens if the customer writes again.')
  await follow(page, /^Resolved$/)
  await row.waitFor()
  expect(await talk.seen()).toMatchObject({ status: 'resolved', isUnread: false })
})

test.each(LANGUAGES)('no tab of the list is cut off on a small screen: %s', async (language) => {
  await talk.handOver('She asks for a person.', 'customer_asked_for_person')
  const { page, say } = await open({ at: 'inbox', language, width: 1_280 })
  const tabs = page.getByRole('navigation', { name: say(inboxWords, 'tabs') })
  await tabs.getByText(/\d/).first().waitFor()
  expect(await tabs.evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBe(0)
})

describe('messages that cannot be sent', () => {
  test('after the window a text is kept as a note, and no reply can be written', async () => {
    world.clock.advance(25 * HOUR_MS)
    const { page } = await open({ at: addressOf(talk) })
    const draft = [`wasla.draft.${talk.id}`, 'Begun before it closed'] as const
    await page.evaluate(([key, text]) => sessionStorage.setItem(key, text), draft)
    await page.reload()
    await sees(page, 'Reply window closed.', 'Your text is kept. You can save it as a note.')
    expect(await replyIn(page).count()).toBe(0)
    await press(page, /^Note$/)
    const note = page.getByRole('textbox', { name: 'Internal note' })
    expect(await note.inputValue()).toBe('Begun before it closed')
  })

  test('a failed reply is kept and reported, and is sent once when tried again, also after a reload', async () => {
    const { page } = await open({ at: addressOf(talk) })
    await page.route('**/messages', (route) => route.abort())
    await replyIn(page).fill('I am on my way')
    await page.keyboard.press('Enter')
    const failed = page.getByRole('alert').filter({ hasText: 'I am on my way' })
    await sees(failed, 'Connection lost.')
    await page.unroute('**/messages')
    await page.reload()
    await press(failed, 'Try again')
    await failed.waitFor({ state: 'detached' })
    await expect.poll(timesSent('I am on my way')).toBe(1)
    await page.getByRole('article').filter({ hasText: 'I am on my way' }).waitFor()
  })

  test('a reply tried again after a reload is shown as sending, and its text precedes a newer draft', async () => {
    const { page } = await open({ at: addressOf(talk) })
    await page.route('**/messages', () => undefined)
    await replyIn(page).fill('I am on my way')
    await page.keyboard.press('Enter')
    const sending = page.getByRole('article').filter({ hasText: 'I am on my way' })
    const failed = page.getByRole('alert').filter({ hasText: 'I am on my way' })
    await sees(sending, 'Sending')
    await page.reload()
    await press(failed, 'Try again')
    await sees(sending, 'Sending')
    await page.reload()
    await replyIn(page).fill('See you soon')
    await press(failed, 'Edit')
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

  test('a half-written reply is not sent while a saved reply is made', async () => {
    const { page } = await open({ at: addressOf(talk) })
    await replyIn(page).fill('Your refund is')
    await press(page, 'saved replies')
    const dialog = page.getByRole('dialog')
    await press(dialog, 'New saved reply')
    await fill(dialog, { Shortcut: 'refund', Text: 'It takes three days.' })
    await dialog.getByLabel('Shortcut').press('Enter')
    await sees(dialog, 'It takes three days.')
    await whatsApp.settle()
    expect((await talk.messages()).filter(({ direction }) => direction === 'out')).toEqual([])
    await page.keyboard.press('Escape')
    expect(await replyIn(page).inputValue()).toBe('Your refund is')
  })

  test('a text that is too long for the channel is refused; a waiting message is withdrawn by its author', async () => {
    const { page } = await open({ at: addressOf(talk) })
    await replyIn(page).fill('x'.repeat(4_100))
    await sees(page, 'too long for this channel')
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await replyIn(page).fill('Too early')
    await page.keyboard.press('Enter')
    await press(page, 'Cancel sending')
    await sees(page, 'Cancelled, not sent')
    await whatsApp.settle()
    expect((await talk.messages())[0]).toMatchObject({ text: 'Too early', status: 'cancelled' })
  })
})

test('the later of two members who take a conversation concurrently sees who has it', async () => {
  await talk.handOver()
  const { page, go } = await open()
  // The stream does not report the change of the other member in time.
  await page.route('**/live', (route) => route.abort())
  await go(addressOf(talk))
  const take = page.getByRole('button', { name: 'Assign to me' })
  await take.waitFor()
  const sara = await inbox.member()
  await act(sara, talk, 'take-over', { turn: (await talk.seen()).turn })
  await take.click()
  await sees(page.getByRole('alert'), 'The agent')
  await hasIt(page, 'The agent').waitFor()
  expect((await talk.seen()).assignee?.id).toBe(sara.personId)
})

test('a note is shown to colleagues only, and its author changes it', async () => {
  const { page } = await open({ at: addressOf(talk), role: 'agent' })
  await press(page, /^Note$/)
  const note = page.getByRole('textbox', { name: 'Internal note' })
  await note.fill('Ask @The')
  await page.getByRole('option', { name: 'The owner' }).first().click()
  await expect.poll(() => note.inputValue()).toBe('Ask @The owner ')
  await press(page, 'Add note')
  const kept = page.getByRole('article').filter({ hasText: /Note by .The agent/ })
  await press(kept, 'Edit')
  await kept.getByRole('textbox', { name: 'Note' }).fill('Asked already')
  await press(kept, 'Save')
  await sees(kept, 'Asked already')
  expect(await talk.messages()).toHaveLength(1)
  const mentioned = { companyId: shop.companyId, kind: 'mentioned' }
  expect(await noticesOf(world, mentioned)).not.toEqual([])
})

test('a note that is being written never becomes a reply, and outlasts a look elsewhere', async () => {
  world.clock.advance(25 * HOUR_MS)
  const { page } = await open({ at: addressOf(talk) })
  await press(page, /^Note$/)
  const note = page.getByRole('textbox', { name: 'Internal note' })
  await note.fill('She never pays in time')
  await talk.writes('Are you there?')
  await sees(page, 'You can write until')
  expect(await note.inputValue()).toBe('She never pays in time')
  await press(page, /^Reply$/)
  expect(await replyIn(page).inputValue()).toBe('')
  await press(page, /^Note$/)
  expect(await note.inputValue()).toBe('She never pays in time')
  await press(page, 'Add note')
  await page.getByRole('article').filter({ hasText: 'She never pays in time' }).waitFor()
  await expect.poll(() => note.inputValue()).toBe('')
})

test('a template that is being filled in stays visible when the customer writes again', async () => {
  world.clock.advance(25 * HOUR_MS)
  const { page } = await open({ at: addressOf(talk) })
  await page.getByPlaceholder('Choose a template').click()
  await page.getByRole('option', { name: /order_ready.*en/ }).click()
  const value = page.getByRole('textbox', { name: /Value .2/ })
  await value.fill('10482')
  await talk.writes('Are you there?')
  await sees(page, 'You can write until')
  expect(await value.inputValue()).toBe('10482')
  await press(page, /^Note$/, /^Template$/)
  expect(await value.inputValue()).toBe('10482')
})

test('a file stays with the reply while a note is written, and so does a second note begun meanwhile', async () => {
  const { page } = await open({ at: addressOf(talk) })
  const file = { mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
  await page
    .getByLabel('Attach file')
    .last()
    .setInputFiles({ name: 'receipt.pdf', ...file })
  await sees(page, 'receipt.pdf')
  await press(page, /^Note$/)
  const note = page.getByRole('textbox', { name: 'Internal note' })
  const held = Promise.withResolvers<void>()
  await page.route('**/notes', async (route) => {
    await held.promise
    await route.continue()
  })
  await note.fill('She paid in cash.')
  await press(page, 'Add note')
  await note.fill('And she')
  held.resolve()
  await sees(page.getByRole('article'), 'She paid in cash.')
  expect(await note.inputValue()).toBe('And she')
  await press(page, /^Reply$/)
  await sees(page, 'receipt.pdf')
  await page.unroute('**/notes')
})

test('selected conversations are resolved together; an Agent cannot resolve all that match', async () => {
  await talk.handOver()
  const { page } = await open({ at: 'inbox', role: 'agent' })
  await press(page, 'Select conversations')
  await sees(page, 'Select conversations to resolve together.')
  expect(
    await page.getByRole('button', { name: 'Resolve all matching conversations' }).count(),
  ).toBe(0)
  await page.getByRole('checkbox', { name: new RegExp(`Select .${nameOf(talk)}`) }).click()
  await press(page.getByRole('region', { name: '1 selected' }), 'Resolve')
  await press(page.getByRole('dialog'), 'Resolve')
  await sees(page, '1 conversation resolved')
  expect((await talk.seen()).status).toBe('resolved')
})

describe('in Arabic', () => {
  test('the inbox works on a phone, one pane at a time', async () => {
    await talk.handOver('العميلة تريد تغيير العنوان.')
    const { page } = await open({ at: 'inbox', language: 'ar', width: 390, height: 844 })
    await rowOf(page, talk).click()
    await sees(page, 'العميلة تريد تغيير العنوان.')
    await press(page, 'إسناد إليّ')
    await page.getByRole('textbox', { name: 'رد' }).fill('تم، نصل إليك قبل الرابعة.')
    await press(page, /^إرسال$/)
    await sees(page.getByRole('article'), 'تم، نصل إليك قبل الرابعة.')
    expect(await findFlaws(page)).toEqual([])
    await press(page, /^العميل$/)
    await sees(page.getByRole('complementary', { name: 'العميل' }), talk.phone)
    await press(page, /^إغلاق$/)
    await follow(page, 'العودة إلى القائمة')
    await rowOf(page, talk).waitFor({ state: 'detached' })
  })

  test.each(['en', 'ar'] as const)('has no barriers, nor in English: %s', async (language) => {
    await talk.handOver('Ask the courier again')
    for (const width of [390, 1_440]) {
      const { page } = await open({ at: addressOf(talk), language, width })
      await sees(page, 'Ask the courier again')
      expect(await findFlaws(page)).toEqual([])
    }
  })
})

test('untrusted input is shown as text in every place', async () => {
  talk = await begun(HOSTILE, HOSTILE)
  await talk.handOver(HOSTILE)
  const owner = await inbox.member('owner')
  await owner.ask('POST', `${talk.path}/notes`, { text: HOSTILE })
  const replies = `/companies/${shop.companyId}/canned-replies`
  await owner.ask('POST', replies, { shortcut: 'evil', text: HOSTILE })
  const { page } = await open({ at: addressOf(talk) })
  await page.getByRole('article').filter({ hasText: HOSTILE }).first().waitFor()
  await sees(page.getByRole('region', { name: 'Handed over to your team' }), HOSTILE)
  await page.getByRole('heading', { name: HOSTILE }).waitFor()
  await sees(page.getByRole('article').filter({ hasText: 'not sent' }), HOSTILE)
  await sees(page, '<b>loyal</b>')
  await press(page, 'saved replies')
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
  'a contact who never wrote is sent a filled-in template: $language',
  async (look) => {
    const { id, phone } = await newContact(NAME)
    const { page, say } = await open({ ...look, role: 'agent', at: `contacts/${id}` })
    await press(page, say(writeWords, 'write'))
    const dialog = page.getByRole('dialog', { name: say(writeWords, 'title') })
    await dialog.getByPlaceholder(writeWords[look.language].choose).click()
    await firstOf(page, 'option', /order_ready.*(?:English|الإنجليزية)/).click()
    const send = dialog.getByRole('button', { name: say(composerWords, 'send_template') })
    expect(await send.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: /2/ }).fill('10482')
    const preview = dialog.getByRole('group', { name: say(composerWords, 'preview') })
    await sees(preview, '10482', NAME)
    expect(await findFlaws(page)).toEqual([])
    await send.click()
    await page.waitForURL('**/inbox/*')
    await sees(page.getByRole('article'), '10482')
    await whatsApp.settle()
    expect(whatsApp.sentTo(phone)).toHaveLength(1)
  },
)

test('a contact who meanwhile stopped all messages is not sent one, as the page says before and after', async () => {
  const { id, path, member } = await newContact('Maha')
  const { page } = await open({ role: 'agent', at: `contacts/${id}` })
  await press(page, 'Send a template')
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await dialog.getByPlaceholder('Choose a template').click()
  await firstOf(page, 'option', /order_ready.*(?:English|الإنجليزية)/).click()
  await dialog.getByRole('textbox', { name: /2/ }).fill('10482')
  await member.ask('POST', `${path}/opt-out`)
  await press(dialog, 'Send template')
  await appears(dialog.getByRole('alert').getByText(/opted out/))
  await press(dialog, 'Close')
  await press(page, 'Send a template')
  await dialog.getByText('Don’t message them another way.', { exact: false }).waitFor()
  expect(await dialog.getByPlaceholder('Choose a template').count()).toBe(0)
  expect(await findFlaws(page)).toEqual([])
})
