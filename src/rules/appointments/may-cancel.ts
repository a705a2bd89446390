import { MINUTE_MS } from '../../core/limits/units.ts'
import type { AppointmentCanceller, AppointmentStatus } from '../../core/vocabulary/appointments.ts'

export type MayCancel = 'may' | 'already' | 'too_late' | 'over'

/**
 * Whether an appointment can be cancelled. Members may at any time; in a conversation it can be until it
 * begins; by the customer's link until so many minutes before. Spec: Appointments › Cancelling.
 */
export function mayCancel(
  appointment: { status: AppointmentStatus; startsAt: Date; cancelUntilMin: number },
  by: AppointmentCanceller,
  now: Date,
): MayCancel {
  const { status, startsAt } = appointment
  if (status === 'cancelled') return 'already'
  if (status !== 'confirmed') return 'over'
  if (by === 'member') return 'may'
  if (by === 'link') return now <= cancelUntil(appointment) ? 'may' : 'too_late'
  return now < startsAt ? 'may' : 'too_late'
}

/** The last moment at which the customer's link cancels; never later than the start. */
export function cancelUntil({
  startsAt,
  cancelUntilMin,
}: {
  startsAt: Date
  cancelUntilMin: number
}): Date {
  return new Date(startsAt.getTime() - cancelUntilMin * MINUTE_MS)
}
