import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { DuplicateView } from '../contract/dashboard/contact.ts'
import { fact } from '../facts/fact.ts'
import { DUPLICATE_LIMITS } from '../limits/contacts.ts'
import { ServiceError } from '../service-error.ts'
import { readInTime } from './read-in-time.ts'

type Row = DuplicateView

/**
 * Contacts that may be one customer, for a member to judge: nothing is merged by itself. The first of those
 * with one e-mail address, then of those with one name.
 *
 * @throws service_unavailable when there are too many contacts to look through in time; rate_limited.
 * Spec: Contacts › Merging.
 */
export async function listDuplicates(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<{ items: DuplicateView[] }> {
  const { groups, contactsOfGroup, statementMs } = DUPLICATE_LIMITS
  const of = (by: string, value: ReturnType<typeof sql>) => sql`(
    select ${by} as by, ${value} as value, min(id::text) as first,
      (array_agg(json_build_object('id', id, 'name', name, 'phone', phone, 'email', email)
        order by id))[1:${sql.lit(contactsOfGroup)}] as contacts
    from contact where company_id = ${companyId} and ${value} is not null and ${value} <> ''
    group by ${value} having count(*) > 1 order by first limit ${groups})`
  const within = { companyId, withinMs: statementMs }
  const found = await readInTime(db, within, (tx) =>
    sql<Row>`
      select by, value, contacts from (
        ${of('email', sql`lower(email)`)} union all ${of('name', sql`search_name`)}
      ) found order by by, first limit ${groups}`.execute(tx),
  )
  if (!found) throw new ServiceError('service_unavailable', fact('too_many_to_compare'))
  return { items: found.rows.map(({ by, value, contacts }) => ({ by, value, contacts })) }
}
