/** The reading of contact files: delimiters, encodings, quotes, workbooks. Spec: Contacts › Import. */
import { writeXlsx } from 'hucre/xlsx'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { IMPORT_LIMITS } from '../../src/core/limits/contacts.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { newPhone } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'
import { importsOf } from '../support/upload-contacts.ts'

let imports: ReturnType<typeof importsOf>
const world = await openWorld()
beforeEach(async () => {
  imports = importsOf(world, await ownedShop(world))
})

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** «سارة» and «الاسم» in the encoding of Arabic Windows. */
const SARA = Buffer.from([0xd3, 0xc7, 0xd1, 0xc9])
const NAME = Buffer.from([0xc7, 0xe1, 0xc7, 0xd3, 0xe3])

/** Imports a file with these columns. Returns all contacts. */
async function importPage(id: string, columns: Record<string, string>): Promise<ContactView[]> {
  await imports.ask(id, 'check', { columns })
  await imports.settle(id)
  await imports.start(id)
  return imports.contacts()
}

describe('The encoding of a CSV file is detected', () => {
  test.each([
    ['utf-8', Buffer.from('الاسم,Mail\nسارة,s@x.example\n')],
    ['utf-8', Buffer.from('\ufeffالاسم,Mail\nسارة,s@x.example\n')],
    ['utf-16le', Buffer.from('\ufeffالاسم\tMail\nسارة\ts@x.example\n', 'utf16le')],
    ['utf-16le', Buffer.from('الاسم\tMail\nسارة\ts@x.example\n', 'utf16le')],
    ['utf-16be', Buffer.from('\ufeffالاسم,Mail\nسارة,s@x.example\n', 'utf16le').swap16()],
    [
      'windows-1256',
      Buffer.concat([NAME, Buffer.from(';Mail\n'), SARA, Buffer.from(';s@x.example\n')]),
    ],
  ])('%s', async (encoding, content) => {
    const { status, body } = await imports.upload(content)
    expect(status).toBe(201)
    expect(body).toMatchObject({ encoding, headers: ['الاسم', 'Mail'] })
    expect(body.sample).toEqual([['سارة', 's@x.example']])
    expect(await importPage(body.id, { name: 'الاسم', email: 'Mail' })).toMatchObject([
      { name: 'سارة', email: 's@x.example' },
    ])
  })

  test('as Western Windows for Western letters', async () => {
    const { body } = await imports.upload(
      Buffer.from('Name,Mail\nRené Müller,r@x.example\n', 'latin1'),
    )
    expect(body).toMatchObject({
      encoding: 'windows-1252',
      sample: [['René Müller', 'r@x.example']],
    })
  })

  test('until the member changes it or the delimiter before the columns are chosen', async () => {
    const content = Buffer.concat([
      Buffer.from('Name;Mail,x;Z\nR'),
      Buffer.from([0xe9]),
      Buffer.from(';a,b\n'),
    ])
    const { body } = await imports.upload(content)
    expect(body).toMatchObject({ encoding: 'windows-1252', delimiter: ';' })
    await imports.ask(body.id, 'check', { columns: { name: 'Name' } })
    await imports.settle(body.id)
    const again = await imports.ask(body.id, 'read', { encoding: 'windows-1256', delimiter: ',' })
    expect(again.body).toMatchObject({
      state: 'uploaded',
      columns: null,
      rows: null,
      encoding: 'windows-1256',
      headers: ['Name;Mail', 'x;Z'],
      sample: [['Ré;a', 'b']],
    })
    const back = await imports.ask(body.id, 'read', { delimiter: ';' })
    expect(back.body).toMatchObject({ encoding: 'windows-1256', headers: ['Name', 'Mail,x', 'Z'] })
    const wrong = await imports.ask(body.id, 'read', { encoding: 'utf-8' })
    expect([wrong.status, wrong.body.reason]).toEqual([422, 'import_wrong_encoding'])
    await imports.ask(body.id, 'check', { columns: { name: 'Name' } })
    expect((await imports.ask(body.id, 'read', {})).body.reason).toBe('import_under_way')
  })
})

