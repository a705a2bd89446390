/** Files of contacts: checked before anything is touched, then brought in a page at a time. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { ContactImportView } from '../../src/contract/dashboard/contact-import.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { stepImports } from '../../src/contacts/import/step-imports.ts'
import { CONTACT_JOBS, IMPORT_LIMITS } from '../../src/limits/contacts.ts'
import { RETENTION } from '../../src/limits/retention.ts'
import { HOUR_MS } from '../../src/limits/units.ts'
import { holdLock } from '../support/records/locks.ts'
import { countKeptOfImport } from '../support/records/imports.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { uploadContacts } from '../support/upload-contacts.ts'
import { waitUntil } from '../support/wait.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

type ImportAnswer = ContactImportView & {
  code?: string
  detail?: string
  errors?: { field: string; code: string }[]
}

let shop: Shop
let owner: Member
let at: string
const world = await openWorld()

async function openShop() {
  const key = world.service.context.ids.token(6)
  shop = await createShop(world, { phoneNumberId: key, businessAccountId: key })
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
}

const upload = (content: string | Buffer, type?: string) =>
  uploadContacts<ImportAnswer>(world, owner, shop, content, type ? { type } : {})
const ask = (id: string, what: string, json?: unknown) =>
  owner.ask<ImportAnswer>('POST', `${at}/contact-imports/${id}/${what}`, json)
const show = async (id: string) =>
  (await owner.ask<ContactImportView>('GET', `${at}/contact-imports/${id}`)).body
const contacts = async () =>
  (await owner.ask<Page<ContactView>>('GET', `${at}/contacts?limit=100`)).body.items.toReversed()
const make = async (input: object) =>
  (await owner.ask<ContactView>('POST', `${at}/contacts`, input)).body

/** Lets the service work on, as long as a page is due. */
async function settle(id: string) {
  await waitUntil('the import is over', async () => {
    await world.service.processAll()
    world.clock.advance(CONTACT_JOBS.pageEveryMs)
    return !['checking', 'running'].includes((await show(id)).state)
  })
}
const COLUMNS = { name: 'Name', phone: 'Phone', email: 'Mail', tags: 'Tags', opted_out: 'Out' }
const HEAD = 'Name,Phone,Mail,Tags,Out\n'

/** Uploads and checks a file; returns the id. */
async function check(rows: string, more: object = {}) {
  const { body } = await upload(HEAD + rows)
  const { status } = await ask(body.id, 'check', { columns: COLUMNS, ...more })
  expect(status).toBe(202)
  await settle(body.id)
  return body.id
}
async function bringIn(rows: string, more?: object) {
  const id = await check(rows, more)
  expect((await ask(id, 'start')).status).toBe(202)
  await settle(id)
  return show(id)
}
async function faults(id: string, language = 'en') {
  const response = await fetch(`${world.url}/api${at}/contact-imports/${id}/faults.csv`, {
    headers: { authorization: `Bearer ${owner.token}`, 'accept-language': language },
  })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const text = await response.text()
  // A decoder takes the mark away.
  return text.trim().split('\r\n').slice(1)
}
const raised = async (...types: string[]) =>
  (await eventTypesOf(world, { companyId: shop.companyId })).filter((type) => types.includes(type))

