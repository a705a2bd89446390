import { describe, expect, test } from 'vitest'
import { CONTACT_LIMITS } from '../../../src/core/limits/contacts.ts'
import { readImportRow } from '../../../src/rules/contacts/import-row.ts'

const readCell = (column: 'tags' | 'opted_out', cell: string) => {
  const cells = new Map([['name', 'Sara'] as const, [column, cell] as const])
  return readImportRow(cells, { fields: new Map(), country: null })
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
