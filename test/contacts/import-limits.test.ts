/** What an import leaves as it is, whom it opts out, and where it ends. Spec: Contacts › Import. */
import { beforeEach, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { ContactImportView } from '../../src/contract/dashboard/contact-import.ts'
import { CONTACT_JOBS, CONTACT_LIMITS, IMPORT_LIMITS } from '../../src/limits/contacts.ts'
import { addImportFaults, skipRows } from '../support/records/imports.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { contactWith, optOutChangesOf } from '../support/records/contacts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { uploadContacts } from '../support/upload-contacts.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let owner: Member
let at: string
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
beforeEach(async () => {
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
})

const make = async (input: object) =>
  (await owner.ask<ContactView>('POST', `${at}/contacts`, input)).body
const show = async ({ id }: { id: string }) =>
  (await owner.ask<ContactView>('GET', `${at}/contacts/${id}`)).body
const ofImport = async (id: string) =>
  (await owner.ask<ContactImportView>('GET', `${at}/contact-imports/${id}`)).body
const ask = (id: string, what: string, json?: object) =>
  owner.ask('POST', `${at}/contact-imports/${id}/${what}`, json)
async function settle(id: string): Promise<ContactImportView> {
  await waitUntil('the import is over', async () => {
    await world.service.processAll()
    world.clock.advance(CONTACT_JOBS.pageEveryMs)
    return !['checking', 'running'].includes((await ofImport(id)).state)
  })
  return ofImport(id)
}

const COLUMNS = { name: 'Name', phone: 'Phone', tags: 'Tags', opted_out: 'Out' }

/** Begins to check a file; its id. */
async function check(file: string, more: object = {}): Promise<string> {
  const { body } = await uploadContacts(world, owner, shop, file)
  expect((await ask(body.id, 'check', { columns: COLUMNS, ...more })).status).toBe(202)
  return body.id
}

async function bringIn(rows: string, more: object = {}): Promise<ContactImportView> {
  const id = await check(`Name,Phone,Tags,Out,Size\n${rows}`, more)
  expect(await settle(id)).toMatchObject({ state: 'checked' })
  expect((await ask(id, 'start')).status).toBe(202)
  return settle(id)
}

async function faultsOf({ id }: { id: string }): Promise<string> {
  return (await owner.ask<string>('GET', `${at}/contact-imports/${id}/faults.csv`)).body
}

test.each([
  ['fill', '41'],
  ['overwrite', '42'],
  ['skip', '41'],
])(
  'In mode %s a field that a contact has is %s then; one that it has not is filled',
  async (mode, size) => {
    for (const key of ['size', 'width']) {
      await owner.ask('POST', `${at}/contact-fields`, { key, label: key, kind: 'text' })
    }
    const phone = newPhone()
    const contact = await make({ phone, fields: { size: '41' } })
    const columns = { ...COLUMNS, 'fields.size': 'Size', 'fields.width': 'Name' }
    await bringIn(`wide,${phone},,,42\n`, { columns, mode })
    const filled = mode === 'skip' ? {} : { width: 'wide' }
    expect((await show(contact)).fields).toEqual({ size, ...filled })
  },
)

test('A contact that is there already is opted out by it, told of once, and its run ends', async () => {
  const phone = newPhone()
  const runId = await shop.order(phone)
  await whatsApp.settle()
  await bringIn(`Sara,${phone},,yes\nHuda,${newPhone()},,yes\n`)
  await whatsApp.settle()
  const run = await owner.ask<{ status: string; endReason: string }>('GET', `${at}/runs/${runId}`)
  expect(run.body).toMatchObject({ status: 'completed', endReason: 'customer_exited' })
  const { id: contactId } = await contactWith(world, shop, phone)
  expect(await optOutChangesOf(world, contactId)).toMatchObject([{ how: 'import' }])
  expect(await eventTypesOf(world, { contactId }, 'contact.opted_out')).toHaveLength(1)
})

systemTest(
  'Tags that a contact has no room for are listed, and the row is brought in all the same',
  async () => {
    const phone = newPhone()
    const tags = Array.from({ length: CONTACT_LIMITS.tags }, (_, nth) => `t${nth}`)
    const contact = await make({ phone, tags })
    const done = await bringIn(`Sara,${phone},more,\n`)
    expect(done).toMatchObject({ state: 'done', updated: 1, leftOut: 0 })
    expect(await show(contact)).toMatchObject({ name: 'Sara', tags })
    expect(await faultsOf(done)).toMatch(/^2,Tags,no,/m)
  },
)

test.each([
  [0, { state: 'checked', rows: IMPORT_LIMITS.rows }],
  [1, { state: 'failed', reason: { code: 'import_too_many_rows' } }],
])('Of a file with %i more rows than there may be it comes to %j', async (more, expected) => {
  const id = await check('Name,Phone,Tags,Out\nSara,,,\nHuda,,,\n')
  // As if all but two had been looked at.
  await skipRows(world, id, IMPORT_LIMITS.rows - 2 + more)
  expect(await settle(id)).toMatchObject(expected)
})

systemTest('So many faults are kept of a file, and no more', async () => {
  const id = await check('Name,Phone,Tags,Out\n,call me,,\n,call me,,\n,call me,,\n')
  await addImportFaults(world, id, IMPORT_LIMITS.faults - 1)
  expect(await settle(id)).toMatchObject({ state: 'checked', rows: 3, leftOut: 3 })
  const lines = (await faultsOf({ id })).trim().split('\r\n').slice(1)
  expect(lines).toHaveLength(IMPORT_LIMITS.faults)
})

systemTest(
  'A file is checked and started in its turn: not while it is looked at, nor once it is over',
  async () => {
    const id = await check('Name,Phone,Tags,Out\nSara,,,\n')
    const why = async (what: string) => {
      const { status, body } = await ask(
        id,
        what,
        what === 'check' ? { columns: COLUMNS } : undefined,
      )
      return [status, body.reason]
    }
    expect(await why('check')).toEqual([409, 'import_under_way'])
    expect(await why('start')).toEqual([409, 'import_not_checked'])
    await settle(id)
    expect((await ask(id, 'start')).status).toBe(202)
    const done = await settle(id)
    expect(done).toMatchObject({ state: 'done', rowsDone: 1 })
    for (const what of ['check', 'start']) expect(await why(what)).toEqual([409, 'import_over'])
    // Cancelled it stays what it is.
    expect((await ask(id, 'cancel')).body).toEqual(done)
  },
)

test('Of a file that is not checked yet no row is done', async () => {
  const { body } = await uploadContacts(world, owner, shop, 'Name\nSara\n')
  expect(body).toMatchObject({ state: 'uploaded', rowsDone: 0 })
})