describe('A file', () => {
  beforeAll(openShop)

  test('is taken in with the names of its columns, whatever its delimiter, mark and line ends', async () => {
    const { status, body } = await upload('\ufeff"Name";Phone\r\n"أحمد; الثاني";0501234567')
    expect(status).toBe(201)
    expect(body).toMatchObject({ state: 'uploaded', headers: ['Name', 'Phone'], rows: null })
  })

  test.each([
    ['that is not UTF-8', Buffer.from([0x4e, 0x0a, 0xc7, 0xe1, 0x0a]), 'import_not_utf8'],
    ['without rows', 'Name,Phone\n', 'import_without_rows'],
    ['with one name twice', 'Name,Name\na,b\n', 'import_header_twice'],
    [
      'with too many columns',
      `${'x,'.repeat(201)}\na\n`.replaceAll('x', ''),
      'import_too_many_headers',
    ],
  ])('%s is refused', async (_, content, code) => {
    const { status, body } = await upload(content)
    expect([status, body.code]).toEqual([422, 'invalid'])
    expect(body.reason).toBe(code)
  })

  systemTest('larger than 20 MB is refused, and so is a body of another type', async () => {
    const large = await upload(Buffer.alloc(IMPORT_LIMITS.bytes + 1, 'a'))
    expect(large.status).toBe(413)
    expect((await upload('{}', 'application/json')).status).toBe(415)
  })

  test('is for Owner and Admin', async () => {
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    expect((await uploadContacts(world, agent, shop, HEAD)).status).toBe(403)
  })

  test('is checked only with columns that it has', async () => {
    const { body } = await upload(`${HEAD}Sara,,,,\n`)
    const refused = await ask(body.id, 'check', { columns: { tags: 'Label', 'fields.no': 'Tags' } })
    expect(refused.body.errors?.map(({ field, code }) => [field, code])).toEqual([
      ['columns.tags', 'import_unknown_header'],
      ['columns.fields.no', 'unknown_contact_field'],
      ['columns', 'import_needs_column'],
    ])
    expect((await ask(body.id, 'start')).status).toBe(409)
  })

  test('whose quote is never closed has failed, and says after which row', async () => {
    const { body } = await upload(`${HEAD}Sara,,,,\n"Omar,,,,\n`)
    await ask(body.id, 'check', { columns: COLUMNS })
    await settle(body.id)
    expect(await show(body.id)).toMatchObject({
      state: 'failed',
      reason: { code: 'import_file_broken', params: { row: 2 } },
    })
  })
})

describe('A check', () => {
  beforeAll(openShop)

  test('touches no contact, and lists each fault with its row and column, in both languages', async () => {
    const [phone, email] = [newPhone(), 'sara@example.com']
    const id = await check(
      [
        `Sara,${phone},${email},"vip, new",`,
        'Rounded,9.66E+11,,,',
        'Wrong,call me,not-a-mail,,',
        ',,,vip,',
        '',
        `Sara again,${phone},,,`,
        '',
      ].join('\n'),
    )
    expect(await show(id)).toMatchObject({ state: 'checked', rows: 5, leftOut: 4 })
    const found = await faults(id)
    expect(found.map((line) => line.split(',').slice(0, 3).join())).toEqual([
      '2,,yes',
      '3,Phone,yes',
      '4,Phone,yes',
      '4,Mail,yes',
      '5,Name,yes',
    ])
    expect(found[0]).toContain('row 6')
    expect((await faults(id, 'ar'))[1]).toContain('9.66E+11')
    expect(await contacts()).toEqual([])
  })

  test('can be made again with other columns before the start', async () => {
    const id = await check('Sara,sara@example.com,,,\n')
    expect((await show(id)).leftOut).toBe(1)
    await ask(id, 'check', { columns: { name: 'Name', email: 'Phone' } })
    await settle(id)
    expect(await show(id)).toMatchObject({ state: 'checked', leftOut: 0, rows: 1 })
    expect(await faults(id)).toEqual([])
  })
})

