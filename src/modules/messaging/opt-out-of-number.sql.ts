import { sql, type RawBuilder } from 'kysely'

/**
 * Returns the expression for the remembered opt-out time of a row with `phone` (E.164) and `company_id`; null without
 * one. Any form of the number counts.
 *
 * Spec: Contacts › Erasing.
 */
export function optOutOfNumber(row: string): RawBuilder<Date | null> {
  const companyId = sql.ref(`${row}.company_id`)
  const key = sql`number_key(substr(${sql.ref(`${row}.phone`)}, 2))`
  return sql`(select max(word_at) from opt_out_memory
    where ${sql.ref(`${row}.phone`)} is not null and opt_out_memory.company_id = ${companyId}
      and id_hash = opt_out_hash(${companyId}, 'number', ${key}))`
}
