import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** Counts confirmed appointments of a service or a resource that are not over. */
export async function countUpcoming(
  db: Kysely<DB>,
  of: { companyId: string } & ({ serviceId: string } | { resourceId: string }),
  now: Date,
): Promise<number> {
  const owner =
    'serviceId' in of
      ? sql`service_id = ${of.serviceId}`
      : sql`id in (select appointment_id from appointment_busy
          where resource_id = ${of.resourceId} and not is_free and busy && tstzrange(${now}, null))`
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from appointment
    where company_id = ${of.companyId} and status = 'confirmed' and ends_at > ${now} and ${owner}
  `.execute(db)
  return rows[0]!.count
}