systemDescribe('An import', () => {
  beforeAll(openShop)

  test('makes contacts with an event each, and leaves the rows with faults out', async () => {
    const phone = newPhone()
    const done = await bringIn(
      `سارة,${phone},,"vip;VIP",\nx,9.66E+11,,,\nOmar,,omar@example.com,,yes\n`,
    )
    expect(done).toMatchObject({ state: 'done', created: 2, updated: 0, leftOut: 1, rowsDone: 3 })
    expect(await contacts()).toMatchObject([
      { name: 'سارة', phone, tags: ['vip'], source: 'import', optedOut: false },
      { name: 'Omar', email: 'omar@example.com', optedOut: true },
    ])
    expect(await raised('contact.created', 'contact.opted_out', 'contact.updated')).toEqual([
      'contact.created',
      'contact.created',
      'contact.opted_out',
    ])
    const audit = await owner.ask<Page<AuditView>>('GET', `/audit?companyId=${shop.companyId}`)
    expect(audit.body.items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['contact_import.uploaded', 'contact_import.started']),
    )
  })

  test.each([
    ['fill', { name: 'Old', email: 'new@example.com', tags: ['a', 'b'] }, 1],
    ['overwrite', { name: 'New', email: 'new@example.com', tags: ['a', 'b'] }, 1],
    ['skip', { name: 'Old', email: null, tags: ['a'] }, 0],
  ])(
    'in mode %s finds contacts by number; an empty cell takes nothing away',
    async (mode, after, n) => {
      await openShop()
      const phone = newPhone()
      await make({ name: 'Old', phone, tags: ['a'] })
      const other = await make({ name: 'Other', phone: newPhone(), email: 'o@example.com' })
      const done = await bringIn(`New,${phone},new@example.com,b,\n,${other.phone},,,\n`, { mode })
      expect(done).toMatchObject({ created: 0, updated: n, unchanged: 2 - n })
      expect(await contacts()).toMatchObject([after, { name: 'Other', email: 'o@example.com' }])
    },
  )

  test('finds by e-mail address too, and gives the number to a contact without one', async () => {
    await openShop()
    const known = await make({ name: 'Sara', email: 'Sara@Example.com' })
    const [phone, second] = [newPhone(), newPhone()]
    await bringIn(`,${phone},sara@example.com,,\nSara 2,${second},SARA@example.com,,\n`)
    expect(await contacts()).toMatchObject([{ id: known.id, phone }])
    const found = await owner.ask<Page<ContactView>>('GET', `${at}/contacts?q=${phone.slice(1)}`)
    expect(found.body.items.map(({ id }) => id)).toEqual([known.id])
  })

  test('opts out and never in; who stays out is listed', async () => {
    await openShop()
    const phone = newPhone()
    const { id: contactId } = await make({ phone })
    await owner.ask('POST', `${at}/contacts/${contactId}/opt-out`)
    const done = await bringIn(`Sara,${phone},,,active\n`, { mode: 'overwrite' })
    expect(await contacts()).toMatchObject([{ name: 'Sara', optedOut: true }])
    expect((await faults(done.id))[0]).toMatch(/^2,Out,no,/)
    expect(done.leftOut).toBe(0)
  })

  test('of a number that was opted out when its contact was erased opts it out', async () => {
    await openShop()
    const [phone, found] = [newPhone(), newPhone()]
    for (const number of [phone, found]) {
      const { id } = await make({ phone: number })
      await owner.ask('POST', `${at}/contacts/${id}/opt-out`)
      await owner.ask('POST', `${at}/contacts/${id}/erase`, { confirm: true })
    }
    await make({ name: 'Found', email: 'f@x.example' })
    await bringIn(`New,${phone},,,\nFound,${found},f@x.example,,\n`)
    const brought = (await contacts()).filter((contact) => contact.phone !== null)
    expect(brought).toMatchObject([
      { phone: found, optedOut: true },
      { phone, optedOut: true },
    ])
  })

  test('of one contact in several rows takes the last, over pages too', async () => {
    await openShop()
    const phone = newPhone()
    const many = Array.from(
      { length: CONTACT_JOBS.page },
      (_, nth) => `n${nth},,n${nth}@x.example,,`,
    )
    const done = await bringIn(`First,${phone},,,\n${many.join('\n')}\nLast,${phone},,,\n`)
    expect(done).toMatchObject({ created: CONTACT_JOBS.page + 1, leftOut: 1 })
    const found = await owner.ask<Page<ContactView>>('GET', `${at}/contacts?q=${phone.slice(1)}`)
    expect(found.body.items.map(({ name }) => name)).toEqual(['Last'])
    expect((await raised('contact.created')).length).toBe(CONTACT_JOBS.page + 1)
  })

  test('raises at most 200 events a second, and stops where it is cancelled', async () => {
    await openShop()
    const many = Array.from({ length: 3 * CONTACT_JOBS.page }, (_, nth) => `n${nth},,,,`)
    const id = await check(many.join('\n'))
    await ask(id, 'start')
    await world.service.processAll()
    expect((await raised('contact.created')).length).toBe(CONTACT_JOBS.page)
    expect(CONTACT_JOBS.page / (CONTACT_JOBS.pageEveryMs / 1_000)).toBe(200)
    expect(await show(id)).toMatchObject({ state: 'running', rowsDone: CONTACT_JOBS.page })
    await ask(id, 'cancel')
    world.clock.advance(HOUR_MS)
    await world.service.processAll()
    expect(await show(id)).toMatchObject({ state: 'cancelled', created: CONTACT_JOBS.page })
    expect((await ask(id, 'start')).body.code).toBe('conflict')
  })

  test('of whose page another process was first waits for its time', async () => {
    await openShop()
    const phone = newPhone()
    const { id: contactId } = await make({ name: 'Sara', phone })
    const held = await check(`Noura,${phone},,,\n`)
    const long = await check(
      Array.from({ length: CONTACT_JOBS.page + 1 }, (_, nth) => `n${nth},,,,`).join('\n'),
    )
    await ask(held, 'start')
    world.clock.advance(1)
    await ask(long, 'start')
    await using contact = await holdLock(world, { contactId })
    // It has both before it, and waits at the first.
    const slow = stepImports(world.service.context)
    await contact.blocks('the first waits')
    expect(await stepImports(world.service.context)).toBe(1)
    await contact.release()
    expect(await slow).toBe(1)
    expect(await show(long)).toMatchObject({ state: 'running', rowsDone: CONTACT_JOBS.page })
    await settle(long)
    expect(await show(long)).toMatchObject({ state: 'done', created: CONTACT_JOBS.page + 1 })
  })

  test('passes over empty lines, however many there are', async () => {
    await openShop()
    const empty = '\r\n'.repeat(IMPORT_LIMITS.partBytes)
    const done = await bringIn(`Sara,,s@x.example,,\r\n${empty}Omar,,o@x.example,,\r\n${empty}`)
    expect(done).toMatchObject({ state: 'done', rows: 2, created: 2, leftOut: 0 })
    expect(await contacts()).toMatchObject([{ name: 'Sara' }, { name: 'Omar' }])
  })

  test('is gone with its file and faults after 30 days', async () => {
    await openShop()
    const id = await check('x,9.66E+11,,,\n')
    world.clock.advance(RETENTION.contactImportMs + HOUR_MS)
    await world.service.sweep()
    expect(await countKeptOfImport(world, id)).toBe(0)
  })
})

