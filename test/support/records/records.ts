/**
 * The store that the other files of this folder read and write, and their shared functions. A test asks a
 * function of this folder a question of the domain ("the messages of this conversation"); only this folder
 * knows the tables.
 */
import type { Insertable, Kysely, Selectable } from 'kysely'
import { createClock } from '../../../src/core/clock.ts'
import type { Context } from '../../../src/infra/context.ts'
import type { Database } from '../../../src/infra/database/connect.ts'
import type { DB } from '../../../src/infra/database/tables.ts'
import { createIds, systemRandom } from '../../../src/core/ids.ts'
import type { Service } from '../../../src/app/create-service.ts'

/** A world, or another owner of a service's database, clock and ids. */
export type Recorded = {
  service: { context: Pick<Context, 'clock' | 'ids'> & { db: Pick<Database, 'kysely'> } }
}

/** The same, with the connections to its database. */
export type WithPool = { service: { context: Pick<Context, 'clock' | 'ids' | 'db'> } }

export type Company = { companyId: string }
export type Account = { accountId: string }

/** The same, with the keys that encrypt its secrets. */
export type WithKeys = Recorded & { service: Pick<Service, 'keyRing'> }

/** A record as the service stores it. */
export type RecordOf<Table extends keyof DB> = Selectable<DB[Table]>

/** Fields of a new record. A builder fills in what the test leaves out. */
export type FieldsOf<Table extends keyof DB> = Partial<Insertable<DB[Table]>>

/** Returns a world's records as a transaction reads and writes them. */
export function within(world: Recorded, kysely: Kysely<DB>): Recorded {
  const { clock, ids } = world.service.context
  return { service: { context: { clock, ids, db: { kysely } } } }
}

/** Returns a database that no service of this process has, for the functions of this folder. */
export function recordsIn(db: Database): WithPool {
  const clock = createClock()
  return { service: { context: { db, clock, ids: createIds(clock, systemRandom) } } }
}

export const storeOf = (world: Recorded) => world.service.context.db.kysely
export const nowOf = (world: Recorded) => world.service.context.clock.now()
export const today = (world: Recorded) => nowOf(world).toISOString().slice(0, 10) as unknown as Date
export const newIdOf = (world: Recorded) => world.service.context.ids.uuid()

type Given<Scope> = { [Name in keyof Scope]?: Exclude<Scope[Name], undefined> }

/**
 * Returns the conditions that were given. A reader narrows its records by all of them.
 * @throws Error when none is given: a test reads only records of one company, channel or contact.
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

/** Calls `find` for each in turn, and returns all that it found. */
export async function ofEach<Of, Found>(
  all: readonly Of[],
  find: (of: Of) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const found: Found[] = []
  for (const of of all) found.push(...(await find(of)))
  return found
}

/** The records of a table that are meant: those whose columns have all given values. */
type Which<Table extends keyof DB> =
  | 'all'
  | { [Column in keyof RecordOf<Table>]?: RecordOf<Table>[Column] | undefined }

/** Tables whose records have an id. */
type WithId = {
  [Table in keyof DB]: RecordOf<Table> extends { id: string } ? Table : never
}[keyof DB]

type Values = Record<string, unknown>

/** The store without the types of its tables. The functions below say them. */
const untyped = (world: Recorded) => storeOf(world) as unknown as Kysely<Record<string, Values>>

/** Returns the condition that a record is among those which are meant. */
const conditions = (which: 'all' | object) => (which === 'all' ? {} : (given(which) as Values))

/** Returns the records of a table that are meant, ordered by these columns. */
export async function read<Table extends keyof DB>(
  world: Recorded,
  table: Table,
  which: Which<Table>,
  ...order: (keyof DB[Table] & string)[]
): Promise<RecordOf<Table>[]> {
  let records = untyped(world)
    .selectFrom<string>(table)
    .selectAll()
    .where(({ and }) => and(conditions(which)))
  for (const column of order) records = records.orderBy(column)
  return (await records.execute()) as RecordOf<Table>[]
}

/** Returns the first record that is meant, or undefined when there is none. */
export const readFirst = async <Table extends keyof DB>(
  world: Recorded,
  table: Table,
  which: Which<Table>,
): Promise<RecordOf<Table> | undefined> => (await read(world, table, which))[0]

/** Returns the first record that is meant. @throws Error when there is none. */
export async function readOne<Table extends keyof DB>(
  world: Recorded,
  table: Table,
  which: Which<Table>,
): Promise<RecordOf<Table>> {
  const record = await readFirst(world, table, which)
  if (!record) throw new Error(`There is no such record: ${table} ${JSON.stringify(which)}`)
  return record
}

/** Adds records to a table, in few statements. */
export async function insert<Table extends keyof DB>(
  world: Recorded,
  table: Table,
  ...records: FieldsOf<Table>[]
): Promise<void> {
  for (let from = 0; from < records.length; from += 500) {
    await untyped(world)
      .insertInto<string>(table)
      .values(records.slice(from, from + 500))
      .execute()
  }
}

/** Adds a record, under a new id unless it names one. Returns its id. */
export async function add<Table extends WithId>(
  world: Recorded,
  table: Table,
  record: FieldsOf<Table> & { id?: string | undefined },
): Promise<string> {
  const id = record.id ?? newIdOf(world)
  await insert(world, table, { ...record, id })
  return id
}

/** Adds a record, or changes the existing one with the same key columns. */
export async function insertOrUpdate<Table extends keyof DB>(
  world: Recorded,
  table: Table,
  key: (keyof DB[Table] & string)[],
  record: FieldsOf<Table>,
  changed: FieldsOf<Table>,
): Promise<void> {
  await untyped(world)
    .insertInto<string>(table)
    .values(record)
    .onConflict((same) => same.columns(key).doUpdateSet(changed))
    .execute()
}

/** Sets columns of the records that are meant, past what the service would check or do besides. */
export async function update<Table extends keyof DB>(
  world: Recorded,
  table: Table,
  which: Which<Table>,
  values: FieldsOf<Table>,
): Promise<void> {
  await untyped(world)
    .updateTable<string>(table)
    .set(values as Values)
    .where(({ and }) => and(conditions(which)))
    .execute()
}

/** Deletes the records that are meant. */
export async function remove<Table extends keyof DB>(
  world: Recorded,
  table: Table,
  which: Which<Table>,
): Promise<void> {
  await untyped(world)
    .deleteFrom<string>(table)
    .where(({ and }) => and(conditions(which)))
    .execute()
}
