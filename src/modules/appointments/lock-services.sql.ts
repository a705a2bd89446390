import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/**
 * Locks services and all resources that they may occupy, against other bookings, moves and changes of hours. Reads
 * after it stay valid until the commit.
 *
 * Isolation: read committed. Services before resources, each in the order of their ids, so that competitors wait
 * without deadlocks; a change of a service's needs changes its row, so the second statement reads the committed
 * needs. Spec: Appointments › Booking.
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