systemDescribe('An export', () => {
  test('has every contact in the order they were made, disarmed for spreadsheets, and is audited', async () => {
    await openShop()
    await owner.ask('POST', `${at}/contact-fields`, { key: 'city', label: 'City', kind: 'text' })
    await make({ name: '=1+1', phone: '+966501234567', fields: { city: 'جدة, "2"' } })
    await make({ name: 'سارة', email: '@sara@example.com'.slice(1), tags: ['a', 'b'] })
    const many = Array.from({ length: 1_001 }, (_, nth) => `n${nth},,,,`)
    await bringIn(many.join('\n'))
    const response = await fetch(`${world.url}/api${at}/contact-exports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const lines = bytes.toString('utf8').slice(1).trim().split('\r\n')
    expect(lines).toHaveLength(1_004)
    expect(lines[0]).toBe('id,name,phone,email,language,tags,opted_out,created_at,fields.city')
    expect(lines[1]).toContain(`,'=1+1,'+966501234567,,,,no,`)
    expect(lines[1]!.endsWith(',"جدة, ""2"""')).toBe(true)
    expect(lines[2]).toContain(',سارة,,sara@example.com,,a; b,no,')
    expect(lines.at(-1)).toContain(',n1000,')
    const audit = await owner.ask<Page<AuditView>>('GET', `/audit?companyId=${shop.companyId}`)
    expect(audit.body.items[0]).toMatchObject({ action: 'contacts.exported' })
  })

  test('has fields whose key every object of the language has, and an import fills them', async () => {
    await openShop()
    const field = { key: 'constructor', label: 'Who built it', kind: 'text' }
    await owner.ask('POST', `${at}/contact-fields`, field)
    await make({ name: 'Sara', email: 'sara@example.com' })
    const { body } = await upload('Mail,Built by\nsara@example.com,Ali\nomar@example.com,\n')
    const columns = { email: 'Mail', 'fields.constructor': 'Built by' }
    await ask(body.id, 'check', { columns })
    await settle(body.id)
    await ask(body.id, 'start')
    await settle(body.id)
    const exported = await owner.ask<string>('POST', `${at}/contact-exports`, {})
    const lines = exported.body.trim().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(['Ali', ''])
  })
})
