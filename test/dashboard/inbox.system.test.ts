/** The inbox in a real browser: what is waiting is found, taken, answered and ended; nothing fails in silence. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transaction } from '../../src/database/transaction.ts'
import { HOUR_MS } from '../../src/limits/units.ts'
import { changeConversations } from '../../src/messaging/change-conversations.ts'
import type { HandoverReason } from '../../src/vocabulary/inbox.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { act, inboxOf, type Inbox, type Talk } from '../support/inbox.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { PATIENCE } from '../support/patience.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let inbox: Inbox
let talk: Talk
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
  inbox = inboxOf({ world, whatsApp }, shop)
}, 120_000 * PATIENCE)
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})
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

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

function handOver(words: string | null, reason: HandoverReason = 'needs_staff_action') {
  const { db, ids } = world.service.context
  const change = { kind: 'hand_over', reason, reasonText: words } as const
  const { companyId } = shop
  const asked = { companyId, conversationId: talk.id, by: { kind: 'service' }, change } as const
  return transaction(db, (tx) => changeConversations(tx, { ids, now: world.clock.now() }, [asked]))
}

const addressOf = ({ id }: Talk) => `inbox/${encodeURIComponent(id)}`
const nameOf = ({ phone }: Talk) => `Noura ${phone.slice(-5)}`
const rowOf = (page: Page, of: Talk) => page.getByRole('link', { name: nameOf(of) })
/** Names stand in isolates of their own. */
const hasIt = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`Has it now: .${name}`) })
const replyIn = (page: Page) => page.getByRole('textbox', { name: 'Reply' })

test('what waits is found, taken over, answered with a saved reply, and resolved by the keyboard', async () => {
  await handOver('She wants it at her office.')
  const omar = await inbox.member()
  const text = 'It comes to {{contact.phone}} today.'
  const path = `/companies/${shop.companyId}/canned-replies`
  await omar.ask('POST', path, { shortcut: 'today', text })
  const { page, close, faults, go } = await open({ role: 'agent' })
  await go('inbox')
  const row = rowOf(page, talk)
  await row.getByText('Needs staff action').waitFor()
  // J by its place, as on an Arabic keyboard; Enter opens.
  await page.keyboard.press('KeyJ')
  await row.focus()
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Handed to the team' })
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
  await page
    .getByRole('img', { name: /^(Sent|Delivered|Read)$/ })
    .first()
    .waitFor()

  await page.keyboard.press('Alt+KeyR')
  await page.getByText('Resolved. It opens again when the customer writes.').waitFor()
  await page.getByRole('link', { name: 'Resolved', exact: true }).click()
  await row.waitFor()
  expect(await talk.seen()).toMatchObject({ status: 'resolved', isUnread: false })
  expect(faults).toEqual([])
  await close()
})