describe('The delimiter of a CSV file', () => {
  test.each([
    [
      'a line before the header names it',
      'sep=;\r\nName,x,y;Mail\r\nSara;s@x.example\r\n',
      ['Name,x,y', 'Mail'],
    ],
    [
      'a quoted header has others in it',
      '"Name, full, or not";Mail\nSara;s@x.example\n',
      ['Name, full, or not', 'Mail'],
    ],
    ['it is a tab', 'Name\tMail\nSara\ts@x.example\n', ['Name', 'Mail']],
    ['it is a bar', 'Name|Mail\nSara|s@x.example\n', ['Name', 'Mail']],
  ])('is found when %s', async (_, content, headers) => {
    const { body } = await imports.upload(content)
    expect(body.headers).toEqual(headers)
    expect(body.sample).toEqual([['Sara', 's@x.example']])
    const [contact] = await importPage(body.id, { name: headers[0]!, email: 'Mail' })
    expect(contact).toMatchObject({ name: 'Sara', email: 's@x.example' })
  })
})

describe('A quote that is not closed', () => {
  const PHONES = [newPhone(), newPhone(), newPhone(), newPhone()] as const
  const rows = (second: string, more = '') =>
    [
      `Sara,${PHONES[0]},s@x.example,,`,
      second,
      `Huda,${PHONES[2]},h@x.example,,`,
      `"Ali ""A""",${PHONES[3]},a@x.example,,${more}`,
    ].join('\n')

  test.each([
    ['in the first cell', `"Omar,${PHONES[1]},o@x.example,,`],
    ['in a cell in the middle', `Omar,"${PHONES[1]},o@x.example,,`],
    ['in the last cell', `Omar,${PHONES[1]},o@x.example,,"no`],
    ['with more quotes behind it', `"Omar ""the cook,${PHONES[1]},o@x.example,,`],
  ])('is an error of its row alone: %s', async (_, second) => {
    const id = await imports.check(rows(second))
    expect(await imports.listed(id)).toEqual({ 3: ['import_quote_open'] })
    await imports.start(id)
    expect(await imports.contacts()).toMatchObject([
      { name: 'Sara', phone: PHONES[0] },
      { name: 'Huda', phone: PHONES[2] },
      { name: 'Ali "A"', phone: PHONES[3] },
    ])
  })

  test.each([
    ['several rows', ['"left open', 'x', 'y"']],
    ['one row', ['"left open', 'y"', 'z']],
  ])('in a column that is not imported does not swallow %s', async (_, notes) => {
    const lines = notes.map((note, nth) => `N${nth},${PHONES[nth]},${note}`)
    const { body } = await imports.upload(`Name,Phone,Notes\n${lines.join('\n')}\n`)
    await imports.ask(body.id, 'check', { columns: { name: 'Name', phone: 'Phone' } })
    await imports.settle(body.id)
    expect(await imports.listed(body.id)).toEqual({ 2: ['import_quote_open'] })
    await imports.start(body.id)
    expect(await imports.contacts()).toMatchObject([{ name: 'N1' }, { name: 'N2' }])
  })

  test('at the end of the file is an error of the last row', async () => {
    const id = await imports.check(`Sara,${PHONES[0]},,,\n"Omar,${PHONES[1]},,,\n`)
    expect(await imports.show(id)).toMatchObject({ state: 'checked', rows: 2, leftOut: 1 })
    expect(await imports.listed(id)).toEqual({ 3: ['import_quote_open'] })
  })

  test('does not swallow the rows after it, however many there are', async () => {
    const many = Array.from({ length: 3_000 }, (_, nth) => `n${nth},,n${nth}@x.example,,`)
    const filler = 'x'.repeat(Math.ceil(IMPORT_LIMITS.rowBytes / many.length))
    const lines = ['"Omar,,,,', ...many.map((line) => `${line}${filler}`)]
    const id = await imports.check(lines.join('\n').replaceAll(',,x', ',,,x'))
    expect(await imports.show(id)).toMatchObject({ state: 'checked', rows: 3_001, leftOut: 1 })
  })

  test('differs from a cell of several lines, which is one row', async () => {
    const columns = { name: 'Name', phone: 'Phone' }
    const { body } = await imports.upload(
      `Name,Phone,Address\nSara,${PHONES[0]},"Street 5, 2\nRiyadh"\n"Om\nar",${PHONES[1]},x\nHuda,${PHONES[2]},y\n`,
    )
    await imports.ask(body.id, 'check', { columns })
    await imports.settle(body.id)
    expect(await imports.listed(body.id)).toEqual({ 3: ['import_line_break'] })
    await imports.start(body.id)
    expect(await imports.contacts()).toMatchObject([{ name: 'Sara' }, { name: 'Huda' }])
  })
})

