/**
 * Every index that holds no promise serves a statement of the service, or finds the rows that refer to one that is
 * deleted. `scripts/index-use.ts` writes the list from what the tests execute.
 */
import { afterAll, expect, test } from 'vitest'
import { compareNeeds, readNeeds } from '../../scripts/index-use.ts'
import { readIndexUse } from '../../scripts/index-use/read-use.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const client = await database.db.pool.connect()
const use = await readIndexUse(client)
afterAll(async () => {
  client.release()
  await database.drop()
})

test('Each index is used for the statement or the foreign key that needs it', async () => {
  expect(use.plain.length).toBeGreaterThan(100)
  expect(await compareNeeds(use, readNeeds())).toEqual([])
})

test('An index that no statement needs is named, one that its statement does not use, and one that is gone', async () => {
  const needs = readNeeds()
  const [[unneeded, text], [unused], ...others] = Object.entries(needs.statements) as [
    [string, string],
    [string, string],
  ]
  const statements = { ...Object.fromEntries(others), [unused]: text, no_such_index: text }
  expect(await compareNeeds(use, { ...needs, statements })).toEqual([
    `${unneeded}: no statement needs it`,
    `${unused}: it is not used for ${text}`,
    'no_such_index: there is no such index',
  ])
})
