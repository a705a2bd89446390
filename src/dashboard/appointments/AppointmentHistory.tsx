import { useInfiniteQuery } from '@tanstack/react-query'
import type {
  AppointmentDetail,
  AppointmentEntryView,
} from '../../contract/dashboard/appointment.ts'
import { useApi } from '../app/resources.ts'
import type { IconName } from '../parts/icons.ts'
import { ShowMore } from '../parts/ListTable.tsx'
import { ReadState } from '../parts/Page.tsx'
import type { Tone } from '../parts/Pill.tsx'
import { Time } from '../parts/Time.tsx'
import { Timeline } from '../parts/Timeline.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './appointments.module.css'
import { useWallFormat, wallOf } from './wall.ts'
import { appointmentsWords } from './words.ts'

const LOOKS: Readonly<Record<AppointmentEntryView['kind'], readonly [Tone, IconName]>> = {
  booked: ['ok', 'check'],
  moved: ['busy', 'calendar'],
  cancelled: ['off', 'close'],
  completed: ['ok', 'check'],
  no_show: ['warn', 'warning'],
}

/** The history of an appointment, oldest first, with the author of each entry. */
export function AppointmentHistory({ one }: { one: AppointmentDetail }) {
  const t = useWords(appointmentsWords)
  const list = useInfiniteQuery(
    useApi().list('appointments/:appointmentId/history', { appointmentId: one.id }),
  )
  return (
    <>
      <ReadState of={list} rows={2} />
      <Timeline
        label={t('history')}
        moments={(list.data?.items ?? []).map((entry) => {
          const [tone, icon] = LOOKS[entry.kind]
          return {
            key: entry.id,
            tone,
            icon,
            content: <Entry entry={entry} zone={one.zone} source={one.source} />,
          }
        })}
      />
      <ShowMore list={list} size="xs" />
    </>
  )
}

function Entry({
  entry: { kind, by, data, at },
  zone,
  source,
}: {
  entry: AppointmentEntryView
  zone: string
  source: AppointmentDetail['source']
}) {
  const t = useWords(appointmentsWords)
  const wall = useWallFormat()
  const { from, to } = data
  const isPage = kind === 'booked' && by.kind === 'customer' && source === 'booking_page'
  return (
    <>
      <div>{t(`entry_${kind}`)}</div>
      {typeof from === 'string' && typeof to === 'string' && (
        <div>
          {t('from_to', {
            from: wall.dayAndTime(wallOf(zone, from)),
            to: wall.dayAndTime(wallOf(zone, to)),
          })}
        </div>
      )}
      <div className={styles.faint}>
        <bdi>{by.person?.name ?? t(isPage ? 'source_booking_page' : `by_${by.kind}`)}</bdi>
        {' · '}
        <Time at={at} />
      </div>
    </>
  )
}