describe('what cannot be sent', () => {
  test('after the window a template stands in the place of the text, which is kept as a note', async () => {
    const first = await open()
    await first.go(addressOf(talk))
    await first.page.getByText('You can write until').waitFor()
    await first.close()
    world.clock.advance(25 * HOUR_MS)
    const { page, close, go } = await open()
    await go(addressOf(talk))
    await page.evaluate(
      ([id]) => sessionStorage.setItem(`wasla.draft.${id}`, 'Begun before it closed'),
      [talk.id],
    )
    await page.reload()
    await page.getByText('Closed.').waitFor()
    await page.getByText('Your text is kept. It can be kept as a note.').waitFor()
    expect(await replyIn(page).count()).toBe(0)
    await page.getByPlaceholder('Choose a template').click()
    await page.getByRole('option', { name: /order_ready.*en/ }).click()
    const send = page.getByRole('button', { name: 'Send template' })
    expect(await send.isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: /Value .1/ }).fill('Noura')
    await page.getByRole('textbox', { name: /Value .2/ }).fill('10482')
    await page.getByRole('group', { name: 'As the customer reads it' }).getByText('10482').waitFor()
    await send.click()
    await page.getByRole('article').getByText('10482').waitFor()
    await expect
      .poll(async () => (await talk.messages())[0])
      .toMatchObject({ templateName: 'order_ready', sender: 'staff' })
    await page.getByRole('button', { name: 'Note', exact: true }).click()
    const note = page.getByRole('textbox', { name: 'Note for colleagues' })
    expect(await note.inputValue()).toBe('Begun before it closed')
    await close()
  })

  test('a reply that does not arrive is kept, said so, and goes once when it is tried again, in a page loaded anew too', async () => {
    const { page, close, go } = await open()
    await go(addressOf(talk))
    await page.route('**/messages', (route) => route.abort())
    await replyIn(page).fill('I am on my way')
    await page.keyboard.press('Enter')
    const failed = page.getByRole('alert').filter({ hasText: 'I am on my way' })
    await failed.getByText('The connection dropped.').waitFor()
    await page.unroute('**/messages')
    await page.reload()
    await failed.getByRole('button', { name: 'Try again' }).click()
    await failed.waitFor({ state: 'detached' })
    const sent = async () =>
      (await talk.messages()).filter(({ text }) => text === 'I am on my way').length
    await expect.poll(sent).toBe(1)
    await page.getByRole('article').filter({ hasText: 'I am on my way' }).waitFor()
    await close()
  })

  test('what is tried again in a page loaded anew is said to be on its way, and put before what was begun since', async () => {
    const { page, close, go } = await open()
    await go(addressOf(talk))
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
    await close()
  })

  test('a reply that has failed is sent again once, however often it is pressed', async () => {
    const { page, close, go } = await open()
    await go(addressOf(talk))
    await replyIn(page).fill('It is at the door')
    await page.keyboard.press('Enter')
    const sent = async () =>
      (await talk.messages()).filter(({ text }) => text === 'It is at the door').length
    await expect.poll(sent).toBe(1)
    await whatsApp.settle()
    await world.database.db.kysely
      .updateTable('message')
      .set({ status: 'failed' })
      .where('conversationId', '=', talk.id)
      .where('direction', '=', 'out')
      .execute()
    await page.reload()
    await page.getByRole('button', { name: 'Send again' }).dblclick()
    await expect.poll(sent).toBe(2)
    await page.getByRole('article').filter({ hasText: 'It is at the door' }).nth(1).waitFor()
    await whatsApp.settle()
    expect(await sent()).toBe(2)
    await close()
  })

  test('of a reply that is half written nothing, while a saved one is made beside it', async () => {
    const { page, close, go } = await open()
    await go(addressOf(talk))
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
    await close()
  })

  test('what waits to be sent is taken back by who wrote it', async () => {
    const { page, close, go } = await open()
    await go(addressOf(talk))
    await replyIn(page).fill('Too early')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByText('Taken back, not sent').waitFor()
    await whatsApp.settle()
    expect((await talk.messages())[0]).toMatchObject({ text: 'Too early', status: 'cancelled' })
    await close()
  })

  test('a text that is too long for the channel is told before it is sent', async () => {
    const { page, close, go } = await open()
    await go(addressOf(talk))
    await replyIn(page).fill('x'.repeat(4_100))
    await page.getByText('Too long by').waitFor()
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await close()
  })
})

test('of two who take it at once the later one is told who has it, and sees it so', async () => {
  await handOver(null)
  const { page, close, go } = await open()
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
  await close()
})

test('a note stays among colleagues, and its author changes it', async () => {
  const { page, close, go } = await open({ role: 'agent' })
  await go(addressOf(talk))
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  const note = page.getByRole('textbox', { name: 'Note for colleagues' })
  await note.fill('Ask @The')
  await page.getByRole('option', { name: 'The owner' }).first().click()
  await expect.poll(() => note.inputValue()).toBe('Ask @The owner ')
  await page.getByRole('button', { name: 'Keep note' }).click()
  const kept = page.getByRole('article').filter({ hasText: /Note of .The agent/ })
  await kept.getByRole('button', { name: 'Edit' }).click()
  await kept.getByRole('textbox', { name: 'Note' }).fill('Asked already')
  await kept.getByRole('button', { name: 'Save' }).click()
  await kept.getByText('Asked already').waitFor()
  expect(await talk.messages()).toHaveLength(1)
  const notice = await world.database.db.kysely
    .selectFrom('notice')
    .select('kind')
    .where('kind', '=', 'mentioned')
    .where('companyId', '=', shop.companyId)
    .execute()
  expect(notice.length).toBeGreaterThan(0)
  await close()
})

