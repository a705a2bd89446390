import type { AppointmentNoticeView } from '../../contract/dashboard/appointment.ts'
import type { IconName } from '../parts/icons.ts'
import type { Tone } from '../parts/Pill.tsx'
import { Time } from '../parts/Time.tsx'
import { Timeline } from '../parts/Timeline.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './appointments.module.css'
import { appointmentsWords } from './words.ts'

const LOOKS: Readonly<Record<AppointmentNoticeView['state'], readonly [Tone, IconName]>> = {
  pending: ['busy', 'clock'],
  queued: ['ok', 'check'],
  mailing: ['busy', 'clock'],
  mailed: ['ok', 'check'],
  skipped: ['warn', 'warning'],
  unknown: ['warn', 'warning'],
}

/** The messages to the customer about an appointment, and the reasons of those that were not sent. */
export function CustomerNotices({ notices }: { notices: readonly AppointmentNoticeView[] }) {
  const t = useWords(appointmentsWords)
  return (
    <Timeline
      label={t('told')}
      moments={notices.map(({ kind, state, at, why }, place) => {
        const [tone, icon] = LOOKS[state]
        return {
          key: String(place),
          tone,
          icon,
          content: (
            <>
              <div>{t(`told_${kind}`)}</div>
              {why && <div>{why.text}</div>}
              <div className={styles.faint}>
                {t(`told_${state}`)} {at !== null && <Time at={at} />}
              </div>
            </>
          ),
        }
      })}
    />
  )
}
