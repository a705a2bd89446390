import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/**
 * Holds services as they are, and everything that they can take: whoever else books, moves or changes
 * hours of any of it waits. What is read after this stays so until the commit.
 *
 * Isolation: read committed. Services before resources, each in the order of their ids, so that two who
 * want some of the same only wait; a change of a service's needs changes its row, so the needs read by the
 * second statement are those of the commit. Spec: Appointments › Booking.
 */
export async function lockServices(
  tx: Transaction<DB>,
  serviceIds: readonly string[],
  resourceIds: readonly string[] = [],
): Promise<void> {
  await sql`select from service where id = any(${serviceIds}::uuid[]) order by id for share`.execute(
    tx,
  )
  await sql`
    select from resource
    where id in (select resource_id from service_need where service_id = any(${serviceIds}::uuid[]))
      or id = any(${resourceIds}::uuid[])
    order by id for update`.execute(tx)
}
