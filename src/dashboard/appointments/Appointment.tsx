import { useParams } from '@tanstack/react-router'
import { PageLink } from '../parts/PageLink.tsx'
import { IdChip } from '../parts/Code.tsx'
import { PageHeader, ReadState } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { AppointmentBody, useAppointment } from './AppointmentPanel.tsx'
import styles from './appointments.module.css'
import { StatusPill } from './StatusPill.tsx'
import { useNamed } from '../words/use-named.ts'
import { dayText } from './typed-values.ts'
import { dayOfWall, wallOf } from './wall.ts'
import { appointmentsWords } from './words.ts'

/** The page of one appointment. */
export function Appointment() {
  const t = useWords(appointmentsWords)
  const named = useNamed()
  const { appointment: appointmentId } = useParams({
    from: '/p/$company/appointments/$appointment',
  })
  const query = useAppointment(appointmentId)
  const one = query.data
  if (!one) return <ReadState of={query} />
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi>{named({ name: one.serviceName, nameAr: one.serviceNameAr })}</bdi>}
        pill={<StatusPill status={one.status} />}
        acts={
          <>
            <IdChip id={one.reference} />
            <PageLink
              to="appointments"
              search={{ date: dayText(dayOfWall(wallOf(one.zone, one.startsAt))), open: one.id }}
            >
              {t('in_calendar')}
            </PageLink>
          </>
        }
      />
      <div className={styles.one}>
        <AppointmentBody one={one} heading={null} />
      </div>
    </>
  )
}
