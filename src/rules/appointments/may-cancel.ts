import { MINUTE_MS } from '../../core/limits/units.ts'
import type { AppointmentCanceller, AppointmentStatus } from '../../core/vocabulary/appointments.ts'

/** The answer to whether an appointment can be cancelled; `over` is an appointment that has ended. */
export type MayCancel = 'may' | 'already' | 'too_late' | 'over'

/**
 * Returns whether an appointment can be cancelled, or why not. Members may cancel at any time, a conversation until the start, and the
 * customer's link until `cancelUntilMin` minutes before it. Spec: Appointments › Cancelling.
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

/** Returns the last moment at which the customer's link cancels, at the latest the start. */
export function cancelUntil({
  startsAt,
  cancelUntilMin,
}: {
  startsAt: Date
  cancelUntilMin: number
}): Date {
  return new Date(startsAt.getTime() - cancelUntilMin * MINUTE_MS)
}
