import type { Context } from '../../infra/context.ts'
import type { ShiftedView } from '../../contract/dashboard/booking-setup.ts'
import { wallTextAt } from '../../rules/time/zone.ts'

/** Coming appointments that are looked at. */
const LOOKED_AT = 20_000

/**
 * Coming appointments that begin at another time by the clock than they were booked for, since a zone has
 * changed its rules: none moves by itself, people decide. The first first.
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
    .limit(LOOKED_AT)
    .execute()
  return {
    items: rows.flatMap(({ startsAt, localStart, ...row }) => {
      const local = wallTextAt(row.zone, startsAt)
      if (local === localStart) return []
      return [{ ...row, startsAt: startsAt.toISOString(), wanted: localStart, local }]
    }),
  }
}
