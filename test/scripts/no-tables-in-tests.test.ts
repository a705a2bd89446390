/** The linter's rule that a test names no tables, as `npm run check` runs it. */
import { afterAll, describe, expect, test } from 'vitest'
import { countTableStatements } from '../../scripts/table-allowance.ts'
import { plantFor } from '../support/planted-lines.ts'
import { systemTest } from '../support/system-tests.ts'

const { refusedLines, remove } = plantFor('no-tables-in-tests')
afterAll(remove)

const PLANTED = [
  "await db.kysely.selectFrom('message').selectAll().execute()",
  "await kysely().insertInto('contact').values(row).execute()",
  "await tx.updateTable('channel').set({ name }).execute()",
  "await world.database.db.kysely.deleteFrom('audit').execute()",
  "await world.database.db.pool.query('select 1 from event')",
  'await client.query(`begin`)',
  'await pool.query(text, values)',
  'await sql`select 1 from event`.execute(kysely)',
  'await sql<{ n: number }>`select 1 as n`.execute(kysely)',
]

describe('A statement that names tables', () => {
  test('is refused in a test file', () => {
    const each = PLANTED.map((_, at) => at + 1)
    expect(refusedLines('test/planted.test.ts', PLANTED)).toEqual(each)
    expect(refusedLines('src/rules/planted.test.ts', PLANTED)).toEqual(each)
  })

  systemTest('is the business of test/support and of the service', () => {
    expect(refusedLines('test/support/planted.ts', PLANTED)).toEqual([])
    expect(refusedLines('src/inbox/planted.ts', PLANTED)).toEqual([])
  })

  test('is counted for the allowance as the rule counts it', () => {
    expect(countTableStatements('planted.test.ts', PLANTED.join('\n'))).toBe(PLANTED.length)
  })
})

systemTest('questions to the API, to records and to other things pass', () => {
  const fine = [
    "await owner.ask('GET', '/conversations')",
    'await messagesOf(world, { conversationId })',
    'page.query(selector)',
    'const text = `select one`',
  ]
  expect(refusedLines('test/fine.test.ts', fine)).toEqual([])
})
