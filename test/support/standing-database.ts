/**
 * Databases that a worker keeps from one test file to the next. A world on a new copy would pay again for the
 * copy, for each connection and for the plan of each statement. Here the rows of the previous file are deleted,
 * and the connections stay open with their prepared statements.
 *
 * A file gets what a fresh copy would be: no rows except those of the migrations. A database is dropped instead
 * when a test has changed its tables, triggers or functions, or when something in it is still in progress.
 */
import pg from 'pg'
import { pino } from 'pino'
import { connectionConfig, type Database } from '../../src/infra/database/connect.ts'
import { openDatabase, type OpenedDatabase } from '../../src/infra/database/open-database.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { connectionUrl } from './world.ts'

/** Deleted rows stay in tables and indexes until a vacuum, which a database here does not live to see. */
const MAX_ROWS_DELETED = 20_000
/** Every connection prepares 400 different statements and no more. */
const MAX_USES = 48

/** The tables in which the migrations themselves write: only the list of them. */
const OF_MIGRATIONS = 'schema_migration'

export type StandingDatabase = TestDatabase & {
  /** Connections for one service, which are left open when the service closes them. */
  open(poolSize: number): Promise<OpenedDatabase>
}

type Kept = {
  database: TestDatabase
  /** A separate connection on which triggers and foreign keys are off, since it deletes all rows. */
  cleaner: pg.Client
  /** Every set of connections that was opened, with the pool size that the service asked for. */
  opened: { poolSize: number; connections: OpenedDatabase; isTaken: boolean }[]
  /** The definitions in the catalog when the database was made. */
  catalog: string
  uses: number
  rowsDeleted: number
}

const kept: Kept[] = []

/** Takes a database that holds only what the migrations made. `drop` releases it for the next test file. */
export async function takeStandingDatabase(): Promise<StandingDatabase> {
  const one = kept.pop() ?? (await make())
  one.uses += 1
  return {
    connection: one.database.connection,
    db: one.database.db,
    open: (poolSize) => open(one, poolSize),
    drop: () => keepOrDrop(one),
  }
}

async function make(): Promise<Kept> {
  const database = await createTestDatabase()
  await makeEmptying(database.db)
  const cleaner = new pg.Client(connectionConfig(database.connection))
  await cleaner.connect()
  await cleaner.query('set session_replication_role = replica')
  return {
    database,
    cleaner,
    opened: [],
    catalog: await readCatalog(cleaner),
    uses: 0,
    rowsDeleted: 0,
  }
}

/**
 * Makes the function that deletes every row which a test can have made, and returns how many there were. A function
 * of the server keeps the plans of its statements.
 */
async function makeEmptying({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> $1`,
    [OF_MIGRATIONS],
  )
  const deleting = rows.map(
    ({ name }) => `
      if exists (select from ${name}) then
        delete from ${name};
        get diagnostics of_table = row_count;
        deleted := deleted + of_table;
      end if;`,
  )
  await pool.query(`
    create function delete_all_rows() returns bigint language plpgsql as $$
    declare
      deleted bigint := 0;
      of_table bigint;
    begin${deleting.join('')}
      return deleted;
    end $$`)
}

/**
 * Returns whether a table, trigger, function, constraint or setting was made, changed or removed; days may be
 * added.
 */
async function readCatalog(cleaner: pg.Client): Promise<string> {
  const text = `
    with own as materialized (
      select oid, xmin, reltuples, relkind from pg_class
      where relnamespace = 'public'::regnamespace and not relispartition
    ), held as (
      select 1 as nth, xmin from own
      union all select 2, xmin from pg_trigger where tgrelid in (select oid from own where relkind in ('r', 'p'))
      union all select 3, xmin from pg_constraint where conrelid in (select oid from own where relkind in ('r', 'p'))
      union all select 4, xmin from pg_proc where pronamespace = 'public'::regnamespace
      union all select 5, xmin from pg_db_role_setting
      union all select 6, xmin from ${OF_MIGRATIONS}
    )
    select nth || ' ' || count(*) || ' ' || max(xmin::text::bigint) as held from held group by nth
    -- A vacuum or an analysis makes other plans, and leaves no mark on the row that it changes.
    union all select sum(reltuples)::text from own
    order by 1`
  const { rows } = await cleaner.query<{ held: string }>({ name: 'catalog', text })
  return rows.map(({ held }) => held).join(', ')
}

async function open(one: Kept, poolSize: number): Promise<OpenedDatabase> {
  const isFree = (given: Kept['opened'][number]) => given.poolSize === poolSize && !given.isTaken
  let given = one.opened.find(isFree)
  if (given === undefined) {
    const databaseUrl = connectionUrl(one.database.connection)
    const config = { databaseUrl, databasePool: poolSize, dataFolder: '' }
    const connections = await openDatabase(config, pino({ level: 'silent' }))
    given = { poolSize, connections, isTaken: true }
    one.opened.push(given)
  }
  given.isTaken = true
  const { connections } = given
  return {
    ...connections,
    close() {
      // The service that took the connections last gets no notification of commits any more.
      Object.assign(connections.database.afterCommit, {
        notify() {},
        releaseClaims() {},
        deliveryDispatcher: null,
        runDispatcher: null,
      })
      given.isTaken = false
      return Promise.resolve()
    },
  }
}

async function keepOrDrop(one: Kept): Promise<void> {
  const isKept = one.uses < MAX_USES && isAtRest(one) && (await empty(one))
  if (isKept && one.rowsDeleted <= MAX_ROWS_DELETED) kept.push(one)
  else await drop(one)
}

/**
 * Returns whether no connection is in use: neither by a running service, nor by a transaction that was left
 * open.
 */
function isAtRest({ database, opened }: Kept): boolean {
  const pools = opened.flatMap(({ connections: { database: own, requestDatabase } }) => [
    own.pool,
    requestDatabase.pool,
  ])
  return (
    opened.every(({ isTaken }) => !isTaken) &&
    [database.db.pool, ...pools].every(
      (pool) => pool.idleCount === pool.totalCount && pool.waitingCount === 0,
    )
  )
}

async function empty(one: Kept): Promise<boolean> {
  try {
    if ((await readCatalog(one.cleaner)) !== one.catalog) return false
    const { rows } = await one.cleaner.query<{ deleted: number }>(
      'select delete_all_rows() as deleted',
    )
    one.rowsDeleted += rows[0]!.deleted
    return true
  } catch {
    // A test still holds rows, or the user of the server may not leave its triggers out.
    return false
  }
}

async function drop({ database, cleaner, opened }: Kept): Promise<void> {
  await cleaner.end()
  for (const { connections } of opened) await connections.close()
  await database.drop()
}
