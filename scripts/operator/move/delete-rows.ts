/** Deletes what a moved account left behind, in batches. Each batch is a transaction, so a second run goes on. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { FileStore } from '../../../src/modules/files/file-store.ts'
import type { Progress } from '../backup/progress.ts'
import { readAccountTables, type AccountTable } from './account-tables.ts'

const ROWS_PER_BATCH = 1_000
/** The pause after a batch: the service and its standbys keep up with the log. */
const PAUSE_MS = 20

/** Tables of sign-ins and members: no member may read a part of an account. */
const FIRST = ['session', 'pending_sign_in', 'invitation', 'member']
/** Tables of a person's ways to sign in. */
const OF_PERSONS = ['second_factor', 'recovery_code', 'trusted_device', 'password_reset']
/** Rows of bodies are found by their events, and the database knows no reference between them. */
const BEFORE_OTHERS = ['event_body']
/** Rows of all other tables are found by these, which some of them do not refer to. */
const LAST = ['channel', 'company', 'account']

type Options = { accountId: string; progress: Progress }

/** Deletes every row of an account, at last the account. The caller has checked that the id is a UUID. */
export async function deleteRows(
  client: pg.Client,
  { accountId, progress }: Options,
): Promise<number> {
  const known = (await readAccountTables(client, accountId)).toReversed()
  const elsewhere = new Set([...FIRST, ...BEFORE_OTHERS, ...LAST, ...OF_PERSONS, 'person'])
  const named = (names: readonly string[]) => known.filter(({ name }) => names.includes(name))
  const tables = [
    ...FIRST.map((name) => ({ name, condition: `row.account_id = '${accountId}'` })),
    ...named(BEFORE_OTHERS),
    ...known.filter(({ name }) => !elsewhere.has(name)),
    ...LAST.flatMap((name) => named([name])),
  ]
  // A flow and its published version refer to each other, and a person may refer to the account.
  await client.query(
    `update flow set published_version_id = null
    where company_id in (select id from company where account_id = $1)`,
    [accountId],
  )
  await client.query(
    `update person set unverified_in_account_id = null where unverified_in_account_id = $1`,
    [accountId],
  )
  let count = 0
  for (const table of tables) {
    const deleted = await deleteFrom(client, table)
    if (deleted > 0) progress.step(`${table.name}: ${deleted} rows deleted`)
    count += deleted
  }
  return count + (await deletePersons(client))
}

async function deleteFrom(
  client: pg.Client,
  { name, condition }: Pick<AccountTable, 'name' | 'condition'>,
): Promise<number> {
  let count = 0
  for (const part of await readParts(client, name)) {
    // The rows are found once, whatever indexes the table has. The cursor holds no snapshot while they are deleted.
    await client.query(
      `declare left_behind cursor with hold for
      select ctid::text as place from "${part}" as row where ${condition}`,
    )
    for (;;) {
      const { rows } = await client.query<{ place: string }>(
        `fetch ${ROWS_PER_BATCH} from left_behind`,
      )
      if (rows.length === 0) break
      // A row of another account may be in the place of one that is gone.
      const { rowCount } = await client.query(
        `delete from "${part}" as row where row.ctid = any($1::tid[]) and ${condition}`,
        [rows.map(({ place }) => place)],
      )
      count += rowCount ?? 0
      await pause(PAUSE_MS)
    }
    await client.query('close left_behind')
  }
  return count
}

/** Returns the partitions of a table, and the table itself where it has none. */
async function readParts(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ parts: string[] }>(
    `select coalesce(
      (select array_agg(relid::regclass::text) from pg_partition_tree($1::text::regclass) where isleaf),
      array[$1::text]) as parts`,
    [name],
  )
  return rows[0]!.parts
}

/** Deletes the persons who are members of no account any more, and are named by no other row. */
async function deletePersons(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ name: string; column: string }>(
    `select conrelid::regclass::text as name, attname::text as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and conparentid = 0 and confrelid = 'person'::regclass
      and connamespace = current_schema()::regnamespace`,
  )
  const unnamed = rows
    .filter(({ name }) => !OF_PERSONS.includes(name))
    .map(
      ({ name, column }) =>
        `not exists (select from "${name}" as other where other."${column}" = row.id)`,
    )
  await client.query('begin')
  await client.query(
    `create temporary table left_person on commit drop as
    select id from person as row where not is_demonstration and ${unnamed.join(' and ')}`,
  )
  for (const name of OF_PERSONS) {
    await client.query(`delete from "${name}" where person_id in (select id from left_person)`)
  }
  const { rowCount } = await client.query(
    `delete from person where id in (select id from left_person)`,
  )
  await client.query('commit')
  return rowCount ?? 0
}

/** Deletes the files of an account from the store. A file that is gone already is no error. */
export async function deleteFiles(
  client: pg.Client,
  store: FileStore,
  { accountId, progress }: Options,
): Promise<void> {
  let last = '00000000-0000-0000-0000-000000000000'
  let count = 0
  for (;;) {
    const { rows } = await client.query<{ id: string; companyId: string }>(
      `select id, company_id as "companyId" from file
      where company_id in (select id from company where account_id = $1) and id > $2
      order by id limit ${FILES_PER_PAGE}`,
      [accountId, last],
    )
    await Promise.all(rows.map((key) => store.delete(key)))
    count += rows.length
    if (rows.length < FILES_PER_PAGE) break
    last = rows.at(-1)!.id
  }
  if (count > 0) progress.step(`${count} files deleted`)
}

const FILES_PER_PAGE = 16
