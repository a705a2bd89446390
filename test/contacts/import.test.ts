/** Files of contacts: checked before anything changes, then imported a page at a time. */
import { beforeEach, describe, expect, test } from 'vitest'
import { processDuePages } from '../../src/infra/database/queues/pages.ts'
import { IMPORT_JOBS } from '../../src/modules/contacts/import/step-imports.ts'
import type { ImportRowsView } from '../../src/contract/dashboard/contact-import.ts'
import { CONTACT_JOBS, IMPORT_LIMITS } from '../../src/core/limits/contacts.ts'
import { RETENTION } from '../../src/core/limits/retention.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { holdLock } from '../support/records/locks.ts'
import { countKeptOfImport } from '../support/records/imports.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { openWorld } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'
import { importsOf, uploadContacts } from '../support/upload-contacts.ts'
import { apiRequest, signedIn, type Member, auditOf } from '../support/dashboard.ts'
import { ownedShop } from '../support/owned-shop.ts'
import type { Shop } from '../support/shop.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

let shop: Shop
let owner: Member
let at: string
let imports: ReturnType<typeof importsOf>
const world = await openWorld()
beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
  at = `/companies/${shop.companyId}`
  imports = importsOf(world, { shop, owner })
})

async function resultFile(id: string, language = 'en') {
  const response = await fetch(`${world.url}/api${at}/contact-imports/${id}/rows.csv`, {
    headers: { authorization: `Bearer ${owner.token}`, 'accept-language': language },
  })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const text = await response.text()
  // The decoder removes the byte order mark.
  return text.trim().split('\r\n').slice(1)
}
const raised = async (...types: string[]) =>
  (await eventTypesOf(world, { companyId: shop.companyId })).filter((type) => types.includes(type))

describe('A file', () => {
  test('is stored with the names of its columns, whatever its delimiter, byte order mark and line ends', async () => {
    const { status, body } = await imports.upload('\ufeff"Name";Phone\r\n"أحمد; الثاني";0501234567')
    expect(status).toBe(201)
    expect(body).toMatchObject({ state: 'uploaded', headers: ['Name', 'Phone'], rows: null })
  })

  test.each([
    [
      'with bytes that are no text',
      Buffer.from([0x4e, 0x0a, 0x00, 0xff, 0x0a]),
      'import_wrong_encoding',
    ],
    ['without rows', 'Name,Phone\n', 'import_without_rows'],
    ['with one name twice', 'Name,Name\na,b\n', 'import_header_twice'],
    [
      'with too many columns',
      `${'x,'.repeat(201)}\na\n`.replaceAll('x', ''),
      'import_too_many_headers',
    ],
  ])('%s is refused', async (_, content, code) => {
    const { status, body } = await imports.upload(content)
    expect([status, body.code]).toEqual([422, 'invalid'])
    expect(body.reason).toBe(code)
  })

  systemTest('larger than 20 MB is refused, and so is a body of another type', async () => {
    const large = await imports.upload(Buffer.alloc(IMPORT_LIMITS.bytes + 1, 'a'))
    expect(large.status).toBe(413)
    expect((await imports.upload('{}', 'application/json')).status).toBe(415)
  })

  test('is for Owners and Admins', async () => {
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    expect((await uploadContacts(world, agent, shop, imports.HEAD)).status).toBe(403)
  })

  systemTest('is checked only with columns that it has', async () => {
    const { body } = await imports.upload(`${imports.HEAD}\nSara,,,,\n`)
    const refused = await imports.ask(body.id, 'check', {
      columns: { tags: 'Label', 'fields.no': 'Tags' },
    })
    expect(refused.body.errors?.map(({ field, code }) => [field, code])).toEqual([
      ['columns.tags', 'import_unknown_header'],
      ['columns.fields.no', 'unknown_contact_field'],
      ['columns', 'import_needs_column'],
    ])
    expect((await imports.ask(body.id, 'start')).status).toBe(409)
  })
})

