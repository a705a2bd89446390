import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { numberKey } from '../../rules/identity/number-key.ts'

/** Returns whose numbers in E.164 are, by the number, whatever form of its line it is. Isolation: they are locked by the caller. */
export async function findContactsOfNumbers(
  tx: Transaction<DB>,
  companyId: string,
  phones: readonly string[],
): Promise<Map<string, string>> {
  // Key by key: a join is planned by what the tables held long ago, and reads all of them.
  const { rows } = await sql<{ phone: string; contactId: string }>`
    select asked.phone, found.contact_id
    from unnest(${phones}::text[], ${phones.map((phone) => numberKey(phone.slice(1)))}::text[])
        as asked (phone, key)
      cross join lateral (
        select (select contact_id from identity where identity.id = identifier.identity_id)
        from identifier
        where identifier.company_id = ${companyId} and identifier.kind = 'number'
          and identifier.key = asked.key and identifier.state <> 'left'
        limit 1
      ) found`.execute(tx)
  return new Map(rows.map(({ phone, contactId }) => [phone, contactId]))
}
