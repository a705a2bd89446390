import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type {
  AppointmentEntryQuery,
  AppointmentEntryView,
} from '../../contract/dashboard/appointment.ts'
import { toOrderedPage } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import type { AppointmentEntryKind } from '../../core/vocabulary/appointments.ts'
import { requireAppointment, type OwnedAppointment } from './require-appointment.ts'

/** Returns a page of the changes of an appointment, oldest first. @throws not_found */
export async function listHistory(
  { db }: Pick<Context, 'db'>,
  { limit, cursor, ...owned }: OwnedAppointment & AppointmentEntryQuery,
): Promise<Page<AppointmentEntryView>> {
  await requireAppointment(db.kysely, owned)
  const rows = await db.kysely
    .selectFrom('appointmentEntry as entry')
    .leftJoin('person', (join) =>
      join.onRef('person.id', '=', 'entry.actorId').on('entry.actorKind', '=', 'member'),
    )
    .select(['entry.id', 'kind', 'actorKind', 'actorId', 'data', 'at', 'person.name'])
    .where('appointmentId', '=', owned.appointmentId)
    .where('companyId', '=', owned.companyId)
    .$if(cursor !== undefined, (query) =>
      query.where(sql<boolean>`(at, entry.id) > (${cursor!.by}::timestamptz, ${cursor!.id}::uuid)`),
    )
    .orderBy('at')
    .orderBy('entry.id')
    .limit(limit + 1)
    .execute()
  const placeOf = ({ at, id }: (typeof rows)[number]) => ({ by: at.toISOString(), id })
  return toOrderedPage(
    rows,
    limit,
    placeOf,
    ({ id, kind, actorKind, actorId, data, at, name }) => ({
      id,
      kind: kind as AppointmentEntryKind,
      by: {
        kind: actorKind as AppointmentEntryView['by']['kind'],
        person: actorKind === 'member' && actorId !== null ? { id: actorId, name } : null,
        runId: actorKind === 'flow' ? actorId : null,
      },
      data: data as Record<string, unknown>,
      at: at.toISOString(),
    }),
  )
}
