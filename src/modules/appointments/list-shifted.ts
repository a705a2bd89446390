import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { ShiftedView, StartPageQuery } from '../../contract/dashboard/booking-setup.ts'
import { toOrderedPage } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import { wallTextAt } from '../../rules/time/zone.ts'
import { findComing, type ComingPart } from './find-coming.ts'

/**
 * Returns a page of the upcoming appointments whose local time changed after the booking, because the rules of their
 * time zone changed: none moves automatically. Sorted by start.
 * Spec: Appointments › Times; reading A28.
 */
export async function listShifted(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, limit, cursor }: StartPageQuery & { companyId: string },
): Promise<Page<ShiftedView>> {
  const now = clock.now()
  const read = ({ after, limit: count }: ComingPart) =>
    db.kysely
      .selectFrom('appointment')
      .select(['id', 'reference', 'serviceName', 'customerName', 'startsAt', 'zone', 'localStart'])
      .where('companyId', '=', companyId)
      .where('startsAt', '>', now)
      .where('status', '=', 'confirmed')
      .$if(after !== undefined, (query) =>
        query.where(
          sql<boolean>`(starts_at, id) > (${after!.by}::timestamptz, ${after!.id}::uuid)`,
        ),
      )
      .orderBy('startsAt')
      .orderBy('id')
      .limit(count)
      .execute()
  const find = ({ startsAt, localStart: wanted, ...row }: Awaited<ReturnType<typeof read>>[0]) => {
    const local = wallTextAt(row.zone, startsAt)
    return local === wanted ? null : { ...row, startsAt: startsAt.toISOString(), wanted, local }
  }
  const found = await findComing(read, find, { limit: limit + 1, cursor })
  const placeOf = ({ startsAt, id }: ShiftedView) => ({ by: startsAt, id })
  return toOrderedPage(found, limit, placeOf, (view) => view)
}
