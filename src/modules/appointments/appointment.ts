/** An appointment as the rooms pass it about, and as events show it. */
import { sql, type Kysely, type RawBuilder, type Selectable, type Transaction } from 'kysely'
import type { EventDataByType } from '../../contract/webhook-data.ts'
import type { Appointment as AppointmentTable, DB } from '../../infra/database/tables.ts'
import { raiseEvents, type EventToRaise } from '../events/raise-event.ts'
import type { Ids } from '../../core/ids.ts'
import type { AppointmentStatus, ResourceKind } from '../../core/vocabulary/appointments.ts'

export type TakenResource = {
  id: string
  name: string
  nameAr: string | null
  kind: ResourceKind
}

export type AppointmentRow = Selectable<AppointmentTable> & {
  companyName: string | null
  /** Of the conversation. */
  channelId: string | null
  channelType: string | null
  contactName: string | null
  /** People first, then rooms; of a cancelled one those that it would have taken. */
  resources: TakenResource[]
}

/** Appointments that fit a condition on `appointment`, in one statement. */
export async function readAppointments(
  db: Kysely<DB>,
  fits: RawBuilder<unknown>,
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
    where ${fits} ${orderAndLimit}`.execute(db)
  return rows
}

/**
 * `appointment.booked` and `appointment.cancelled`. The customer is shown as they gave themselves with the
 * booking: the number only where it came with its country, and never an id of WhatsApp.
 * Spec: Events › Payloads; Concepts › Phone and WhatsApp ids.
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
 * What a verb in somebody else's transaction needs. `held`: what it raises is put there, for whoever has more
 * to tell of that transaction and knows the order.
 */
export type AppointmentDeps = { ids: Ids; now: Date; held?: EventToRaise[] }

/** Tells of appointments, or leaves it to the caller. */
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
