/**
 * The store that the other files of this folder read and write, and what they share. A test asks a function
 * of this folder a question of the domain ("the messages of this conversation"); the tables are known here only.
 */
import type { Insertable, Selectable } from 'kysely'
import type { Context } from '../../../src/context.ts'
import type { Database } from '../../../src/database/connect.ts'
import type { DB } from '../../../src/database/tables.ts'

/** A world, or another owner of a service's database, clock and ids. */
export type Recorded = {
  service: { context: Pick<Context, 'clock' | 'ids'> & { db: Pick<Database, 'kysely'> } }
}

/** The same, with the connections to its database. */
export type WithPool = { service: { context: Pick<Context, 'clock' | 'ids' | 'db'> } }

/** A record as the service stores it. */
export type RecordOf<Table extends keyof DB> = Selectable<DB[Table]>

/** Fields of a new record. A builder fills in what the test leaves out. */
export type FieldsOf<Table extends keyof DB> = Partial<Insertable<DB[Table]>>

export const storeOf = (world: Recorded) => world.service.context.db.kysely
export const nowOf = (world: Recorded) => world.service.context.clock.now()
export const newIdOf = (world: Recorded) => world.service.context.ids.uuid()

type Given<Scope> = { [Name in keyof Scope]?: Exclude<Scope[Name], undefined> }

/**
 * Returns the conditions that were given. A reader narrows its records by all of them.
 * @throws Error when none is given: a test reads records of its own company, channel or contact.
 */
export function given<Scope extends object>(scope: Scope): Given<Scope> {
  const entries = Object.entries(scope).filter(([, value]) => value !== undefined)
  if (entries.length === 0) throw new Error('Say whose records you mean: no condition was given.')
  return Object.fromEntries(entries) as Given<Scope>
}

/** Returns the only record. @throws Error when there is none, or more than one. */
export function only<Each>(records: readonly Each[]): Each {
  if (records.length !== 1) throw new Error(`There are ${records.length} records instead of one.`)
  return records[0]!
}