describe('A workbook', () => {
  test('is read from its first sheet, and numbers keep all their digits', async () => {
    const [one, two] = [newPhone(), newPhone()]
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'Customers',
          rows: [
            ['الاسم', 'Mobile', 'Out', 'Since'],
            ['سارة, الأولى', Number(one.slice(1)), true, new Date(Date.UTC(2026, 0, 31))],
            [null, null, null, null],
            ['=1+1', `'${two}`, false, 12.5],
          ],
        },
        { name: 'Other', rows: [['x'], ['y']] },
      ],
    })
    const { status, body } = await imports.upload(Buffer.from(bytes), XLSX)
    expect(status).toBe(201)
    expect(body).toMatchObject({ encoding: null, delimiter: null })
    expect(body.headers).toEqual(['الاسم', 'Mobile', 'Out', 'Since'])
    expect(body.sample.map((row) => row.at(-1))).toEqual(['2026-01-31', '12.5'])
    const columns = { name: 'الاسم', phone: 'Mobile', opted_out: 'Out' }
    expect(await importPage(body.id, columns)).toMatchObject([
      { name: 'سارة, الأولى', phone: one, optedOut: true },
      { name: '=1+1', phone: two, optedOut: false },
    ])
    expect((await imports.ask(body.id, 'read', {})).status).toBe(409)
  })

  test('has no delimiter or encoding to choose', async () => {
    const bytes = await writeXlsx({ sheets: [{ name: 'A', rows: [['Name'], ['Sara']] }] })
    const { body } = await imports.upload(Buffer.from(bytes), XLSX)
    const { status, body: refused } = await imports.ask(body.id, 'read', { delimiter: ';' })
    expect([status, refused.reason]).toEqual([409, 'import_no_csv'])
  })

  test('is refused if it is damaged or another kind of file', async () => {
    const bytes = Buffer.from(
      await writeXlsx({ sheets: [{ name: 'A', rows: [['Name'], ['Sara']] }] }),
    )
    const damaged = await imports.upload(bytes.subarray(0, bytes.length / 2), XLSX)
    expect([damaged.status, damaged.body.reason]).toEqual([422, 'import_sheet_broken'])
    const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)])
    const refused = await imports.upload(old, 'application/vnd.ms-excel')
    expect([refused.status, refused.body.reason]).toEqual([422, 'import_wrong_encoding'])
  })

  systemTest(
    'is refused if it unpacks to more than the limit, and the service goes on',
    async () => {
      const cell = 'x'.repeat(30_000)
      const rows = [['Name'], ...Array.from({ length: 3_000 }, () => [cell])]
      const bytes = await writeXlsx({ sheets: [{ name: 'A', rows }] })
      expect(bytes.length).toBeLessThan(IMPORT_LIMITS.bytes)
      const { status, body } = await imports.upload(Buffer.from(bytes), XLSX)
      expect([status, body.reason]).toEqual([422, 'import_sheet_too_large'])
      expect((await imports.upload('Name\nSara\n')).status).toBe(201)
    },
  )
})
