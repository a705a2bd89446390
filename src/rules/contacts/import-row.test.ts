import { describe, expect, test } from 'vitest'
import { CONTACT_LIMITS } from '../../limits/contacts.ts'
import { readImportRow } from './import-row.ts'

const read = (tags: readonly string[]) =>
  readImportRow(
    new Map([
      ['name', 'Sara'],
      ['tags', tags.join('; ')],
    ] as const),
    {
      fields: new Map(),
      country: 'SA',
    },
  )

test('A row has as many tags as a contact may, not counting those that differ in case alone', () => {
  const most = Array.from({ length: CONTACT_LIMITS.tags }, (_, nth) => `tag${nth}`)
  expect(read([...most, 'TAG0']).faults).toEqual([])
  expect(read([...most, 'one more']).faults).toEqual([
    { target: 'tags', problem: { code: 'too_many_tags', params: { most: 50 } } },
  ])
})

test.each([',', ';', '،', '؛', '|'])('Tags of one cell are told apart by %s', (sign) => {
  const cells = new Map([
    ['name', 'سارة'],
    ['tags', `جديد${sign} مهم ${sign}`],
  ] as const)
  const { row, faults } = readImportRow(cells, { fields: new Map(), country: 'SA' })
  expect(row.tags).toEqual(['جديد', 'مهم'])
  expect(faults).toEqual([])
})

describe('Whether somebody was opted out', () => {
  const readOut = (cell: string) =>
    readImportRow(
      new Map([
        ['name', 'Sara'],
        ['opted_out', cell],
      ] as const),
      { fields: new Map(), country: 'SA' },
    )

  test.each([
    [
      'yes',
      [
        'Yes',
        'Y',
        'TRUE',
        '1',
        '١',
        'Opted-out',
        'opted_out',
        'UNSUBSCRIBED',
        'نَعَم',
        'الغى الاشتراك',
      ],
    ],
    ['no', ['No', 'n', 'FALSE', '0', '٠', 'Opt-in', 'subscribed', 'لا', 'مشترك']],
    [null, ['', ' ']],
  ])('%s', (means, cells) => {
    for (const cell of cells) {
      expect(readOut(cell)).toMatchObject({ row: { optedOut: means }, faults: [] })
    }
  })

  test.each(['x', '2026-11-21', 'maybe', 'yes, since May', '✓'])(
    'is not guessed: %j is a fault, which names the words that are read',
    (cell) => {
      const { row, faults } = readOut(cell)
      expect(row.optedOut).toBeNull()
      expect(faults).toMatchObject([{ target: 'opted_out', problem: { code: 'not_a_choice' } }])
      const { params } = faults[0]!.problem
      expect(params).toMatchObject({ choices: expect.arrayContaining(['yes', 'no', 'نعم', 'لا']) })
    },
  )
})
