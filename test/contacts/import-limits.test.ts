/** The limits of an import, its opt-outs of existing contacts, and its states. Spec: Contacts › Import. */
import { beforeEach, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { CONTACT_LIMITS, IMPORT_LIMITS } from '../../src/core/limits/contacts.ts'
import { skipRows } from '../support/records/imports.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { contactWith, optOutChangesOf } from '../support/records/contacts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { importsOf } from '../support/upload-contacts.ts'
import { systemTest } from '../support/system-tests.ts'

let owner: Member
let imports: ReturnType<typeof importsOf>
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const at = `/companies/${shop.companyId}`
beforeEach(async () => {
  owner = await signedIn(world, { accountId: shop.accountId })
  imports = importsOf(world, { shop, owner })
})

const show = async ({ id }: { id: string }) =>
  (await owner.ask<ContactView>('GET', `${at}/contacts/${id}`)).body
test("An import that opts out an existing contact raises one event and ends the contact's run", async () => {
  const phone = newPhone()
  const runId = await shop.runFor(phone)
  await imports.importPage(`Sara,${phone},,,yes\nHuda,${newPhone()},,,yes\n`)
  await whatsApp.settle()
  const run = await owner.ask<{ status: string; endReason: string }>('GET', `${at}/runs/${runId}`)
  expect(run.body).toMatchObject({ status: 'completed', endReason: 'customer_exited' })
  const { id: contactId } = await contactWith(world, shop, phone)
  expect(await optOutChangesOf(world, contactId)).toMatchObject([{ how: 'import' }])
  expect(await eventTypesOf(world, { contactId }, 'contact.opted_out')).toHaveLength(1)
})

systemTest(
  "Tags beyond a contact's limit are listed, and the rest of the row is imported",
  async () => {
    const phone = newPhone()
    const tags = Array.from({ length: CONTACT_LIMITS.tags }, (_, nth) => `t${nth}`)
    const contact = await imports.make({ phone, tags })
    const done = await imports.importPage(`Sara,${phone},,more,\n`)
    expect(done).toMatchObject({ state: 'done', updated: 1, leftOut: 0 })
    expect(await show(contact)).toMatchObject({ name: 'Sara', tags })
    expect(await imports.listed(done.id)).toEqual({ 2: ['too_many_tags'] })
  },
)

test.each([
  [0, { state: 'checked', rows: IMPORT_LIMITS.rows }],
  [1, { state: 'failed', reason: { code: 'import_too_many_rows' } }],
])('A file with %i rows above the limit ends as %j', async (more, expected) => {
  const id = await imports.begin('Sara,,,,\nHuda,,,,\n')
  // The test skips all but the last two rows of a file at the limit.
  await skipRows(world, id, IMPORT_LIMITS.rows - 2 + more)
  expect(await imports.settle(id)).toMatchObject(expected)
})

systemTest(
  'A file can be neither checked nor started again while it is being checked, nor after its end',
  async () => {
    const id = await imports.begin('Sara,,,,\n')
    const why = async (what: string) => {
      const asked = what === 'check' ? { columns: imports.COLUMNS } : undefined
      const { status, body } = await imports.ask(id, what, asked)
      return [status, body.reason]
    }
    expect(await why('check')).toEqual([409, 'import_under_way'])
    expect(await why('start')).toEqual([409, 'import_not_checked'])
    await imports.settle(id)
    const done = await imports.start(id)
    expect(done).toMatchObject({ state: 'done', rowsDone: 1 })
    for (const what of ['check', 'start']) expect(await why(what)).toEqual([409, 'import_over'])
    // A cancellation of a finished import changes nothing.
    expect((await imports.ask(id, 'cancel')).body).toEqual(done)
  },
)

test('A file that is not checked yet has no finished rows', async () => {
  const { body } = await imports.upload('Name\nSara\n')
  expect(body).toMatchObject({ state: 'uploaded', rowsDone: 0 })
})
