import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import type {
  AppointmentCanceller,
  AppointmentSource,
  AppointmentStatus,
} from '../../core/vocabulary/appointments.ts'
import type { AppointmentRow } from './appointment.ts'
import { localStart } from './write-bookings.sql.ts'

/** Converts an appointment's row to the view for members. */
export function viewAppointment(row: AppointmentRow): AppointmentView {
  return {
    id: row.id,
    reference: row.reference,
    serviceId: row.serviceId,
    serviceName: row.serviceName,
    serviceNameAr: row.serviceNameAr,
    resources: row.resources,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    zone: row.zone,
    localStart: localStart(row.zone, row.startsAt),
    status: row.status as AppointmentStatus,
    customerName: row.customerName,
    phone: row.phone,
    rawPhone: row.rawPhone,
    email: row.email,
    language: row.language,
    contact: row.contactId === null ? null : { id: row.contactId, name: row.contactName },
    conversationId: row.conversationId,
    source: row.source as AppointmentSource,
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    cancelledBy: row.cancelledBy as AppointmentCanceller | null,
    cancellationReason: row.cancellationReason,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
