/** Re-encrypts the secrets of an account with the transfer key for an export, and with the local keys after an import. */
import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../../src/infra/database/connect.ts'
import { REENCRYPT } from '../../../src/core/limits/accounts.ts'
import {
  ENCRYPTED_COLUMNS,
  encryptionContextOf,
} from '../../../src/infra/secrets/encrypted-columns.ts'
import {
  keyIdOf,
  SecretUnreadable,
  type EncryptionContext,
  type KeyRing,
} from '../../../src/infra/secrets/key-ring.ts'
import { modelStateKeyContext } from '../../../src/modules/assistant/model-state.ts'
import type { AccountTable } from './account-tables.ts'

type Row = { id: string; owner_id: string; value: string }
type Keys = { from: KeyRing; to: KeyRing }

type Column = {
  table: string
  column: string
  /** An SQL expression for the id of the row's owner: its company or account. */
  owner: string
  encryptionContextOf(row: { id: string; ownerId: string }): EncryptionContext
  /** False when the account works without this value, so that an unreadable one is no error. */
  isNeeded: boolean
}

const COLUMNS: readonly Column[] = [
  ...ENCRYPTED_COLUMNS.map((of) => ({
    table: of.table,
    column: of.column,
    owner: `row."${of.owner}"`,
    encryptionContextOf: (row: { id: string; ownerId: string }) => encryptionContextOf(of, row),
    isNeeded: true,
  })),
  {
    table: 'assistant_reply',
    column: 'carried',
    owner: '(select account_id from company where company.id = row.company_id)',
    encryptionContextOf: ({ id, ownerId }) =>
      modelStateKeyContext({ replyId: id, accountId: ownerId }),
    isNeeded: false,
  },
]

/** Creates the temporary table that an export fills with an account's secrets, before its snapshot. */
export async function createCarried(client: pg.Client): Promise<void> {
  await client.query(
    `create temporary table carried_secret
      (table_name text, id uuid, value text not null, primary key (table_name, id))`,
  )
}

/**
 * Fills the temporary table with the secrets of an account, encrypted by the transfer key.
 * @throws when one cannot be read
 */
export async function carrySecrets(
  client: pg.Client,
  tables: readonly AccountTable[],
  keys: Keys,
): Promise<void> {
  for (const of of COLUMNS) {
    const condition = tables.find(({ name }) => name === of.table)!.condition
    await inPages(client, of, condition, async (rows) => {
      const carried = reencryptAll(of, rows, keys)
      await client.query(
        `insert into carried_secret select $1, * from unnest($2::uuid[], $3::text[])`,
        [of.table, carried.map(({ id }) => id), carried.map(({ value }) => value)],
      )
    })
  }
}

/** Returns the SQL of a column as an export writes it: secrets come from the temporary table. */
export function carriedColumn(table: string, column: string): string {
  const isSecret = COLUMNS.some((of) => of.table === table && of.column === column)
  if (!isSecret) return `row."${column}"`
  return `coalesce((select value from carried_secret
    where table_name = '${table}' and carried_secret.id = row.id), row."${column}")`
}

/** Encrypts the secrets of an imported account with this installation's keys instead of the transfer key. */
export async function reencryptImported(
  client: pg.Client,
  tables: readonly AccountTable[],
  keys: Keys,
): Promise<void> {
  for (const of of COLUMNS) {
    const { table, column } = of
    const condition = tables.find(({ name }) => name === table)!.condition
    await inPages(client, of, condition, async (rows) => {
      const moved = reencryptAll(
        of,
        rows.filter(({ value }) => keyIdOf(value) === keys.from.keyIds[0]),
        keys,
      )
      await client.query(
        `update "${table}" set "${column}" = given.value
        from unnest($1::uuid[], $2::text[]) as given (id, value) where "${table}".id = given.id`,
        [moved.map(({ id }) => id), moved.map(({ value }) => value)],
      )
    })
  }
}

/** Reads the values of a column page by page, without the empty ones, which have been erased. */
async function inPages(
  client: pg.Client,
  { table, column, owner }: Column,
  condition: string,
  take: (rows: Row[]) => Promise<void>,
): Promise<void> {
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await client.query<Row>(
      `select id, ${owner} as owner_id, "${column}" as value from "${table}" as row
      where ${condition} and "${column}" <> '' and id > $1
      order by id limit ${REENCRYPT.rowsPerStatement}`,
      [last],
    )
    if (rows.length > 0) await take(rows)
    if (rows.length < REENCRYPT.rowsPerStatement) return
    last = rows.at(-1)!.id
  }
}

function reencryptAll(of: Column, rows: readonly Row[], keys: Keys) {
  return rows.flatMap(({ id, owner_id: ownerId, value }) => {
    const context = of.encryptionContextOf({ id, ownerId })
    try {
      return [{ id, value: keys.to.encrypt(keys.from.decrypt(value, context), context) }]
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error
      if (!of.isNeeded) return []
      throw new Error(
        `A secret cannot be read: ${of.table}.${of.column} of ${id}. Enter it again, or delete its ${of.table}; "doctor" says which keys are missing.`,
        { cause: error },
      )
    }
  })
}

/** Stores this installation's link keys with an exported account, so that its old links stay valid after the move. */
export async function keepLinkKeys(
  { kysely }: Database,
  keyRing: KeyRing,
  accountId: string,
): Promise<void> {
  for (const key of keyRing.linkKeys()) {
    const id = randomUUID()
    const context = { table: 'moved_link_key', column: 'key', rowId: id, accountId }
    await sql`
      insert into moved_link_key (id, account_id, fingerprint, key, created_at)
      values (${id}, ${accountId}, ${createHash('sha256').update(key).digest('hex')},
        ${keyRing.encrypt(key, context)}, now())
      on conflict (account_id, fingerprint) do nothing`.execute(kysely)
  }
}