describe('A check', () => {
  systemTest('changes nothing, and lists errors by row and column, in both languages', async () => {
    const [phone, email] = [newPhone(), 'sara@example.com']
    const id = await imports.check(
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
    const counts = { created: 1, updated: 0, unchanged: 0, combined: 1, leftOut: 3 }
    expect(await imports.show(id)).toMatchObject({ state: 'checked', rows: 5, ...counts })
    const found = await resultFile(id)
    expect(found.map((line) => line.split(',').slice(0, 4).join())).toEqual([
      '2,created,,',
      '3,left_out,Phone,import_phone_rounded',
      '4,left_out,Phone,invalid_phone',
      '4,left_out,Mail,wrong_email',
      '5,left_out,,import_row_nameless',
      '6,combined,,import_double',
    ])
    expect(await imports.contacts()).toEqual([])
  })

  test.each([
    [
      'en',
      [
        'Mail must be an email address such as name@example.com.',
        'The row has no name, phone number or email, so the contact couldn’t be found again.',
        'The row is the same contact as row 2, so both rows are combined into one.',
      ],
    ],
    [
      'ar',
      [
        '\u2068Mail\u2069: اكتب بريدًا إلكترونيًا مثل \u2068name@example.com\u2069.',
        'في هذا الصف: لا اسم ولا هاتف ولا بريد إلكتروني، فلا يمكن العثور على جهة الاتصال لاحقًا.',
        'في هذا الصف: جهة الاتصال نفسها في الصف 2، ويُدمج الصفان في واحد.',
      ],
    ],
  ])(
    'states each error as a whole sentence in the language of the member who reads or downloads it: %s',
    async (language, sentences) => {
      const id = await imports.check(
        'Sara,,sara@example.com,,\nWrong,,not-a-mail,,\n,,,vip,\nSara again,,sara@example.com,,\n',
      )
      const path = `${at}/contact-imports/${id}/rows?listed=true`
      const headers = { authorization: `Bearer ${owner.token}`, 'accept-language': language }
      const read = await apiRequest<ImportRowsView>(world.url, 'GET', path, { headers })
      const notes = read.body.items.flatMap((row) => row.notes)
      expect(notes.map(({ problem }) => problem.text)).toEqual(sentences)
      const file = (await resultFile(id, language)).filter((line) => !line.endsWith(',,'))
      expect(file.length).toBe(sentences.length)
      for (const [place, line] of file.entries()) expect(line).toContain(sentences[place])
    },
  )

  test('can be repeated with other columns before the start', async () => {
    const id = await imports.check('Sara,sara@example.com,,,\n')
    expect((await imports.show(id)).leftOut).toBe(1)
    await imports.ask(id, 'check', { columns: { name: 'Name', email: 'Phone' } })
    await imports.settle(id)
    expect(await imports.show(id)).toMatchObject({ state: 'checked', leftOut: 0, rows: 1 })
    expect(await imports.listed(id)).toEqual({})
  })
})

systemDescribe('An import', () => {
  const GIVEN = { email: 'new@example.com', tags: ['a', 'b'] }

  test('makes contacts with an event each, and leaves out rows with errors', async () => {
    const phone = newPhone()
    const done = await imports.importPage(
      `سارة,${phone},,"vip;VIP",\nx,9.66E+11,,,\nOmar,,omar@example.com,,yes\n`,
    )
    expect(done).toMatchObject({ state: 'done', created: 2, updated: 0, leftOut: 1, rowsDone: 3 })
    expect(await imports.contacts()).toMatchObject([
      { name: 'سارة', phone, tags: ['vip'], source: 'import', optedOut: false },
      { name: 'Omar', email: 'omar@example.com', optedOut: true },
    ])
    expect(await raised('contact.created', 'contact.opted_out', 'contact.updated')).toEqual([
      'contact.created',
      'contact.created',
      'contact.opted_out',
    ])
    const audit = await auditOf(owner, shop)
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['contact_import.uploaded', 'contact_import.started']),
    )
  })

  test.each([
    ['fill', { name: 'Old', ...GIVEN, fields: { size: '41', width: 'New' } }, 1],
    ['overwrite', { name: 'New', ...GIVEN, fields: { size: '42', width: 'New' } }, 1],
    ['skip', { name: 'Old', email: null, tags: ['a'], fields: { size: '41' } }, 0],
  ])(
    'in mode %s finds contacts by number, and an empty cell removes nothing',
    async (mode, after, n) => {
      for (const key of ['size', 'width']) {
        await owner.ask('POST', `${at}/contact-fields`, { key, label: key, kind: 'text' })
      }
      const columns = { ...imports.COLUMNS, 'fields.size': 'Size', 'fields.width': 'Name' }
      const phone = newPhone()
      await imports.make({ name: 'Old', phone, tags: ['a'], fields: { size: '41' } })
      const other = await imports.make({ name: 'Other', phone: newPhone(), email: 'o@example.com' })
      const rows = `New,${phone},new@example.com,b,,42\n,${other.phone},,,,\n`
      const done = await imports.importPage(rows, { mode, columns }, `${imports.HEAD},Size`)
      expect(done).toMatchObject({ created: 0, updated: n, unchanged: 2 - n })
      const untouched = { name: 'Other', email: 'o@example.com', fields: {} }
      expect(await imports.contacts()).toMatchObject([after, untouched])
    },
  )

  test('opts contacts out and never in, and lists those who stay opted out', async () => {
    const phone = newPhone()
    const { id: contactId } = await imports.make({ phone })
    await owner.ask('POST', `${at}/contacts/${contactId}/opt-out`)
    const done = await imports.importPage(`Sara,${phone},,,active\n`, { mode: 'overwrite' })
    expect(await imports.contacts()).toMatchObject([{ name: 'Sara', optedOut: true }])
    expect(await imports.listed(done.id)).toEqual({ 2: ['import_stays_out'] })
    expect(done.leftOut).toBe(0)
  })

  test('opts out a number that was opted out when its contact was erased', async () => {
    const [phone, found] = [newPhone(), newPhone()]
    for (const number of [phone, found]) {
      const { id } = await imports.make({ phone: number })
      await owner.ask('POST', `${at}/contacts/${id}/opt-out`)
      await owner.ask('POST', `${at}/contacts/${id}/erase`, { confirm: true })
    }
    await imports.make({ name: 'Found', email: 'f@x.example' })
    await imports.importPage(`New,${phone},,,\nFound,${found},f@x.example,,\n`)
    const brought = (await imports.contacts()).filter((contact) => contact.phone !== null)
    const expected = [
      { phone: found, optedOut: true },
      { phone, optedOut: true },
    ]
    expect(brought).toMatchObject(expected)
  })

  test('raises at most 200 events a second, and stops when it is cancelled', async () => {
    const many = Array.from({ length: 3 * CONTACT_JOBS.page }, (_, nth) => `n${nth},,,,`)
    const id = await imports.check(many.join('\n'))
    await imports.ask(id, 'start')
    await world.service.processAll()
    expect((await raised('contact.created')).length).toBe(CONTACT_JOBS.page)
    expect(CONTACT_JOBS.page / (CONTACT_JOBS.pageEveryMs / 1_000)).toBe(200)
    expect(await imports.show(id)).toMatchObject({ state: 'running', rowsDone: CONTACT_JOBS.page })
    await imports.ask(id, 'cancel')
    world.clock.advance(HOUR_MS)
    await world.service.processAll()
    expect(await imports.show(id)).toMatchObject({ state: 'cancelled', created: CONTACT_JOBS.page })
    expect((await imports.ask(id, 'start')).body.code).toBe('conflict')
  })

  test('goes on without a pause if no endpoint subscribes to events of contacts', async () => {
    ;({ shop, owner } = await ownedShop(world, { eventTypes: ['message.received'] }))
    at = `/companies/${shop.companyId}`
    imports = importsOf(world, { shop, owner })
    const many = Array.from({ length: CONTACT_JOBS.page + 1 }, (_, nth) => `n${nth},,,,`)
    const id = await imports.check(many.join('\n'))
    await imports.ask(id, 'start')
    await world.service.processAll()
    expect(await imports.show(id)).toMatchObject({ state: 'done', created: many.length })
  })

  test('leaves a page that another process has taken, and waits for its next time', async () => {
    const phone = newPhone()
    const { id: contactId } = await imports.make({ name: 'Sara', phone })
    const held = await imports.check(`Noura,${phone},,,\n`)
    const long = await imports.check(
      Array.from({ length: CONTACT_JOBS.page + 1 }, (_, nth) => `n${nth},,,,`).join('\n'),
    )
    await imports.ask(held, 'start')
    world.clock.advance(1)
    await imports.ask(long, 'start')
    await using contact = await holdLock(world, { contactId })
    // This process has claimed both imports, and waits at the first.
    const slow = processDuePages(world.service.context, IMPORT_JOBS)
    await contact.blocks('the first waits')
    expect(await processDuePages(world.service.context, IMPORT_JOBS)).toBe(1)
    await contact.release()
    expect(await slow).toBe(1)
    const expected = { state: 'running', rowsDone: CONTACT_JOBS.page }
    expect(await imports.show(long)).toMatchObject(expected)
    await imports.settle(long)
    expect(await imports.show(long)).toMatchObject({
      state: 'done',
      created: CONTACT_JOBS.page + 1,
    })
  })

  test('skips empty lines, however many there are', async () => {
    const empty = '\r\n'.repeat(IMPORT_LIMITS.partBytes)
    const done = await imports.importPage(
      `Sara,,s@x.example,,\r\n${empty}Omar,,o@x.example,,\r\n${empty}`,
    )
    expect(done).toMatchObject({ state: 'done', rows: 2, created: 2, leftOut: 0 })
    expect(await imports.contacts()).toMatchObject([{ name: 'Sara' }, { name: 'Omar' }])
  })

  test('is deleted with its file and rows after 30 days', async () => {
    const id = await imports.check('x,9.66E+11,,,\n')
    world.clock.advance(RETENTION.contactImportMs + HOUR_MS)
    await world.service.sweep()
    expect(await countKeptOfImport(world, id)).toBe(0)
  })
})

