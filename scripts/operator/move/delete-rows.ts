/** Deletes an account that has moved away, in batches. Each batch is a transaction, so a second run continues. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { FileStore } from '../../../src/modules/files/file-store.ts'
import type { Progress } from '../backup/progress.ts'
import { readAccountTables, type AccountTable } from './account-tables.ts'

const ROWS_PER_BATCH = 1_000
/** The pause after a batch, in which the service and its standbys keep up with the write-ahead log. */
const PAUSE_MS = 20

/** Tables that are deleted first, so that no member sees a half-deleted account. */
const FIRST = ['session', 'pending_sign_in', 'invitation', 'member']
/** Tables of a person's credentials. */
const OF_PERSONS = ['second_factor', 'recovery_code', 'trusted_device', 'password_reset']
/** Tables whose rows are found by rows of other tables, without a foreign key. */
const BEFORE_OTHERS = ['event_body']
/** Tables by which the rows of the others are found, some of them without a foreign key. */
const LAST = ['channel', 'company']

type Options = { accountId: string; progress: Progress }

/**
 * Deletes every row of an account, and at the very end the account, without which the command cannot be repeated. The
 * caller has checked that the id is a UUID. Returns the number of deleted rows.
 */
export async function deleteRows(
  client: pg.Client,
  { accountId, progress }: Options,
): Promise<number> {
  const known = (await readAccountTables(client, accountId)).toReversed()
  const elsewhere = new Set([
    ...FIRST,
    ...BEFORE_OTHERS,
    ...LAST,
    ...OF_PERSONS,
    'person',
    'account',
  ])
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
  count += await deletePersons(client)
  return count + (await deleteFrom(client, named(['account'])[0]!))
}

async function deleteFrom(
  client: pg.Client,
  { name, condition }: Pick<AccountTable, 'name' | 'condition'>,
): Promise<number> {
  let count = 0
  for (const part of await readParts(client, name)) {
    // The rows are searched once, because the condition may have no index. A held cursor needs no open transaction.
    await client.query(
      `declare left_behind cursor with hold for
      select ctid::text as place from "${part}" as row where ${condition}`,
    )
    for (;;) {
      const { rows } = await client.query<{ place: string }>(
        `fetch ${ROWS_PER_BATCH} from left_behind`,
      )
      if (rows.length === 0) break
      // The place of a deleted row may have a row of another account by now.
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

/** Returns the partitions of a table; the table itself when it has none. */
async function readParts(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ parts: string[] }>(
    `select coalesce(
      (select array_agg(relid::regclass::text) from pg_partition_tree($1::text::regclass) where isleaf),
      array[$1::text]) as parts`,
    [name],
  )
  return rows[0]!.parts
}

/** Deletes the persons without any row that refers to them, such as a membership, except those of the demonstration. */
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

/** Deletes the files of an account from the store. A missing file is no error. */
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
