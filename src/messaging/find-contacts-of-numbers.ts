import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'

/** Whose a number is, of numbers in E.164: by the number. Isolation: they are locked by the caller. */
export async function findContactsOfNumbers(
  tx: Transaction<DB>,
  companyId: string,
  phones: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ phone: string; id: string }>`
    select asked.phone, found.id from unnest(${phones}::text[]) as asked (phone)
      cross join lateral (
        select contact_id as id from contact_alias
        where company_id = ${companyId} and kind = 'number' and value = substr(asked.phone, 2)
        union all
        select id from contact where company_id = ${companyId} and contact.phone = asked.phone
        limit 1
      ) found`.execute(tx)
  return new Map(rows.map(({ phone, id }) => [phone, id]))
}
