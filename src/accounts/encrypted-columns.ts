import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'

/** Every column that holds encrypted values. Each table has `id` and `company_id`: the value's place. */
export const ENCRYPTED_COLUMNS = [
  { table: 'endpoint_secret', column: 'secret' },
  { table: 'channel', column: 'credentials' },
  { table: 'api_connection', column: 'credential' },
] as const

export type EncryptedColumn = (typeof ENCRYPTED_COLUMNS)[number]

export type KeyUse = EncryptedColumn & { keyId: string; values: number }

/** Which keys the stored values were encrypted with, and how many with each; wiped ones left out. */
export async function countKeyUse(db: Kysely<DB>): Promise<KeyUse[]> {
  const uses: KeyUse[] = []
  for (const of of ENCRYPTED_COLUMNS) {
    const value = sql.ref(of.column)
    const { rows } = await sql<{ keyId: string; values: number }>`
      select split_part(${value}, '.', 2) as key_id, count(*)::int as values
      from ${sql.table(of.table)} where ${value} <> '' group by 1 order by 1
    `.execute(db)
    uses.push(...rows.map((row) => ({ ...of, ...row })))
  }
  return uses
}

/**
 * Ends the start when something stored cannot be read with the ring's keys: it would only be seen at
 * the first delivery or call that needs it.
 * @throws an Error that names the keys that are missing and what needs them, for the operator
 */
export async function requireKeysInUse(
  db: Kysely<DB>,
  { keyIds }: { keyIds: readonly string[] },
): Promise<void> {
  const missing = (await countKeyUse(db)).filter(({ keyId }) => !keyIds.includes(keyId))
  if (missing.length === 0) return
  const lines = missing.map(
    ({ table, column, keyId, values }) => `  - key "${keyId}": ${values} in ${table}.${column}`,
  )
  throw new Error(
    `ENCRYPTION_KEYS lacks keys that stored secrets need:\n${lines.join('\n')}\nPut them back behind the first key; "npm run operator -- reencrypt-secrets" then makes them unnecessary.`,
  )
}
