import type { AppointmentStatus } from '../../core/vocabulary/appointments.ts'
import { appointmentStatusWords } from '../../core/words/appointment-status-words.ts'
import { Pill, type Looks } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'

const LOOKS: Looks<AppointmentStatus> = {
  confirmed: { tone: 'ok', icon: 'ok' },
  cancelled: { tone: 'off', icon: 'off' },
  completed: { tone: 'off', icon: 'check' },
  no_show: { tone: 'warn', icon: 'warning' },
}

/** The status of an appointment, as an icon with a word. */
export function StatusPill({ status }: { status: AppointmentStatus }) {
  const t = useWords(appointmentStatusWords)
  return <Pill {...LOOKS[status]}>{t(status)}</Pill>
}
