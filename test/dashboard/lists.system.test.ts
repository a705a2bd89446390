/** Lists, and the questions that pages ask, in a real browser: a click on a row, and the state after a refusal. */
import { expect, test } from 'vitest'
import { contactWords } from '../../src/dashboard/contacts/words-contact.ts'
import { threadWords } from '../../src/dashboard/inbox/words-thread.ts'
import { leadsWords } from '../../src/dashboard/leads/words.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
import { dashboardOf } from '../support/dashboard-page.ts'
import type { Member } from '../support/dashboard.ts'
import { inboxOf } from '../support/inbox.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'
import { pick, press, sees } from '../support/page-steps.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const open = dashboardOf(world, shop)
const own = `/companies/${shop.companyId}`

async function addContact(member: Member, name: string): Promise<string> {
  return (await member.ask<{ id: string }>('POST', `${own}/contacts`, { name })).body.id
}

test('a row is opened by a click on it, but not by a click on its controls', async () => {
  const { page, member, say, go } = await open()
  const contactId = await addContact(member, 'Reem')
  expect((await member.ask('POST', `${own}/leads`, { contactId })).status).toBe(201)
  await go('leads?view=table')
  const row = page.getByRole('row').filter({ hasText: 'Reem' })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: say(leadsWords, 'qualify') }).click()
  await sees(row, say(leadsWords, 'qualified'))
  expect(new URL(page.url()).searchParams.get('lead')).toBeNull()
  await row.getByText('Reem').click()
  await page.waitForURL((url) => url.searchParams.has('lead'))
})

test('a refusal after a question is reported, and the typed text stays', async () => {
  const { page, member, say, go, faults } = await open()
  await go(`contacts/${await addContact(member, 'Omar')}`)
  await pick(page, say(contactWords, 'more'), say(contactWords, 'erase'))
  const dialog = page.getByRole('dialog')
  const act = dialog.getByRole('button', { name: say(contactWords, 'erase_act') })
  const typed = dialog.getByRole('textbox')
  expect(await act.isDisabled()).toBe(true)
  await typed.fill('Omar')
  await page.route('**/erase', (route) => route.abort())
  await act.click()
  await sees(page, say(partsWords, 'not_saved_offline'))
  expect(await typed.inputValue()).toBe('Omar')
  await page.unroute('**/erase')
  await act.click()
  await page.waitForURL((url) => url.pathname.endsWith('/contacts'))
  // The browser reports the cancelled request.
  faults.length = 0
})

test('a note is deleted only after a question, and stays when the answer is no', async () => {
  const { page, member, say, go } = await open()
  const talk = await inboxOf({ world, whatsApp }, shop).talk(newPhone())
  await member.ask('POST', `${talk.path}/notes`, { text: 'She pays by card' })
  const notes = async () => (await talk.timeline()).filter(({ kind }) => kind === 'entry').length
  const before = await notes()
  await go(`inbox/${encodeURIComponent(talk.id)}`)
  const note = page.getByRole('article').filter({ hasText: 'She pays by card' })
  await press(note, say(threadWords, 'delete'))
  const dialog = page.getByRole('dialog', { name: say(threadWords, 'note_delete_title') })
  await press(dialog, say(partsWords, 'cancel'))
  await dialog.waitFor({ state: 'detached' })
  expect(await notes()).toBe(before)
  await press(note, say(threadWords, 'delete'))
  await press(dialog, say(threadWords, 'note_delete'))
  await note.waitFor({ state: 'detached' })
  expect(await notes()).toBe(before - 1)
})
