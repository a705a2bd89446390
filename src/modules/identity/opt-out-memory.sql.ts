import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import type { CustomerLock } from '../messaging/lock-customer.ts'

const SALT_BYTES = 32

/** The names under which `opt_out_hash` hashes kinds of identifiers. */
const HASHED_AS: Readonly<Record<CustomerLock['kind'], string>> = {
  number: 'number',
  user: 'business_scoped',
  parent: 'business_scoped',
  lid: 'lid',
  telegram: 'provider',
  page: 'provider',
  form: 'provider',
  call: 'provider',
}

/**
 * Stores, by hashes only, that the customer with these identifiers was opted out, with the time of the keyword. This
 * replaces what was stored of them; with `wordAt` null, it is only deleted. A new contact with one of these identifiers
 * is opted out from the start.
 *
 * Spec: Contacts › Erasing.
 */
export async function rememberOptOut(
  tx: Transaction<DB>,
  { ids }: { ids: Ids },
  companyId: string,
  identifiers: readonly CustomerLock[],
  wordAt: Date | null,
): Promise<void> {
  if (wordAt !== null) {
    await sql`update company set opt_out_salt = ${ids.token(SALT_BYTES)}
      where id = ${companyId} and opt_out_salt is null`.execute(tx)
  }
  const hashes = sql`select distinct opt_out_hash(${companyId}, kind, key)
    from unnest(${identifiers.map(({ kind }) => HASHED_AS[kind])}::text[],
      ${identifiers.map(({ key }) => key)}::text[]) as id (kind, key)`
  await sql`delete from opt_out_memory where company_id = ${companyId}
    and id_hash in (${hashes})`.execute(tx)
  if (wordAt === null) return
  await sql`insert into opt_out_memory (company_id, id_hash, word_at)
    select ${companyId}, hash, ${wordAt} from (${hashes}) as input (hash)`.execute(tx)
}
