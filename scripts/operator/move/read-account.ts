/** Writes an exported account into this installation, in one transaction. */
import type pg from 'pg'
import type { KeyRing } from '../../../src/infra/secrets/key-ring.ts'
import type { Connection, Database } from '../../../src/infra/database/connect.ts'
import { openLongSession } from '../../../src/infra/database/long-session.ts'
import { MIGRATION_LOCK, readMigrationState } from '../../../src/infra/database/migrate.ts'
import type { FileStore } from '../../../src/modules/files/file-store.ts'
import { copyTables } from '../backup/copy-tables.ts'
import { placeStored } from '../backup/place-stored.ts'
import type { Progress } from '../backup/progress.ts'
import { readAccountTables, type AccountTable } from './account-tables.ts'
import { reencryptImported } from './carry-secrets.ts'
import type { AccountManifest } from './manifest.ts'
import { requireKnownTables, requireOwnRows } from './require-own-rows.ts'

/** An exported account, and where it is imported. */
export type Import = {
  database: Database
  connection: Connection
  manifest: AccountManifest
  file: string
  store: FileStore
  /** The transfer key with which the secrets are encrypted in the file, and the keys of this installation. */
  keys: { from: KeyRing; to: KeyRing }
  progress: Progress
}

/** Tables whose rows are first copied into temporary ones, because some exist here already or are changed. */
const TEMPORARY: ReadonlySet<string> = new Set([
  'account',
  'person',
  'second_factor',
  'recovery_code',
  'flow',
])

/**
 * Imports an account from its export into this installation, on hold.
 * @throws when the account exists here already, the versions differ, something of it collides with another account, or
 * the file contains rows of another account; nothing is changed then
 */
export async function readAccount(options: Import): Promise<void> {
  const { database, connection, manifest, file, store, progress } = options
  await requireSameVersion(database, manifest)
  await requireAbsent(database, manifest)
  for (const day of manifest.days) await database.pool.query('select make_day($1)', [day])
  const client = await openLongSession(connection)
  try {
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
    await client.query('begin')
    // A trigger would otherwise set the time at which messages of visitors were shown.
    await client.query(`set local wasla.is_import = 'on'`)
    await load(client, options)
    // Files first: without them the rows are worth little, and the other way round nothing is lost.
    const { companyIds } = manifest
    await placeStored({ file, manifest, store, progress, companyIds })
    await client.query('commit')
    progress.step('all rows are written')
  } catch (error) {
    throw explainConflict(error)
  } finally {
    // Rolls back what was not committed, and releases the lock.
    await client.end()
  }
}

async function load(client: pg.Client, options: Import): Promise<void> {
  const { manifest, file, keys, progress } = options
  const tables = await readAccountTables(client, manifest.account.id)
  requireKnownTables(tables, manifest)
  for (const name of TEMPORARY) {
    await client.query(
      `create temporary table "moved_${name}" (like "${name}" including defaults) on commit drop`,
    )
  }
  await client.query('create temporary table person_in_file (id uuid) on commit drop')
  await copyTables(client, {
    file,
    manifest,
    progress,
    into: (table) => (TEMPORARY.has(table) ? `moved_${table}` : table),
    onEnd: (name) =>
      insertCopied(
        client,
        tables.find((table) => table.name === name)!,
      ),
  })
  await client.query(
    `alter table moved_person add column is_member boolean;
    update moved_person set is_member = id in
      (select person_id from member where account_id = '${manifest.account.id}')`,
  )
  await requireOwnRows(client, tables, manifest)
  await reencryptImported(client, tables, keys)
  // New messages and entries get higher numbers than the imported ones.
  await client.query(
    `select setval('line_arrival', greatest(nextval('line_arrival'),
      (select coalesce(max(arrival), 0) from message where company_id = any($1)),
      (select coalesce(max(arrival), 0) from conversation_entry where company_id = any($1))) + 1)`,
    [manifest.companyIds],
  )
}

/** Inserts the rows of a table that were copied into a temporary one, with the changes that the import needs. */
async function insertCopied(client: pg.Client, { name, columns }: AccountTable): Promise<void> {
  const list = columns.map((column) => `"${column}"`).join(', ')
  const insertion = `insert into "${name}" (${list}) select ${list} from "moved_${name}"`
  switch (name) {
    case 'account':
      await client.query(
        `update moved_account set hold = 'arrived', hold_since = now();
        ${insertion}`,
      )
      return
    case 'person':
      await requireOwnAddresses(client)
      // A person may be a member of another account that is here.
      await client.query(
        `insert into person_in_file select id from moved_person;
        delete from moved_person where id in (select id from person);
        ${insertion}`,
      )
      return
    case 'second_factor':
    case 'recovery_code':
      await client.query(`${insertion} where person_id in (select id from moved_person)`)
      return
    case 'flow':
      await client.query(
        `create temporary table moved_publication on commit drop as
          select id, published_version_id from moved_flow;
        update moved_flow set published_version_id = null;
        ${insertion}`,
      )
      return
    case 'flow_version':
      await client.query(
        `update flow set published_version_id = moved_publication.published_version_id
        from moved_publication where flow.id = moved_publication.id`,
      )
  }
}

/** Checks that no imported person has the address of another person here. @throws with up to five such addresses */
async function requireOwnAddresses(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ email: string }>(
    `select person.email from moved_person join person on lower(person.email) = lower(moved_person.email)
    where person.id <> moved_person.id and person.unverified_in_account_id is null
      and moved_person.unverified_in_account_id is null
    order by 1 limit 5`,
  )
  if (rows.length === 0) return
  throw new Error(
    `Here other persons sign in by the addresses of members: ${rows.map(({ email }) => email).join(', ')}. Nothing was changed. Change the address on one of the two sides first.`,
  )
}

async function requireSameVersion(
  { pool }: Database,
  { migrations, program }: AccountManifest,
): Promise<void> {
  const { applied } = await readMigrationState(pool)
  const textOf = (list: readonly { name: string; checksum: string }[]) =>
    list.map(({ name, checksum }) => `${name} ${checksum}`).join('\n')
  if (textOf(applied) === textOf(migrations)) return
  throw new Error(
    `The account comes from another version of the service: ${program}, with tables of ${migrations.at(-1)?.name}; here they are of ${applied.at(-1)?.name}. Nothing was changed. Upgrade the older installation, and export again.`,
  )
}

async function requireAbsent({ pool }: Database, { account }: AccountManifest): Promise<void> {
  const { rowCount } = await pool.query('select from account where id = $1', [account.id])
  if (rowCount) {
    throw new Error(`The account ${account.id} is here already. Nothing was changed.`)
  }
}

/** Returns an error of the database with a message for the operator; other errors unchanged. */
function explainConflict(error: unknown): unknown {
  const { code, table, constraint } = error as {
    code?: string
    table?: string
    constraint?: string
  }
  if (code === '23505' || code === '23P01') {
    return new Error(
      `Something of the account is in use here already: ${table} (${constraint}), such as a connected number or the address of a booking page. Nothing was changed. Free it here, or change it and export again.`,
      { cause: error },
    )
  }
  if (code === '53100') {
    return new Error('The disk of the database is full. Nothing was changed.', { cause: error })
  }
  return error
}
