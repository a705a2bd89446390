/** The tables with rows of accounts, and the conditions by which the rows of one account are found. */
import type pg from 'pg'
import { readTables, type Table } from '../backup/tables.ts'

/** A table with the SQL condition of the account's rows. In the condition, `row` is the alias of the table. */
export type AccountTable = Table & { condition: string }

/**
 * Tables of which nothing moves: those of the installation, and sign-ins, which end with a move because everybody signs
 * in again.
 */
const STAYS: ReadonlySet<string> = new Set([
  'operator_switch',
  'set_up',
  'sign_in_failure',
  'session',
  'pending_sign_in',
  'trusted_device',
  'password_reset',
  'invitation',
  'visitor_ticket',
])

/** The conditions of tables without a column of a company or an account. */
const CONDITIONS: Readonly<Record<string, (account: string) => string>> = {
  account: (account) => `row.id = ${account}`,
  person: () => 'row.id in (select id from moved_person)',
  second_factor: () => 'row.person_id in (select id from moved_person where is_member)',
  recovery_code: () => 'row.person_id in (select id from moved_person where is_member)',
  channel_poll: (account) => `row.channel_id in ${channelsOf(account)}`,
  channel_throttle: (account) => `row.channel_id in ${channelsOf(account)}`,
  send_rate: (account) => `row.channel_id in ${channelsOf(account)}`,
  file_upload: (account) => `row.channel_id in ${channelsOf(account)}`,
  contact_import_file: (account) => `row.import_id in ${importsOf(account)}`,
  contact_import_row: (account) => `row.import_id in ${importsOf(account)}`,
  event_body: (account) =>
    `row.id in (select body_id from webhook_delivery where company_id in ${companiesOf(account)})`,
}

const companiesOf = (account: string) => `(select id from company where account_id = ${account})`
const channelsOf = (account: string) =>
  `(select id from channel where company_id in ${companiesOf(account)})`
const importsOf = (account: string) =>
  `(select id from contact_import where company_id in ${companiesOf(account)})`

/**
 * Returns the tables with rows of an account, each after those that it refers to. The id of the account is inserted into
 * the SQL, because `copy` takes no parameters: the caller has checked that it is a UUID.
 * @throws when there is no condition for a table
 */
export async function readAccountTables(
  client: Pick<pg.ClientBase, 'query'>,
  accountId: string,
): Promise<AccountTable[]> {
  const account = `'${accountId}'::uuid`
  const tables = (await readTables(client)).filter(({ name }) => !STAYS.has(name))
  const found = tables.map((table) => ({ ...table, condition: conditionOf(table, account) }))
  return inOrder(found, await readReferences(client))
}

function conditionOf({ name, columns }: Table, account: string): string {
  const known = CONDITIONS[name]
  if (known) return known(account)
  if (columns.includes('account_id')) return `row.account_id = ${account}`
  if (columns.includes('company_id')) return `row.company_id in ${companiesOf(account)}`
  throw new Error(`It is not known which rows of ${name} belong to an account`)
}

/**
 * Returns the tables to which each table refers. The reference of a flow to its published version is left out, because
 * the version refers to the flow, too.
 */
async function readReferences(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; targets: string[] }>(
    `select conrelid::regclass::text as name, array_agg(distinct confrelid::regclass::text) as targets
    from pg_constraint where contype = 'f' and conparentid = 0 and conrelid <> confrelid
      and connamespace = current_schema()::regnamespace
      and not (conrelid = 'flow'::regclass and confrelid = 'flow_version'::regclass)
    group by 1`,
  )
  return new Map(rows.map(({ name, targets }) => [name, targets]))
}

/** Orders tables so that each comes after those that it refers to. @throws when there is a cycle */
function inOrder(
  tables: readonly AccountTable[],
  references: ReadonlyMap<string, readonly string[]>,
): AccountTable[] {
  const left = new Map(tables.map((table) => [table.name, table]))
  const ordered: AccountTable[] = []
  while (left.size > 0) {
    const next = [...left.values()].filter(
      ({ name }) => !(references.get(name) ?? []).some((target) => left.has(target)),
    )
    if (next.length === 0) {
      throw new Error(`These tables refer to each other: ${[...left.keys()].join(', ')}`)
    }
    for (const table of next) left.delete(table.name)
    ordered.push(...next)
  }
  return ordered
}
