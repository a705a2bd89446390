import { expect, test } from 'vitest'
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

test('An address is judged at once, however long a cell is', () => {
  const startedAt = performance.now()
  const cells = new Map([['email', `sara@${'.'.repeat(100_000)}@`]] as const)
  const { faults } = readImportRow(cells, { fields: new Map(), country: 'SA' })
  expect(faults).toMatchObject([{ target: 'email', problem: { code: 'too_long' } }])
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
