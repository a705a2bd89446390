import { sql } from 'kysely'
import type { LiveEntity } from '../live-updates/change-stream.ts'
import { readAppointments } from './appointment.ts'
import { viewAppointment } from './view-appointment.ts'

/** The live updates of appointments for members. Spec: Appointments › Members. */
export const LIVE_APPOINTMENT: LiveEntity = {
  roles: ['owner', 'admin', 'agent'],
  async load(db, { companyId, ids }) {
    const rows = await readAppointments(
      db,
      sql`appointment.company_id = ${companyId} and appointment.id = any(${ids}::uuid[])`,
    )
    return rows.map(viewAppointment)
  },
}
