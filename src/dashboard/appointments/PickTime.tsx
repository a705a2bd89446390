import { useId } from 'react'
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'
import { Failed, Skeleton } from '../parts/Page.tsx'
import { TimeField } from '../parts/TimeField.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './appointments.module.css'
import { bookWords } from './words-book.ts'
import { useShopZone, useSlots } from './use-calendar.ts'
import { dayText, readClock, readDay } from './typed-values.ts'
import { clockText, instantOf, minutesOf, useWallFormat, wallOf } from './wall.ts'

/** A choice of a day in the company's zone, and of one of its free times or any other time. */
export function PickTime({
  serviceId,
  resourceId,
  day,
  startsAt,
  movedId = null,
  problem,
  onDay,
  onStart,
}: {
  serviceId: string | null
  resourceId: string | null
  day: number
  /** Null while no time is chosen. */
  startsAt: string | null
  /** The appointment that is moved, whose own time counts as free. */
  movedId?: string | null
  problem: string | undefined
  onDay(day: number): void
  onStart(startsAt: string | null): void
}) {
  const t = useWords(bookWords)
  const wall = useWallFormat()
  const zone = useShopZone()
  const name = useId()
  const slots = useSlots(serviceId, resourceId, { from: day, to: day + DAY_MS }, movedId)
  const items = slots.data?.items ?? []
  const isFree = items.some((slot) => slot.startsAt === startsAt)
  const ofDay = startsAt === null ? null : minutesOf(wallOf(zone, startsAt))
  return (
    <div className={styles.pick}>
      <div className={styles.pickRow}>
        <TimeField
          form="day"
          label={t('day')}
          value={dayText(day)}
          onChange={(text) => {
            const chosen = readDay(text)
            if (chosen !== null) onDay(chosen)
          }}
        />
        <span className={styles.faint}>{wall.zone(zone)}</span>
      </div>
      {serviceId === null ? (
        <p className={styles.faint}>{t('choose_service_first')}</p>
      ) : slots.isError ? (
        <Failed error={slots.error} onRetry={() => void slots.refetch()} />
      ) : slots.isPending ? (
        <Skeleton rows={2} />
      ) : (
        <fieldset className={styles.slots}>
          <legend>{t('free_on', { day: wall.longDay(day) })}</legend>
          {items.length === 0 && <span className={styles.faint}>{t('nothing_free')}</span>}
          {items.map((slot) => (
            <label key={slot.startsAt} className={styles.slot}>
              <input
                type="radio"
                name={name}
                checked={slot.startsAt === startsAt}
                onChange={() => onStart(slot.startsAt)}
              />
              <span>{wall.time(Date.parse(`${slot.local}Z`))}</span>
            </label>
          ))}
        </fieldset>
      )}
      <TimeField
        key={day}
        form="clock"
        label={t('other_time')}
        description={t('other_time_why')}
        w={180}
        value={ofDay === null || isFree ? '' : clockText(ofDay)}
        error={problem}
        onChange={(text) => {
          const minutes = readClock(text)
          onStart(minutes === null ? null : instantOf(zone, day + minutes * MINUTE_MS))
        }}
      />
    </div>
  )
}