test('a note that is being written never stands where replies are, and outlasts a look elsewhere', async () => {
  world.clock.advance(25 * HOUR_MS)
  const { page, close, go } = await open()
  await go(addressOf(talk))
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  const note = page.getByRole('textbox', { name: 'Note for colleagues' })
  await note.fill('She never pays in time')
  await talk.writes('Are you there?')
  await page.getByText('You can write until').waitFor()
  expect(await note.inputValue()).toBe('She never pays in time')
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  expect(await replyIn(page).inputValue()).toBe('')
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  expect(await note.inputValue()).toBe('She never pays in time')
  await page.getByRole('button', { name: 'Keep note' }).click()
  await page.getByRole('article').filter({ hasText: 'She never pays in time' }).waitFor()
  expect(await note.inputValue()).toBe('')
  await close()
})

test('those that are selected are resolved together; only who sets up resolves all that a filter finds', async () => {
  await handOver(null)
  const { page, close, go } = await open({ role: 'agent' })
  await go('inbox')
  await page.getByRole('button', { name: 'Select conversations' }).click()
  await page.getByText('Select conversations to resolve them together.').waitFor()
  expect(await page.getByRole('button', { name: 'Resolve all that are found' }).count()).toBe(0)
  await page.getByRole('checkbox', { name: new RegExp(`Select .${nameOf(talk)}`) }).click()
  await page
    .getByRole('region', { name: '1 selected' })
    .getByRole('button', { name: 'Resolve' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await page.getByText('1 conversation resolved').waitFor()
  expect((await talk.seen()).status).toBe('resolved')
  await close()
})

describe('in Arabic', () => {
  test('is walked through on a phone, one thing at a time', async () => {
    await handOver('العميلة تريد تغيير العنوان.')
    const { page, close, faults, go } = await open({ language: 'ar', width: 390, height: 844 })
    await go('inbox')
    await rowOf(page, talk).click()
    await page.getByText('العميلة تريد تغيير العنوان.').waitFor()
    await page.getByRole('button', { name: 'إسناد إليّ' }).click()
    await page.getByRole('textbox', { name: 'رد' }).fill('تم، نصل إليك قبل الرابعة.')
    await page.getByRole('button', { name: 'إرسال', exact: true }).click()
    await page.getByRole('article').getByText('تم، نصل إليك قبل الرابعة.').waitFor()
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'العميل', exact: true }).click()
    await page.getByRole('complementary', { name: 'العميل' }).getByText(talk.phone).waitFor()
    await page.getByRole('button', { name: 'إغلاق', exact: true }).click()
    await page.getByRole('link', { name: 'العودة إلى القائمة' }).click()
    await rowOf(page, talk).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await close()
  })

  test.each(['en', 'ar'] as const)('bars nobody, nor in English: %s', async (language) => {
    await handOver('Ask the courier again')
    for (const width of [390, 1_440]) {
      const { page, close, go } = await open({ language, width })
      await go(addressOf(talk))
      await page.getByText('Ask the courier again').waitFor()
      expect(await findBarriers(page)).toEqual([])
      await close()
    }
  })
})

test('what a stranger wrote is shown as text, wherever it stands', async () => {
  const evil = '"><script>globalThis.evil=1</script><img src=x onerror=globalThis.evil=1>'
  talk = await begun(evil, evil)
  await handOver(evil)
  const owner = await inbox.member('owner')
  await owner.ask('POST', `${talk.path}/notes`, { text: evil })
  const replies = `/companies/${shop.companyId}/canned-replies`
  await owner.ask('POST', replies, { shortcut: 'evil', text: evil })
  const { page, close, faults, go } = await open()
  await go(addressOf(talk))
  await page.getByRole('article').filter({ hasText: evil }).first().waitFor()
  await page.getByRole('region', { name: 'Handed to the team' }).getByText(evil).waitFor()
  await page.getByRole('heading', { name: evil }).waitFor()
  await page.getByRole('article').filter({ hasText: 'not sent' }).getByText(evil).waitFor()
  await page.getByText('<b>loyal</b>').waitFor()
  await page.getByRole('button', { name: 'saved replies' }).click()
  await page.getByRole('dialog').getByText(evil).waitFor()
  expect(await page.evaluate(() => 'evil' in globalThis)).toBe(false)
  expect(await page.locator('img[src=x]').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})
