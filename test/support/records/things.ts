/** A table of numbers, for tests of connections and transactions. */
import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '../../../src/infra/database/tables.ts'

type On = Pick<pg.ClientBase, 'query'>

export const createThings = (on: On) => on.query('create table thing (id int primary key)')

export const insertThing = (tx: Kysely<DB>, id: unknown) =>
  sql`insert into thing values (${id}) returning id`.execute(tx)

export const readThing = (tx: Kysely<DB>, id: number) =>
  sql`select * from thing where id = ${id}`.execute(tx)

/** Deletes all rows by a statement without a parameter. */
export const deleteThings = (tx: Kysely<DB>) => sql`delete from thing`.execute(tx)

export const addColumnToThings = (on: On) => on.query('alter table thing add column size int')

export async function listThings(on: On): Promise<number[]> {
  const { rows } = await on.query<{ id: number }>('select id from thing order by id')
  return rows.map(({ id }) => id)
}

/** Drops all statements that the server has prepared for the connection. */
export const forgetStatements = (on: On) => on.query('deallocate all')
