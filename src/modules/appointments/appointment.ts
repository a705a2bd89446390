/** Appointments as rows, and as their events. */
import { sql, type Kysely, type RawBuilder, type Selectable, type Transaction } from 'kysely'
import type { EventDataByType } from '../../contract/webhook-data.ts'
import type { Appointment as AppointmentTable, DB } from '../../infra/database/tables.ts'
import { raiseEvents, type EventToRaise } from '../events/raise-event.ts'
import type { Ids } from '../../core/ids.ts'
import type { AppointmentStatus, ResourceKind } from '../../core/vocabulary/appointments.ts'

/** A resource of an appointment. */
export type AppointmentResource = {
  id: string
  name: string
  nameAr: string | null
  kind: ResourceKind
}

/** An appointment's row, with its company, its conversation's channel, its contact's name and its resources. */
export type AppointmentRow = Selectable<AppointmentTable> & {
  companyName: string | null
  /** The conversation's channel. */
  channelId: string | null
  channelType: string | null
  contactName: string | null
  /** People first, then other resources; for a cancelled appointment, those that it had. */
  resources: AppointmentResource[]
}

/** Loads appointments that match a condition on `appointment`, in one statement. */
export async function readAppointments(
  db: Kysely<DB>,
  condition: RawBuilder<unknown>,
  orderAndLimit: RawBuilder<unknown> = sql``,
): Promise<AppointmentRow[]> {
  const { rows } = await sql<AppointmentRow>`
    select appointment.*, company.name as company_name, conversation.channel_id,
      conversation.channel_type, contact.name as contact_name,
      coalesce((select json_agg(json_build_object('id', resource.id, 'name', resource.name,
          'nameAr', resource.name_ar, 'kind', resource.kind)
          order by resource.kind, resource.name, resource.id)
        from appointment_busy join resource on resource.id = resource_id
        where appointment_id = appointment.id), '[]') as resources
    from appointment
      join company on company.id = appointment.company_id
      left join conversation on conversation.id = appointment.conversation_id
      left join contact on contact.id = appointment.contact_id
    where ${condition} ${orderAndLimit}`.execute(db)
  return rows
}

/**
 * Creates the event `appointment.booked` or `appointment.cancelled` of an appointment. The customer appears with the
 * details given for the booking: the number only if its country is known, and never a WhatsApp id. Spec: Events ›
 * Payloads; Concepts › Phone and WhatsApp ids.
 */
export function appointmentEvent(
  type: 'appointment.booked' | 'appointment.cancelled',
  row: AppointmentRow,
  now: Date,
): EventToRaise {
  return {
    type,
    company: { id: row.companyId, name: row.companyName },
    data: appointmentData(row),
    occurredAt: now,
    conversationId: row.conversationId,
    contactId: row.contactId,
  }
}

/**
 * The dependencies of a change in the caller's transaction. With `held`, events are collected there for the caller,
 * who raises them in the order of the whole transaction.
 */
export type AppointmentDeps = { ids: Ids; now: Date; held?: EventToRaise[] }

/** Raises events of appointments, or adds them to the caller's list `held`, which raises them later. */
export async function raiseOrDefer(
  tx: Transaction<DB>,
  { ids, now, held }: AppointmentDeps,
  events: readonly EventToRaise[],
): Promise<void> {
  if (held) held.push(...events)
  else await raiseEvents(tx, { ids, now }, events)
}

function appointmentData(row: AppointmentRow): EventDataByType['appointment.booked'] {
  const { conversationId: id, channelId, channelType } = row
  return {
    appointment: {
      id: row.id,
      reference: row.reference,
      service: row.serviceName,
      startsAt: row.startsAt.toISOString(),
      endsAt: row.endsAt.toISOString(),
      status: row.status as AppointmentStatus,
      customerName: row.customerName,
      cancellationReason: row.cancellationReason,
    },
    conversation: id === null ? null : { id, channelId, channelType },
    contact:
      row.contactId === null && row.customerName === null && row.phone === null
        ? null
        : { id: row.contactId, name: row.customerName, phone: row.phone, whatsAppId: null },
  }
}
