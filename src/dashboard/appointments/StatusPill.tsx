import type { AppointmentStatus } from '../../vocabulary/appointments.ts'
import type { IconName } from '../parts/icons.ts'
import { Pill, type Tone } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { appointmentsWords } from './words.ts'

const LOOKS: Readonly<Record<AppointmentStatus, readonly [Tone, IconName]>> = {
  confirmed: ['ok', 'ok'],
  cancelled: ['off', 'off'],
  completed: ['off', 'check'],
  no_show: ['warn', 'warning'],
}

export function StatusPill({ status }: { status: AppointmentStatus }) {
  const t = useWords(appointmentsWords)
  const [tone, icon] = LOOKS[status]
  return (
    <Pill tone={tone} icon={icon}>
      {t(status)}
    </Pill>
  )
}
