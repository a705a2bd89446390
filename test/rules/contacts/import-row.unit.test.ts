import { describe, expect, test } from 'vitest'
import { CONTACT_LIMITS } from '../../../src/core/limits/contacts.ts'
import type { ImportTarget } from '../../../src/core/vocabulary/contacts.ts'
import { readImportRow } from '../../../src/rules/contacts/import-row.ts'

const FIELDS = new Map([['size', { kind: 'choice', choices: ['Large'] } as const]])
const readCell = (column: ImportTarget, cell: string) => {
  const cells = new Map<ImportTarget, string>([
    ['name', 'Sara'],
    [column, cell],
  ])
  return readImportRow(cells, { fields: FIELDS, country: null })
}

test('A row has as many tags as a contact may, not counting those that differ in case alone', () => {
  const max = Array.from({ length: CONTACT_LIMITS.tags }, (_, nth) => `tag${nth}`)
  const issuesOf = (tags: string[]) => readCell('tags', tags.join('; ')).faults
  expect(issuesOf([...max, 'TAG0'])).toEqual([])
  expect(issuesOf([...max, 'one more'])).toEqual([
    { target: 'tags', problem: { code: 'too_many_tags', params: { max: 50 } } },
  ])
})

test.each([',', ';', '،', '؛', '|'])('Tags of one cell are separated by %s', (sign) => {
  const { row, faults } = readCell('tags', `جديد${sign} مهم ${sign}`)
  expect(row.tags).toEqual(['جديد', 'مهم'])
  expect(faults).toEqual([])
})

test.each([
  ['العربية', 'ar', []],
  ['French', null, [{ code: 'not_a_choice', params: { choices: ['ar', 'en'] } }]],
])('A language column: %s', (cell, language, problems) => {
  const { row, faults } = readCell('language', cell)
  expect(row.language).toBe(language)
  expect(faults.map(({ problem }) => problem)).toEqual(problems)
})

test.each([
  ['fields.size', 'large', { size: 'Large' }, []],
  ['fields.size', 'huge', {}, ['not_a_choice']],
  ['fields.colour', 'red', {}, ['unknown_contact_field']],
] as const)('A column of a custom field: %s %s', (column, cell, fields, codes) => {
  const { row, faults } = readCell(column, cell)
  expect(row.fields).toEqual(fields)
  expect(faults.map(({ problem }) => problem.code)).toEqual(codes)
})

describe('An opt-out column', () => {
  const YES = 'Yes|Y|TRUE|1|١|Opted-out|opted_out|UNSUBSCRIBED|نَعَم|الغى الاشتراك'.split('|')
  test.each([
    ['yes', YES],
    ['no', ['No', 'n', 'FALSE', '0', '٠', 'Opt-in', 'subscribed', 'لا', 'مشترك']],
    [null, ['', ' ']],
  ])('%s', (means, cells) => {
    for (const cell of cells) {
      expect(readCell('opted_out', cell)).toMatchObject({ row: { optedOut: means }, faults: [] })
    }
  })

  const UNREAD = ['x', '2026-11-21', 'maybe', 'yes, since May', '✓']
  test.each(UNREAD)('is not guessed: %j is a fault that names the words that are read', (cell) => {
    const { row, faults } = readCell('opted_out', cell)
    expect(row.optedOut).toBeNull()
    expect(faults).toMatchObject([{ target: 'opted_out', problem: { code: 'not_a_choice' } }])
    const { params } = faults[0]!.problem
    expect(params).toMatchObject({ choices: expect.arrayContaining(['yes', 'no', 'نعم', 'لا']) })
  })
})
