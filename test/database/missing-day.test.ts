/** A day of a partitioned table that nobody has made ahead. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../src/database/transaction.ts'
import { oldestIdAt } from '../../src/ids.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

type Told = Error & { detail?: string }

const inEnglish = (error: Told): never => {
  throw error
}

/** As a server whose `lc_messages` is French says what it says. */
function inFrench(error: Told): never {
  error.message = 'aucune partition de la relation « event_body » trouvée pour la ligne'
  error.detail = error.detail!.replace(
    'Partition key of the failing row contains',
    'La clé de partitionnement de la ligne en échec contient',
  )
  throw error
}

test.each<[string, string, (error: Told) => never]>([
  ['English', '2031-03-01', inEnglish],
  ['another language', '2031-03-02', inFrench],
])('is made for what is written, by a server that speaks %s', async (_, day, asTold) => {
  const id = oldestIdAt(new Date(`${day}T12:00:00Z`))
  await transaction(database.db, (tx) =>
    sql`insert into event_body (id, api_version, body) values (${id}, '2026-10', '')`
      .execute(tx)
      .catch(asTold),
  )
  const found = await database.db.kysely
    .selectFrom('eventBody')
    .select('id')
    .where('id', '=', id)
    .execute()
  expect(found).toEqual([{ id }])
})
