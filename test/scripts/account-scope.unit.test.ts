import { describe, expect, test } from 'vitest'
import { compareWithList, countsOf } from '../../scripts/account-scope.ts'
import { findSpanning, readOwnedTables } from '../../scripts/account-scope/find-statements.ts'

const TABLES = `export interface FlowRun {
  companyId: string;
  id: string;
}

export interface Model {
  accountId: string;
}

export interface Person {
  id: string;
}

export interface DB {
  flowRun: FlowRun;
  model: Model;
  person: Person;
}
`
const owned = readOwnedTables(TABLES)
const spanning = (source: string) =>
  findSpanning('a.ts', source, owned).map(({ name, table }) => `${name} ${table}`)

test('the tables with a company or an account are known by both of their names', () => {
  expect([...owned]).toEqual(['flowRun', 'flow_run', 'model'])
})

describe('A statement in SQL', () => {
  test.each([
    ['reads rows of all accounts', 'sql`select * from flow_run where due_at < ${now}`', 'flow_run'],
    ['names rows by their ids', 'sql`update flow_run set x = 1 where id = ${id}`', 'flow_run'],
    ['joins by the company', 'sql`select from model join flow_run using (company_id)`', 'model'],
    ['is a text', "client.query('delete from model')", 'model'],
    ['has a table inserted', 'sql`select from ${table}`', 'a table that is inserted'],
  ])('is found when it %s', (_, source, table) => {
    expect(spanning(`export function look() { return ${source} }`)).toEqual([`look ${table}`])
  })

  test.each([
    ['names the company', 'sql`select from flow_run where company_id = ${companyId}`'],
    ['names the account', 'sql`select from model where model.account_id = any(${ids}::uuid[])`'],
    ['names pairs', 'sql`select from flow_run where (company_id, id) in (select * from given)`'],
    ['has no table with an owner', 'sql`select from person where id = ${id}`'],
    ['reads what it has just made', 'sql`with model as (select 1) select from model`'],
    ['inserts', 'sql`insert into flow_run (company_id) values (${companyId})`'],
  ])('is not found when it %s', (_, source) => {
    expect(spanning(`export const look = () => ${source}`)).toEqual([])
  })
})

describe('A chain of the query builder', () => {
  test('is found when it has no condition on the owner, also of a joined table', () => {
    const source = `
      const all = db.selectFrom('flowRun').selectAll().execute()
      function one() { return tx.selectFrom('person').innerJoin('model', 'a', 'b').where('id', '=', 1) }`
    expect(spanning(source)).toEqual(['all flowRun', 'one model'])
  })

  test('is not found when it has one, or makes rows', () => {
    const source = `
      db.deleteFrom('flowRun').where('id', '=', id).where('companyId', '=', companyId)
      db.updateTable('model').set({}).where('model.accountId', 'in', ids)
      db.insertInto('flowRun').values({ companyId })`
    expect(spanning(source)).toEqual([])
  })
})

describe('The list', () => {
  const one = { file: 'a.ts', name: 'look', line: 3, table: 'model' }
  const list = (names: string) => countsOf({ rows: { why: '', statements: { 'a.ts': names } } })

  test('has to have each statement', () => {
    const { missing } = compareWithList([one, { ...one, line: 9 }], list('look, other'))
    expect(missing).toEqual([
      'a.ts:3: look reads or changes model without a condition on a company or an account',
      'a.ts:9: look reads or changes model without a condition on a company or an account',
    ])
    expect(compareWithList([one, one], list('look 2'))).toEqual({ missing: [], stale: [] })
  })

  test('has no statement that does not exist', () => {
    expect(compareWithList([one], list('look 2, gone')).stale).toEqual([
      'a.ts look has 1 such statements, and the list says 2',
      'a.ts gone has 0 such statements, and the list says 1',
    ])
  })
})
