import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { OutsideView, StartPageQuery } from '../../contract/dashboard/booking-setup.ts'
import type { OutsideNoticeDetails } from '../../contract/dashboard/notice.ts'
import { toOrderedPage } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import {
  findNewlyOutside,
  readHours,
  readOutsideHours,
  type HoursScope,
} from './outside-hours.sql.ts'

/** The maximum of appointments named in the notice; the list has all. */
const MAX_NAMED = 5

/**
 * Returns a page of the upcoming appointments outside the hours of their resources, by start. Spec: Appointments ›
 * Hours; reading A43.
 */
export async function listOutsideHours(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, limit, cursor }: StartPageQuery & { companyId: string },
): Promise<Page<OutsideView>> {
  const scope = { companyId, now: clock.now() }
  const found = await readOutsideHours(db.kysely, scope, { limit: limit + 1, cursor })
  const placeOf = ({ startsAt, id }: OutsideView) => ({ by: startsAt, id })
  return toOrderedPage(found, limit, placeOf, (view) => view)
}

/**
 * Changes hours, and notifies the account's Owners and Admins of the appointments that are outside the hours because
 * of it: they stay booked. Appointments that were outside before are not named.
 *
 * Isolation: resources are locked as for bookings: a concurrent booking is either waited for and checked, or waits
 * and uses the new hours. Appointments are read page by page meanwhile, each of them once.
 */
export async function changeHours<Value>(
  tx: Transaction<DB>,
  { ids, accountId, ...scope }: { ids: Ids } & Pick<Actor, 'accountId'> & HoursScope,
  change: () => Promise<Value>,
): Promise<Value> {
  const { companyId, resourceId = null } = scope
  await sql`
    select from resource
    where company_id = ${companyId} and (${resourceId}::uuid is null or id = ${resourceId}::uuid)
    order by id for update`.execute(tx)
  const before = await readHours(tx, scope)
  const value = await change()
  const { count, first } = await findNewlyOutside(tx, scope, { before, limit: MAX_NAMED })
  if (count === 0) return value
  const details: OutsideNoticeDetails = {
    count,
    appointments: first.map(({ reference, local }) => ({ reference, local })),
  }
  await tx
    .insertInto('notice')
    .values({
      id: ids.uuid(),
      accountId,
      companyId,
      kind: 'appointments_outside_hours',
      details: JSON.stringify(details),
      createdAt: scope.now,
    })
    .execute()
  return value
}
