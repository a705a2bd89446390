import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts'
import { SecretUnreadable, type KeyRing } from './key-ring.ts'

export type UnreadableKey = EncryptedColumn & { keyId: string; reason: string }

/**
 * Opens one stored value of each column and key id. Returns those that do not open: the key is not in
 * the ring, or under its id there is another one; with it nothing else of that key can be read either.
 */
export async function findUnreadableKeys(
  db: Kysely<DB>,
  keyRing: Pick<KeyRing, 'decrypt'>,
): Promise<UnreadableKey[]> {
  const unreadable: UnreadableKey[] = []
  for (const of of await columnsThere(db)) {
    const value = sql.ref(of.column)
    const { rows } = await sql<{ keyId: string; id: string; companyId: string; value: string }>`
      select distinct on (split_part(${value}, '.', 2))
        split_part(${value}, '.', 2) as key_id, id, company_id, ${value} as value
      from ${sql.table(of.table)} where ${value} <> ''
      order by split_part(${value}, '.', 2), id desc
    `.execute(db)
    for (const { keyId, id, companyId, value: text } of rows) {
      try {
        keyRing.decrypt(text, { ...of, rowId: id, companyId })
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error
        unreadable.push({ ...of, keyId, reason: error.message })
      }
    }
  }
  return unreadable
}

/** Ids of the keys that stored values were encrypted with; also of a database that is not migrated yet. */
export async function keyIdsInUse(db: Kysely<DB>): Promise<string[]> {
  const ids = new Set<string>()
  for (const of of await columnsThere(db)) {
    const { rows } = await sql<{ keyId: string }>`
      select distinct split_part(${sql.ref(of.column)}, '.', 2) as key_id
      from ${sql.table(of.table)} where ${sql.ref(of.column)} <> ''
    `.execute(db)
    for (const { keyId } of rows) ids.add(keyId)
  }
  return [...ids].toSorted()
}

/** Those of the encrypted columns that an older version has already. */
async function columnsThere(db: Kysely<DB>): Promise<EncryptedColumn[]> {
  const { rows } = await sql<{ place: string }>`
    select relname || '.' || attname as place
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
  `.execute(db)
  const places = new Set(rows.map(({ place }) => place))
  return ENCRYPTED_COLUMNS.filter(({ table, column }) => places.has(`${table}.${column}`))
}
