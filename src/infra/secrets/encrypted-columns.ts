import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { EncryptionContext } from './key-ring.ts'

/** Every column of encrypted values. Each table has `id` and the owner's id, which the encryption context contains. */
export const ENCRYPTED_COLUMNS = [
  { table: 'endpoint_secret', column: 'secret', owner: 'company_id' },
  { table: 'channel', column: 'credentials', owner: 'company_id' },
  { table: 'channel_state', column: 'value', owner: 'company_id' },
  { table: 'api_connection', column: 'credential', owner: 'company_id' },
  { table: 'model', column: 'credential', owner: 'account_id' },
  { table: 'second_factor', column: 'secret', owner: 'person_id' },
  { table: 'moved_link_key', column: 'key', owner: 'account_id' },
] as const

/** A column of encrypted values. */
export type EncryptedColumn = (typeof ENCRYPTED_COLUMNS)[number]

/** Returns the encryption context (associated data) that binds a ciphertext to its row and column. */
export function encryptionContextOf(
  { table, column, owner }: EncryptedColumn,
  { id, ownerId }: { id: string; ownerId: string },
): EncryptionContext {
  const row = { table, column, rowId: id }
  switch (owner) {
    case 'company_id':
      return { ...row, companyId: ownerId }
    case 'account_id':
      return { ...row, accountId: ownerId }
    case 'person_id':
      return { ...row, personId: ownerId }
  }
}

/** The number of values of a column that one key encrypted. */
export type KeyUse = EncryptedColumn & { keyId: string; values: number }

/**
 * Returns the number of stored values by encryption key, without erased ones. On a database that is not migrated yet,
 * missing columns count as empty.
 */
export async function countKeyUse(db: Kysely<DB>): Promise<KeyUse[]> {
  const columns = await columnsThere(db)
  if (columns.length === 0) return []
  const ofEach = columns.map(({ table, column }, index) => {
    const value = sql.ref(column)
    return sql`
      select ${sql.lit(index)} as index, split_part(${value}, '.', 2) as key_id, count(*)::int as values
      from ${sql.table(table)} where ${value} <> '' group by 2`
  })
  const { rows } = await sql<{ index: number; keyId: string; values: number }>`
    ${sql.join(ofEach, sql` union all `)} order by index, key_id
  `.execute(db)
  return rows.map(({ index, ...use }) => ({ ...columns[index]!, ...use }))
}

/** Returns the ids of keys with which stored values were encrypted. */
export async function keyIdsInUse(db: Kysely<DB>): Promise<string[]> {
  const uses = await countKeyUse(db)
  return [...new Set(uses.map(({ keyId }) => keyId))].toSorted()
}

async function columnsThere(db: Kysely<DB>): Promise<EncryptedColumn[]> {
  const tables = ENCRYPTED_COLUMNS.map(({ table }) => table)
  const names = ENCRYPTED_COLUMNS.map(({ column }) => column)
  const { rows } = await sql<{ nth: number }>`
    select nth::int from unnest(${tables}::text[], ${names}::text[]) with ordinality as wanted (of, name, nth)
      join pg_attribute on attrelid = to_regclass(of) and attname = name and not attisdropped
    order by nth
  `.execute(db)
  return rows.map(({ nth }) => ENCRYPTED_COLUMNS[nth - 1]!)
}
