/** Moves encrypted values from the keys of one installation to another key, in the session of an export or an import. */
import type pg from 'pg'
import { REENCRYPT } from '../../../src/core/limits/accounts.ts'
import {
  ENCRYPTED_COLUMNS,
  placeOf,
  type EncryptedColumn,
} from '../../../src/infra/secrets/encrypted-columns.ts'
import { SecretUnreadable, type KeyRing } from '../../../src/infra/secrets/key-ring.ts'
import type { AccountTable } from './account-tables.ts'

type Row = { id: string; owner_id: string; value: string }
type Keys = { from: KeyRing; to: KeyRing }

/** Creates the temporary tables of an export, before its snapshot. */
export async function createCarried(client: pg.Client): Promise<void> {
  await client.query(
    `create temporary table carried_secret
      (table_name text, id uuid, value text not null, primary key (table_name, id))`,
  )
}

/** Fills the temporary table with the secrets of an account under the other key. @throws when one cannot be read */
export async function carrySecrets(
  client: pg.Client,
  tables: readonly AccountTable[],
  keys: Keys,
): Promise<void> {
  for (const of of ENCRYPTED_COLUMNS) {
    const condition = tables.find(({ name }) => name === of.table)!.condition
    await inPages(client, of, condition, async (rows) => {
      const values = rows.map((row) => reencrypt(of, row, keys))
      await client.query(
        `insert into carried_secret select $1, * from unnest($2::uuid[], $3::text[])`,
        [of.table, rows.map(({ id }) => id), values],
      )
    })
  }
}

/** Returns the column of a table as an export writes it: secrets under the other key. */
export function carriedColumn(table: string, column: string): string {
  const isSecret = ENCRYPTED_COLUMNS.some((of) => of.table === table && of.column === column)
  if (!isSecret) return `row."${column}"`
  return `coalesce((select value from carried_secret
    where table_name = '${table}' and carried_secret.id = row.id), row."${column}")`
}

/** Encrypts the secrets of an imported account by the keys of this installation. */
export async function settleSecrets(
  client: pg.Client,
  tables: readonly AccountTable[],
  keys: Keys,
): Promise<void> {
  for (const of of ENCRYPTED_COLUMNS) {
    const { table, column } = of
    const condition = tables.find(({ name }) => name === table)!.condition
    await inPages(client, of, condition, async (rows) => {
      const moved = rows.filter(({ value }) => value.split('.', 2)[1] === keys.from.keyIds[0])
      await client.query(
        `update "${table}" set "${column}" = given.value
        from unnest($1::uuid[], $2::text[]) as given (id, value) where "${table}".id = given.id`,
        [moved.map(({ id }) => id), moved.map((row) => reencrypt(of, row, keys))],
      )
    })
  }
}

/** Reads the values of a column page by page. An erased one is empty. */
async function inPages(
  client: pg.Client,
  { table, column, owner }: EncryptedColumn,
  condition: string,
  take: (rows: Row[]) => Promise<void>,
): Promise<void> {
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await client.query<Row>(
      `select id, "${owner}" as owner_id, "${column}" as value from "${table}" as row
      where ${condition} and "${column}" <> '' and id > $1
      order by id limit ${REENCRYPT.rowsPerStatement}`,
      [last],
    )
    if (rows.length > 0) await take(rows)
    if (rows.length < REENCRYPT.rowsPerStatement) return
    last = rows.at(-1)!.id
  }
}

function reencrypt(of: EncryptedColumn, { id, owner_id: ownerId, value }: Row, keys: Keys): string {
  const place = placeOf(of, { id, ownerId })
  try {
    return keys.to.encrypt(keys.from.decrypt(value, place), place)
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw new Error(
      `A secret cannot be read: ${of.table}.${of.column} of ${id}. Enter it again, or delete its ${of.table}; "doctor" says which keys are missing.`,
      { cause: error },
    )
  }
}