systemDescribe('An export', () => {
  test('has every contact in order of creation, without formulas for spreadsheets, and is audited', async () => {
    await owner.ask('POST', `${at}/contact-fields`, { key: 'city', label: 'City', kind: 'text' })
    await imports.make({ name: '=1+1', phone: '+966501234567', fields: { city: 'جدة, "2"' } })
    await imports.make({ name: 'سارة', email: '@sara@example.com'.slice(1), tags: ['a', 'b'] })
    const many = Array.from({ length: 1_001 }, (_, nth) => `n${nth},,,,`)
    await imports.importPage(many.join('\n'))
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
    expect(lines[1]).toContain(`,'=1+1,+966501234567,,,,no,`)
    expect(lines[1]!.endsWith(',"جدة, ""2"""')).toBe(true)
    expect(lines[2]).toContain(',سارة,,sara@example.com,,a; b,no,')
    expect(lines.at(-1)).toContain(',n1000,')
    const audit = await auditOf(owner, shop)
    expect(audit[0]).toMatchObject({ action: 'contacts.exported' })
  })

  test('has fields whose keys are properties of every JavaScript object, and an import fills them', async () => {
    const field = { key: 'constructor', label: 'Who built it', kind: 'text' }
    await owner.ask('POST', `${at}/contact-fields`, field)
    await imports.make({ name: 'Sara', email: 'sara@example.com' })
    const { body } = await imports.upload(
      'Mail,Built by\nsara@example.com,Ali\nomar@example.com,\n',
    )
    const columns = { email: 'Mail', 'fields.constructor': 'Built by' }
    await imports.ask(body.id, 'check', { columns })
    await imports.settle(body.id)
    await imports.ask(body.id, 'start')
    await imports.settle(body.id)
    const exported = await owner.ask<string>('POST', `${at}/contact-exports`, {})
    const lines = exported.body.trim().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(['Ali', ''])
  })
})

test('an import of an export changes nothing', async () => {
  await imports.make({ name: '=1+1', phone: newPhone() })
  await imports.make({ name: "'=1+1", phone: newPhone(), tags: ['vip', 'a b'] })
  await imports.make({ name: '+966 50', email: 'sara@example.com' })
  await imports.make({ name: "'tis", email: 'omar@example.com', phone: newPhone() })
  const before = await imports.contacts()
  const exported = await owner.ask<string>('POST', `${at}/contact-exports`, {})
  const { body } = await imports.upload(exported.body)
  const same = ['name', 'phone', 'email', 'language', 'tags', 'opted_out']
  const columns = Object.fromEntries(same.map((name) => [name, name]))
  await imports.ask(body.id, 'check', { columns, mode: 'overwrite' })
  await imports.settle(body.id)
  const done = await imports.start(body.id)
  const counts = { state: 'done', rows: 4, unchanged: 4, created: 0, updated: 0, leftOut: 0 }
  expect(done).toMatchObject(counts)
  expect(await imports.contacts()).toEqual(before)
})
