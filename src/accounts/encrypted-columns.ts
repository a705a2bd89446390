import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { KEY_CHECK } from '../limits.ts'
import { SecretUnreadable, type KeyRing } from './key-ring.ts'

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
 * the first delivery or call that needs it. A key proves itself by opening a value: the id alone is
 * only a name, which another key may have been given.
 *
 * @param source where the ring comes from, as the operator knows it: a setting or a file
 * @throws an Error that names the keys that are missing or wrong, what needs them, and what to do
 */
export async function requireKeysInUse(
  db: Kysely<DB>,
  keyRing: KeyRing,
  source: string,
): Promise<void> {
  const uses = await countKeyUse(db)
  const missing = uses.filter(({ keyId }) => !keyRing.keyIds.includes(keyId))
  const wrong: KeyUse[] = []
  for (const use of uses) {
    if (!missing.includes(use) && !(await opensAny(db, keyRing, use))) wrong.push(use)
  }
  const problems = [
    ...(missing.length === 0
      ? []
      : [
          `${source} lacks keys that stored secrets need:\n${linesOf(missing)}\nPut them back behind the first key; "npm run operator -- reencrypt-secrets" then makes them unnecessary.`,
        ]),
    ...(wrong.length === 0
      ? []
      : [
          `${source} has keys that do not open what was encrypted under their ids:\n${linesOf(wrong)}\nAnother key was given that id. Put the right one in its place; a new key needs an id of its own, in front of the old ones.`,
        ]),
  ]
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

function linesOf(uses: readonly KeyUse[]): string {
  return uses
    .map(
      ({ table, column, keyId, values }) => `  - key "${keyId}": ${values} in ${table}.${column}`,
    )
    .join('\n')
}

/** A few are tried: one value that was damaged or moved is not the key's fault, and stops no start. */
async function opensAny(db: Kysely<DB>, keyRing: KeyRing, use: KeyUse): Promise<boolean> {
  const { table, column, keyId } = use
  const value = sql.ref(column)
  const { rows } = await sql<{ id: string; companyId: string; value: string }>`
    select id, company_id, ${value} as value from ${sql.table(table)}
    where ${value} <> '' and split_part(${value}, '.', 2) = ${keyId}
    order by id limit ${KEY_CHECK.valuesTried}
  `.execute(db)
  return rows.some((row) => {
    try {
      keyRing.decrypt(row.value, { table, column, rowId: row.id, companyId: row.companyId })
      return true
    } catch (error) {
      if (error instanceof SecretUnreadable) return false
      throw error
    }
  })
}
