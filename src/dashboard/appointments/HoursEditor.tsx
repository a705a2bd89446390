import { Button, TextInput } from '@mantine/core'
import type { HoursView } from '../../contract/dashboard/booking-setup.ts'
import { BOOKING_SETUP_LIMITS } from '../../core/limits/appointments.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { WEEKDAYS, type Weekday } from '../../rules/flows/opening-hours.ts'
import { IconButton } from '../parts/IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './setup.module.css'
import { useWallFormat } from './wall.ts'
import { setupWords } from './words-setup.ts'

type Hours = { [Day in Weekday]?: HoursView[] | undefined }

const USUAL: HoursView = { from: '09:00', to: '17:00' }
/** Any Sunday, from which the names of the days are formatted. */
const SOME_SUNDAY = 3 * DAY_MS

/** A form for the weekly hours of a resource, by day. Hours past midnight continue to count: 18:00 to 26:00. */
export function HoursEditor({
  hours,
  errorOf,
  onChange,
}: {
  hours: Hours
  /** Returns the error at a path such as `hours.sunday.0.from`. */
  errorOf(path: string): string | undefined
  onChange(hours: Hours): void
}) {
  const t = useWords(setupWords)
  const wall = useWallFormat()
  return (
    <fieldset className={styles.plain}>
      <legend className={styles.legend}>{t('hours')}</legend>
      <p className={styles.faint}>{t('hours_why')}</p>
      {WEEKDAYS.map((weekday, at) => {
        const name = wall.weekdayName(SOME_SUNDAY + at * DAY_MS)
        const ranges = hours[weekday] ?? []
        const set = (next: HoursView[]) => onChange({ ...hours, [weekday]: next })
        const last = hours[WEEKDAYS[at - 1] ?? 'saturday']
        return (
          <div key={weekday} className={styles.weekday} role="group" aria-label={name}>
            <span className={styles.weekdayName}>{name}</span>
            <div className={styles.ranges}>
              {ranges.length === 0 && <span className={styles.faint}>{t('closed')}</span>}
              {ranges.map((range, n) => (
                <div key={n} className={styles.range}>
                  {(['from', 'to'] as const).map((edge) => (
                    <TextInput
                      key={edge}
                      w={84}
                      aria-label={t(edge)}
                      classNames={{ input: styles.ltr! }}
                      placeholder={USUAL[edge]}
                      value={range[edge]}
                      error={
                        errorOf(`hours.${weekday}.${n}.${edge}`) ??
                        (edge === 'to' ? errorOf(`hours.${weekday}.${n}`) : undefined)
                      }
                      onChange={(event) =>
                        set(ranges.with(n, { ...range, [edge]: event.currentTarget.value }))
                      }
                    />
                  ))}
                  <IconButton
                    hasTip
                    icon="close"
                    label={t('remove_hours')}
                    onClick={() => set(ranges.toSpliced(n, 1))}
                  />
                </div>
              ))}
            </div>
            <Button
              size="xs"
              disabled={ranges.length >= BOOKING_SETUP_LIMITS.hoursOfDay}
              onClick={() =>
                set(ranges.length === 0 && last?.length ? [...last] : [...ranges, USUAL])
              }
            >
              {t('add_hours')}
            </Button>
          </div>
        )
      })}
    </fieldset>
  )
}
