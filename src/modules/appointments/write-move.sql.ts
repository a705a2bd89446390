import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import type { AppointmentRow } from './appointment.ts'
import { planNotices } from './plan-notices.sql.ts'
import { planReminders } from './plan-reminders.sql.ts'
import type { BookableService } from './slot-inputs.sql.ts'
import { localStart, timesOf } from './write-bookings.sql.ts'

/** The new time and resources of an appointment. */
export type MoveTarget = {
  startsAt: Date
  service: BookableService
  zone: string
  resourceIds: readonly string[]
}

/** The actor of a move: a member, or the customer by the link. */
export type MoveActor = { kind: 'member'; personId: string } | { kind: 'customer' }

/**
 * Writes a move of an appointment to another time or other resources: its busy times, its history, its reminders and
 * its notice.
 *
 * Isolation: the appointment and all resources that it has or gets are locked by the caller, who has checked that
 * they are free.
 */
export async function writeMove(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { id, companyId, startsAt: from, version }: AppointmentRow,
  { startsAt, service, zone, resourceIds }: MoveTarget,
  by: MoveActor,
): Promise<void> {
  const { endsAt, busyFrom, busyTo } = timesOf(service, startsAt)
  const personId = by.kind === 'member' ? by.personId : null
  await sql`
    with entries as (
      insert into appointment_entry (id, company_id, appointment_id, kind, actor_kind, actor_id, data, at)
      values (${ids.uuid()}, ${companyId}, ${id}, 'moved', ${by.kind}, ${personId},
        ${JSON.stringify({
          from: from.toISOString(),
          to: startsAt.toISOString(),
          resources: resourceIds,
        })}::jsonb, ${now})
    ), freed as (
      delete from appointment_busy where appointment_id = ${id}
    )
    update appointment set starts_at = ${startsAt}, ends_at = ${endsAt}, zone = ${zone},
      local_start = ${localStart(zone, startsAt)}, version = version + 1, updated_at = ${now}
    where id = ${id} and company_id = ${companyId}`.execute(tx)
  await sql`
    insert into appointment_busy (appointment_id, resource_id, company_id, busy)
    select ${id}, resource_id, ${companyId}, tstzrange(${busyFrom}, ${busyTo})
    from unnest(${resourceIds}::uuid[]) as resource_id`.execute(tx)
  await planReminders(tx, now, { appointmentIds: [id] })
  await planNotices(tx, { ids, now }, [
    { companyId, appointmentId: id, version: version + 1, kind: 'moved', by: by.kind },
  ])
}
