import type { AppointmentStatus } from '../vocabulary/appointments.ts'
import { defineWordsOf } from './define-words.ts'

/** The names of the statuses of an appointment. */
export const appointmentStatusWords = defineWordsOf<AppointmentStatus>()({
  en: {
    confirmed: 'Confirmed',
    cancelled: 'Cancelled',
    completed: 'Completed',
    no_show: 'No-show',
  },
  ar: {
    confirmed: 'مؤكَّد',
    cancelled: 'ملغى',
    completed: 'مكتمل',
    no_show: 'لم يحضر',
  },
})
