import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { numberKey } from '../../rules/identity/number-key.ts'

/**
 * Returns the ids of existing contacts by their E.164 numbers, whatever form of the number is stored. Isolation: the caller
 * has locked the numbers.
 */
export async function findContactsOfNumbers(
  tx: Transaction<DB>,
  companyId: string,
  phones: readonly string[],
): Promise<Map<string, string>> {
  // A lateral look-up per key: with stale statistics the planner turns a join into a scan of all rows.
  const { rows } = await sql<{ phone: string; contactId: string }>`
    select requested.phone, found.contact_id
    from unnest(${phones}::text[], ${phones.map((phone) => numberKey(phone.slice(1)))}::text[])
        as requested (phone, key)
      cross join lateral (
        select (select contact_id from identity where identity.id = identifier.identity_id)
        from identifier
        where identifier.company_id = ${companyId} and identifier.kind = 'number'
          and identifier.key = requested.key and identifier.state <> 'left'
        limit 1
      ) found`.execute(tx)
  return new Map(rows.map(({ phone, contactId }) => [phone, contactId]))
}
