/** Appointments, as members see and make them. Spec: Appointments › Members. */
import { emailInput } from '../../schemas/email-input.ts'
import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import {
  APPOINTMENT_STATUSES,
  type AppointmentCanceller,
  type AppointmentEntryKind,
  type AppointmentNoticeKind,
  type AppointmentNoticeState,
  type AppointmentSource,
  type AppointmentStatus,
  type ResourceKind,
} from '../../core/vocabulary/appointments.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { failsWith } from '../../schemas/broken-rule.ts'
import { OrderedPageQuery, orderedPageQuery, storableTime } from './ordered-page.ts'
import type { Page } from './page.ts'
import { countryOfPhone, writtenPhone } from './phone.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { timeInput } from '../../schemas/time-input.ts'
import type { Route } from './route.ts'

/** An appointment that a member books. */
export const AddAppointment = z
  .strictObject({
    /** An idempotency key of the client: one key books once. */
    key: formText(APPOINTMENT_LIMITS.minRequestKeyChars, APPOINTMENT_LIMITS.requestKeyChars),
    serviceId: uuidInput,
    /** Null lets any resource take the appointment. */
    resourceId: uuidInput.nullable().default(null),
    startsAt: timeInput,
    contactId: uuidInput.optional(),
    name: formText(1, APPOINTMENT_LIMITS.nameChars).optional(),
    phone: writtenPhone.optional(),
    country: countryOfPhone,
    email: emailInput.optional(),
    language: z.enum(LANGUAGES).nullable().default(null),
  })
  .refine(({ contactId, name, phone, email }) => Boolean(contactId ?? name ?? phone ?? email), {
    path: ['name'],
    ...failsWith(fact('booking_nameless')),
  })
export type AddAppointment = z.output<typeof AddAppointment>

/** The new start of an appointment, and another resource. */
export const MoveAppointment = z.strictObject({
  startsAt: timeInput,
  /** The resource that replaces the present one in the same role. The resources stay if none is named. */
  resourceId: uuidInput.optional(),
})
export type MoveAppointment = z.output<typeof MoveAppointment>

/** A cancellation by a member. */
export const CancelAppointment = z.strictObject({
  /** The event contains the reason. */
  reason: formText(1, APPOINTMENT_LIMITS.reasonChars).nullable().default(null),
})

/** A page of the appointments that start at or after `from` and before `to`, the earliest first. */
export const AppointmentQuery = OrderedPageQuery.extend({
  from: timeInput.optional(),
  to: timeInput.optional(),
  resourceId: uuidInput.optional(),
  serviceId: uuidInput.optional(),
  status: z.enum(APPOINTMENT_STATUSES).optional(),
  contactId: uuidInput.optional(),
})
export type AppointmentQuery = z.output<typeof AppointmentQuery>

export type AppointmentView = {
  id: string
  reference: string
  serviceId: string
  serviceName: string
  serviceNameAr: string | null
  resources: { id: string; name: string; nameAr: string | null; kind: ResourceKind }[]
  startsAt: string
  endsAt: string
  /** The IANA name of the zone, and the wall time of the start there. */
  zone: string
  localStart: string
  status: AppointmentStatus
  customerName: string | null
  /** E.164. */
  phone: string | null
  /** The number as the customer wrote it, if its country is unknown. */
  rawPhone: string | null
  email: string | null
  language: string | null
  contact: { id: string; name: string | null } | null
  conversationId: string | null
  source: AppointmentSource
  cancelledAt: string | null
  cancelledBy: AppointmentCanceller | null
  cancellationReason: string | null
  version: number
  createdAt: string
  updatedAt: string
}

/** A query for the changes of an appointment, oldest first. */
export const AppointmentEntryQuery = orderedPageQuery(storableTime, uuidInput)
export type AppointmentEntryQuery = z.output<typeof AppointmentEntryQuery>

/** A change of the appointment. Changes are listed oldest first. */
export type AppointmentEntryView = {
  id: string
  kind: AppointmentEntryKind
  by: {
    kind: 'member' | 'customer' | 'flow' | 'assistant'
    person: { id: string; name: string | null } | null
    runId: string | null
  }
  data: Record<string, unknown>
  at: string
}

export type AppointmentDetail = AppointmentView & {
  reminders: { flowId: string; dueAt: string; state: string; runId: string | null }[]
  notices: AppointmentNoticeView[]
}

/** A notice of the appointment to the customer. */
export type AppointmentNoticeView = {
  kind: AppointmentNoticeKind
  state: AppointmentNoticeState
  /** The way of sending; null before it is decided, and if nothing was sent. */
  by: 'message' | 'email' | null
  /** The time at which the notice was sent or failed; null while it is pending. */
  at: string | null
  /** The reason why the notice was not sent, or why the outcome is unknown. */
  why: LocalizedFact | null
}

/** An appointment that was booked or moved. `warnings` are unusual circumstances that did not prevent it. */
export type ArrangedAppointment = AppointmentView & { warnings: LocalizedFact[] }

/**
 * A secret link: its holder sees the appointment and can cancel it. Only this answer has it; the service does not
 * store it.
 */
export type AppointmentLink = { url: string }

export interface AppointmentRoutes {
  '/companies/:companyId/appointments': {
    get: Route<Page<AppointmentView>, { query: typeof AppointmentQuery }>
    post: Route<ArrangedAppointment, { json: typeof AddAppointment }>
  }
  '/companies/:companyId/appointments/:appointmentId': { get: Route<AppointmentDetail> }
  '/companies/:companyId/appointments/:appointmentId/history': {
    get: Route<Page<AppointmentEntryView>, { query: typeof AppointmentEntryQuery }>
  }
  '/companies/:companyId/appointments/:appointmentId/move': {
    post: Route<ArrangedAppointment, { json: typeof MoveAppointment }>
  }
  '/companies/:companyId/appointments/:appointmentId/cancel': {
    post: Route<AppointmentView, { json: typeof CancelAppointment }>
  }
  '/companies/:companyId/appointments/:appointmentId/complete': { post: Route<AppointmentView> }
  '/companies/:companyId/appointments/:appointmentId/no-show': { post: Route<AppointmentView> }
  '/companies/:companyId/appointments/:appointmentId/link': { post: Route<AppointmentLink> }
}
