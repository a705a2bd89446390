/** Checks that an imported file contains rows of its account only, and no references to rows of another account. */
import type pg from 'pg'
import type { AccountTable } from './account-tables.ts'
import type { AccountManifest } from './manifest.ts'

/** Tables of which rows that exist here already are not inserted again. */
const OF_PERSONS: ReadonlySet<string> = new Set(['person', 'second_factor', 'recovery_code'])

/** The condition of the persons in the file. */
const IN_FILE = 'row.id in (select id from person_in_file)'

/** Tables to which columns without a foreign key refer, where the name of the column is not the table's with `_id`. */
const REFERRED: Readonly<Record<string, string>> = {
  body_id: 'event_body',
  delivery_id: 'webhook_delivery',
  job_id: 'resend_job',
  reply_id: 'assistant_reply',
  run_id: 'flow_run',
  trigger_message_id: 'message',
}

/** A column whose values are ids of rows of a table. */
type Reference = { table: string; column: string; target: string; key: string }

/** Checks that the file has the account's tables, each once. @throws with the first other table */
export function requireKnownTables(
  known: readonly AccountTable[],
  { tables, account }: AccountManifest,
): void {
  const names = new Set(known.map(({ name }) => name))
  const seen = new Set<string>()
  for (const { name } of tables) {
    if (!names.has(name) || seen.has(name)) {
      throw new Error(
        `The file is no export of the account ${account.id}: it contains the table ${name}${seen.has(name) ? ' twice' : ''}. Nothing was changed.`,
      )
    }
    seen.add(name)
  }
}

/**
 * Checks that all copied rows belong to the account, and refer to no row of another account. The caller has copied them
 * in this transaction, and the temporary table `person_in_file` has the ids of the file's persons.
 * @throws with the table and a row
 */
export async function requireOwnRows(
  client: pg.Client,
  tables: readonly AccountTable[],
  manifest: AccountManifest,
): Promise<void> {
  await requireOwnCompanies(client, manifest)
  for (const { name, rows } of manifest.tables) {
    const table = tables.find((one) => one.name === name)!
    if (!OF_PERSONS.has(name)) await requireAllOwn(client, table, rows, manifest)
  }
  const conditionOf = new Map(tables.map(({ name, condition }) => [name, condition]))
  for (const reference of await readReferences(client)) {
    const { table, target } = reference
    const own = conditionOf.get(table)
    // Rows may also refer to members that are here already.
    const targets = target === 'person' ? IN_FILE : conditionOf.get(target)
    if (own && targets) await requireOwnTargets(client, reference, { own, targets }, manifest)
  }
}

async function requireOwnCompanies(
  client: pg.Client,
  { account, companyIds }: AccountManifest,
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from company where account_id = $1',
    [account.id],
  )
  const own = new Set(rows.map(({ id }) => id))
  const other = companyIds.find((id) => !own.has(id))
  if (other === undefined && own.size === companyIds.length) return
  throw new Error(
    `The companies of the account ${account.id} are not those that the file names${other === undefined ? '' : `, such as ${other}`}. Nothing was changed.`,
  )
}

/** The account was not here before, so that as many rows belong to it as the file contains. */
async function requireAllOwn(
  client: pg.Client,
  { name, condition }: AccountTable,
  rows: number,
  { account }: AccountManifest,
): Promise<void> {
  const { rows: counted } = await client.query<{ own: string }>(
    `select count(*) as own from "${name}" as row where ${condition}`,
  )
  if (Number(counted[0]!.own) === rows) return
  const { rows: found } = await client.query<{ shown: string }>(
    `select ${keyOf(name)} as shown from "${name}" as row
    where row.xmin = pg_current_xact_id()::xid and (${condition}) is not true limit 1`,
  )
  throw new Error(
    `The file contains rows that do not belong to the account ${account.id}: ${name} ${found[0]?.shown ?? ''}. Nothing was changed.`,
  )
}

/** Returns the SQL of a row's primary key, as JSON. */
const keyOf = (table: string) => `(
  select jsonb_object_agg(attname, to_jsonb("row") -> attname::text)::text
  from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
  where indrelid = '"${table}"'::regclass and indisprimary)`

/** A row that does not exist here is no row of another account: some columns name rows that were deleted. */
async function requireOwnTargets(
  client: pg.Client,
  { table, column, target, key }: Reference,
  { own, targets }: { own: string; targets: string },
  { account }: AccountManifest,
): Promise<void> {
  const { rows } = await client.query<{ value: string }>(
    `select named.value::text as value
    from (select row."${column}" as value from "${table}" as row where ${own}) named
      join "${target}" as row on row."${key}" = named.value
    where (${targets}) is not true limit 1`,
  )
  if (rows.length === 0) return
  throw new Error(
    `The file refers to rows that do not belong to the account ${account.id}: ${table}.${column} names ${target} ${rows[0]!.value}. Nothing was changed.`,
  )
}

/** Returns the foreign keys of one column, and the columns that refer to a table by their name. */
async function readReferences(client: pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select distinct own.relname as "table", columns.attname as "column", target.relname as target,
      target_columns.attname as key
    from pg_class own
      join pg_attribute columns on columns.attrelid = own.oid and columns.attnum > 0 and not columns.attisdropped
      join pg_class target on target.relnamespace = own.relnamespace and target.relkind in ('r', 'p')
        and not target.relispartition
      join pg_attribute target_columns on target_columns.attrelid = target.oid
        and target_columns.atttypid = columns.atttypid
      left join pg_constraint by_key on by_key.contype = 'f' and by_key.conrelid = own.oid
        and by_key.confrelid = target.oid and by_key.conkey = array[columns.attnum]
        and by_key.confkey = array[target_columns.attnum]
    where own.relnamespace = current_schema()::regnamespace and own.relkind in ('r', 'p') and not own.relispartition
      and (by_key.oid is not null or (target_columns.attname = 'id'
        and target.relname = coalesce($1::jsonb ->> columns.attname::text, regexp_replace(columns.attname::text, '_id$', ''))
        and columns.attname <> target.relname))
    order by 1, 2, 3`,
    [JSON.stringify(REFERRED)],
  )
  return rows
}
