import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { REENCRYPT } from '../../core/limits/accounts.ts'
import {
  ENCRYPTED_COLUMNS,
  encryptionContextOf,
  type EncryptedColumn,
} from './encrypted-columns.ts'
import { keyIdOf, SecretUnreadable, type KeyRing } from './key-ring.ts'

type Row = { id: string; ownerId: string; value: string }

/** The result for one column. */
export type Reencrypted = {
  table: string
  column: string
  changed: number
  /** Unchanged values: no key of the ring decrypts them, or they were moved or damaged. */
  unreadable: number
}

/**
 * Encrypts all values of other keys again with the first key of the ring, in batches while the service runs. An
 * interrupted run can be repeated: values that are done are only decrypted as a check. A value that a member changes
 * meanwhile is kept. An operator's command runs it.
 */
export async function reencryptSecrets(
  { db }: Pick<Context, 'db'>,
  keyRing: KeyRing,
): Promise<Reencrypted[]> {
  const done: Reencrypted[] = []
  for (const of of ENCRYPTED_COLUMNS) done.push(await reencryptColumn({ db }, keyRing, of))
  return done
}

async function reencryptColumn(
  { db }: Pick<Context, 'db'>,
  keyRing: KeyRing,
  of: EncryptedColumn,
): Promise<Reencrypted> {
  const table = sql.table(of.table)
  const value = sql.ref(of.column)
  const owner = sql.ref(of.owner)
  let changed = 0
  let unreadable = 0
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<Row>`
      select id, ${owner} as owner_id, ${value} as value from ${table}
      where id > ${last} and ${value} <> ''
      order by id limit ${REENCRYPT.rowsPerStatement}
    `.execute(db.kysely)
    const renewed = rows.flatMap((row) => {
      const place = encryptionContextOf(of, row)
      try {
        const plain = keyRing.decrypt(row.value, place)
        // The first key has encrypted the value, as its decryption shows; the id alone would not show it.
        if (keyIdOf(row.value) === keyRing.keyIds[0]) return []
        return [{ ...row, renewed: keyRing.encrypt(plain, place) }]
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error
        unreadable += 1
        return []
      }
    })
    const { numAffectedRows } = await sql`
      update ${table} set ${value} = given.renewed
      from unnest(${renewed.map((row) => row.id)}::uuid[], ${renewed.map((row) => row.ownerId)}::uuid[],
        ${renewed.map((row) => row.value)}::text[], ${renewed.map((row) => row.renewed)}::text[])
        as given (id, owner_id, value, renewed)
      where ${table}.id = given.id and ${table}.${owner} = given.owner_id
        and ${table}.${value} = given.value
    `.execute(db.kysely)
    changed += Number(numAffectedRows ?? 0)
    if (rows.length < REENCRYPT.rowsPerStatement)
      return { table: of.table, column: of.column, changed, unreadable }
    last = rows.at(-1)!.id
  }
}
