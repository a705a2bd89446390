import { expect, test } from 'vitest'
import { readImportRow } from '../../../src/rules/contacts/import-row.ts'
import { csvCell, csvLine, readCsvCell } from '../../../src/rules/text/csv-cell.ts'

const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']
test.each(SIGNS)(
  'a text that spreadsheets read as a formula because of %j begins with an apostrophe',
  (sign) => {
    const text = csvCell(`${sign}HYPERLINK("https://example.com")`)
    expect(text).toBe(`"'${sign}HYPERLINK(""https://example.com"")"`)
  },
)

test('the apostrophe is within the quotes, and other texts are as they are', () => {
  expect(csvCell('=1,2')).toBe('"\'=1,2"')
  expect(csvCell('1=2')).toBe('1=2')
  expect(csvLine(['a', null, 'b "c"', 'd\ne'])).toBe('a,,"b ""c""","d\ne"\r\n')
})

test.each(['+966501234567', '-1', '-49.90'])('the number %j is no formula', (number) => {
  expect(csvCell(number)).toBe(number)
})

const NO_NUMBERS = ['+966 50 123', '+1+cmd', '-A1', '+1.', '+', '-1-1']
test.each(NO_NUMBERS)(
  'a text that only begins as a number, as %j, begins with an apostrophe',
  (text) => {
    expect(csvCell(text)).toBe(`'${text}`)
  },
)

const VALUES = ['=1', "'=1", "''=1", "'+9665", '+9665', '+9 6', '-1', '@sara', "O'Neil", "'tis", '']
test.each(VALUES)('a cell that holds %j is read back as it was', (value) => {
  expect(readCsvCell(csvCell(value))).toBe(value)
})

const EXPORTED = ['+966501234567', "'+966501234567"]
test.each(EXPORTED)(
  'a row of an export is imported as the same contact, with the number %j',
  (phone) => {
    const cells = new Map([
      ['name', csvCell('=1+1')],
      ['phone', phone],
      ['email', csvCell(null)],
    ] as const)
    const { row, faults } = readImportRow(cells, { fields: new Map(), country: '' })
    expect(row).toMatchObject({ name: '=1+1', phone: '+966501234567', rawPhone: null, email: null })
    expect(faults).toEqual([])
  },
)
