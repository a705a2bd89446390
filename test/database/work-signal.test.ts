import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createCrossProcessNotify } from '../../src/infra/database/cross-process-notify.ts'
import { createTestDatabase } from '../support/database.ts'
import { hearing } from './hearing.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

const create = () => createCrossProcessNotify(database.db.pool, pino({ level: 'silent' }))

test('another process hears at once of work, by its name, and of what follows soon together', async () => {
  const { heard, hear, until } = hearing()
  const [telling, hearer] = [create(), create()]
  hearer.hear(database.connection, {
    node: 'aaaaaaaa',
    onWork: (works) => hear(works.toSorted().join(' ') || 'any'),
  })
  // Of what was done before anybody listened.
  await until('any')
  telling.tell(new Set(['runs']))
  telling.tell(new Set(['deliveries']))
  telling.tell(new Set(['sends', 'deliveries']))
  await until('deliveries sends')
  expect(heard).toEqual(['any', 'runs', 'deliveries sends'])
  heard.length = 0
  telling.tell()
  await until('any')
  await Promise.all([telling.close(), hearer.close()])
})
