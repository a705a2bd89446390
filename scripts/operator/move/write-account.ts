/** Writes one account into an archive: its rows as of one instant, its files, and its re-encrypted secrets. */
import type pg from 'pg'
import type { KeyRing } from '../../../src/infra/secrets/key-ring.ts'
import type { Connection } from '../../../src/infra/database/connect.ts'
import { openLongSession } from '../../../src/infra/database/long-session.ts'
import { MIGRATION_LOCK, readMigrationState } from '../../../src/infra/database/migrate.ts'
import type { FileStore } from '../../../src/modules/files/file-store.ts'
import { MANIFEST_NAME } from '../backup/manifest.ts'
import type { Progress } from '../backup/progress.ts'
import { readDays } from '../backup/tables.ts'
import { writeArchive, type Archive } from '../backup/write-archive.ts'
import { putStored, putTable, type PutEntry } from '../backup/write-backup.ts'
import { readAccountTables, type AccountTable } from './account-tables.ts'
import { carriedColumn, carrySecrets, createCarried } from './carry-secrets.ts'
import { ACCOUNT_FORMAT, type AccountManifest } from './manifest.ts'
import { createTransferKey } from './transfer-key.ts'

type Options = {
  connection: Connection
  accountId: string
  passphrase: string
  keyRing: KeyRing
  store: FileStore
  file: string
  program: string
  progress: Progress
}

/**
 * Exports an account with its rows and files into a new archive.
 * @throws when the file exists already, a secret cannot be read, or anything could not be read or written; then nothing
 * is left
 */
export async function writeAccount(
  options: Options,
): Promise<{ manifest: AccountManifest; bytes: number }> {
  const { made: manifest, bytes } = await writeArchive(options.file, async (archive) => {
    const client = await openLongSession(options.connection)
    try {
      return await writeAll(client, archive, options)
    } finally {
      await client.end()
    }
  })
  return { manifest, bytes }
}

async function writeAll(
  client: pg.Client,
  archive: Archive,
  { accountId, passphrase, keyRing, store, program, progress }: Options,
): Promise<AccountManifest> {
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
  await createCarried(client)
  await client.query('begin isolation level repeatable read')
  const { rows } = await client.query<{ madeAt: Date; server: string; name: string | null }>(
    `select now() as "madeAt", current_setting('server_version') as server,
      (select name from account where id = $1) as name`,
    [accountId],
  )
  const { madeAt, server, name } = rows[0]!
  const putEntry: PutEntry = (entry, content) => archive.putEntry(entry, content, madeAt)
  const tables = await readAccountTables(client, accountId)
  await findPersons(client, tables, accountId)
  const { keyRing: to, transfer } = createTransferKey(accountId, passphrase)
  await carrySecrets(client, tables, { from: keyRing, to })
  const companyIds = await readCompanyIds(client, accountId)

  const { applied } = await readMigrationState(client)
  const manifest: AccountManifest = {
    format: ACCOUNT_FORMAT,
    account: { id: accountId, name },
    companyIds,
    transfer,
    madeAt: madeAt.toISOString(),
    program,
    server,
    migrations: applied,
    days: await readDays(client),
    tables: [],
    files: [],
    stored: null,
    keyIds: [],
  }
  for (const table of tables) {
    const query = queryOf(table, accountId)
    manifest.tables.push(await putTable(client, { ...table, query }, { putEntry, progress }))
  }
  manifest.stored = await putStored(client, store, { putEntry, progress, companyIds })
  await client.query('commit')
  await putEntry(MANIFEST_NAME, Buffer.from(JSON.stringify(manifest, null, 2)))
  return manifest
}

async function readCompanyIds(client: pg.Client, accountId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from company where account_id = $1 order by id',
    [accountId],
  )
  return rows.map(({ id }) => id)
}

/**
 * Creates the temporary table `moved_person`: the members, and other persons that rows of the account refer to, such as
 * former members.
 */
async function findPersons(
  client: pg.Client,
  tables: readonly AccountTable[],
  accountId: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string }>(
    `select conrelid::regclass::text as name, attname::text as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and conparentid = 0 and confrelid = 'person'::regclass
      and connamespace = current_schema()::regnamespace`,
  )
  const referring = rows.flatMap(({ name, column }) => {
    const table = tables.find((one) => one.name === name)
    // The rows of these two are found by the persons.
    if (!table || ['second_factor', 'recovery_code'].includes(name)) return []
    return `select row."${column}" as id from "${name}" as row
      where row."${column}" is not null and ${table.condition}`
  })
  await client.query(
    `create temporary table moved_person on commit drop as
    select id, exists (select from member
        where member.person_id = found.id and member.account_id = '${accountId}') as is_member
      from (${referring.join(' union ')}) found`,
  )
}

/**
 * Returns the query of a table's rows. Only members keep their password hash, and only an address that is unverified in
 * this account stays unverified.
 */
function queryOf({ name, columns, condition }: AccountTable, accountId: string): string {
  const list = columns.map((column) => {
    if (name === 'person' && column === 'password_hash') {
      return `case when row.id in (select id from moved_person where is_member) then row.password_hash end`
    }
    if (name === 'person' && column === 'unverified_in_account_id') {
      return `case when row.${column} = '${accountId}' then row.${column} end`
    }
    return carriedColumn(name, column)
  })
  return `select ${list.join(', ')} from "${name}" as row where ${condition}`
}
