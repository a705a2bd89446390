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
  for (const of of ENCRYPTED_COLUMNS) {
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
