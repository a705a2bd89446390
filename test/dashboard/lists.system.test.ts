/** Lists, and the questions that pages ask, in a real browser: a click on a row, and the state after a refusal. */
import { expect, test } from 'vitest'
import { contactWords } from '../../src/dashboard/contacts/words-contact.ts'
import { leadsWords } from '../../src/dashboard/leads/words.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
import { dashboardOf } from '../support/dashboard-page.ts'
import type { Member } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { createShop } from '../support/shop.ts'
import { pick, sees } from '../support/page-steps.ts'

const world = await openWorld()
const shop = await createShop(world)
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
