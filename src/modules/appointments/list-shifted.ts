import type { Context } from '../../infra/context.ts'
import type { ShiftedView } from '../../contract/dashboard/booking-setup.ts'
import { wallTextAt } from '../../rules/time/zone.ts'

/** The maximum of upcoming appointments that are checked. */
const MAX_CHECKED = 20_000

/**
 * Returns upcoming appointments whose local time changed after the booking, because the rules of their time zone
 * changed: none moves automatically. Sorted by start.
 * Spec: Appointments › Times; reading A28.
 */
export async function listShifted(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId }: { companyId: string },
): Promise<{ items: ShiftedView[] }> {
  const rows = await db.kysely
    .selectFrom('appointment')
    .select(['id', 'reference', 'serviceName', 'customerName', 'startsAt', 'zone', 'localStart'])
    .where('companyId', '=', companyId)
    .where('startsAt', '>', clock.now())
    .where('status', '=', 'confirmed')
    .orderBy('startsAt')
    .orderBy('id')
    .limit(MAX_CHECKED)
    .execute()
  return {
    items: rows.flatMap(({ startsAt, localStart, ...row }) => {
      const local = wallTextAt(row.zone, startsAt)
      if (local === localStart) return []
      return [{ ...row, startsAt: startsAt.toISOString(), wanted: localStart, local }]
    }),
  }
}
