import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { KEY_CHECK } from '../../core/limits/accounts.ts'
import { countKeyUse, encryptionContextOf, type KeyUse } from './encrypted-columns.ts'
import { SecretUnreadable, type KeyRing } from './key-ring.ts'

/** A key in use that the ring does not have: no key has its id (`missing`), or a different key has it (`wrong`). */
export type UnreadableKey = KeyUse & { reason: 'missing' | 'wrong' }

/** The reasons in words for the operator. */
export const UNREADABLE_WORDS: Record<UnreadableKey['reason'], string> = {
  missing: 'the key is missing',
  wrong: 'a different key has this id',
}

/**
 * Returns the keys in use with which the ring decrypts no value. The id alone proves nothing, because another key may
 * have the same id.
 */
export async function findUnreadableKeys(
  db: Kysely<DB>,
  keyRing: KeyRing,
): Promise<UnreadableKey[]> {
  const unreadable: UnreadableKey[] = []
  for (const use of await countKeyUse(db)) {
    if (!keyRing.keyIds.includes(use.keyId)) unreadable.push({ ...use, reason: 'missing' })
    else if (!(await opensAny(db, keyRing, use))) unreadable.push({ ...use, reason: 'wrong' })
  }
  return unreadable
}

/**
 * Throws when the ring lacks a key with which stored values were encrypted, so that the service does not start.
 * Otherwise the first delivery or call that needs such a value would fail.
 *
 * @param source the ring's source, as the operator knows it: a setting or a file
 * @throws an Error that names the missing or wrong keys, what needs them, and what to do
 */
export async function requireKeysInUse(
  db: Kysely<DB>,
  keyRing: KeyRing,
  source: string,
): Promise<void> {
  const unreadable = await findUnreadableKeys(db, keyRing)
  const missing = unreadable.filter(({ reason }) => reason === 'missing')
  const wrong = unreadable.filter(({ reason }) => reason === 'wrong')
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

/**
 * Returns whether the ring decrypts any of a few values of a key. A single damaged or moved value does not show that the
 * key is wrong, and must not prevent a start.
 */
async function opensAny(db: Kysely<DB>, keyRing: KeyRing, use: KeyUse): Promise<boolean> {
  const { table, column, owner, keyId } = use
  const value = sql.ref(column)
  const { rows } = await sql<{ id: string; ownerId: string; value: string }>`
    select id, ${sql.ref(owner)} as owner_id, ${value} as value from ${sql.table(table)}
    where ${value} <> '' and split_part(${value}, '.', 2) = ${keyId}
    order by id limit ${KEY_CHECK.valuesTried}
  `.execute(db)
  return rows.some((row) => {
    try {
      keyRing.decrypt(row.value, encryptionContextOf(use, row))
      return true
    } catch (error) {
      if (error instanceof SecretUnreadable) return false
      throw error
    }
  })
}
