import { TextInput } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import { DAY_MS, MINUTE_MS } from '../../limits/units.ts'
import { Failed, Skeleton } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './appointments.module.css'
import { bookWords } from './words-book.ts'
import { useShopZone, useSlots } from './use-calendar.ts'
import {
  clockText,
  dayText,
  instantOf,
  minutesOf,
  readClock,
  readDay,
  useWallFormat,
  wallOf,
} from './wall.ts'

/** A day of the shop, one of the times that are free on it, or any other time. */
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
  /** Null as long as none is chosen. */
  startsAt: string | null
  /** The appointment that is moved: its own time counts as free. */
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
  // The field of another time is emptied by being a new one.
  const [freshness, setFreshness] = useState(0)
  const ofDay = startsAt === null ? null : minutesOf(wallOf(zone, startsAt))
  return (
    <div className={styles.pick}>
      <div className={styles.pickRow}>
        <DayInput label={t('day')} day={day} onDay={onDay} />
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
                onChange={() => {
                  setFreshness((n) => n + 1)
                  onStart(slot.startsAt)
                }}
              />
              <span>{wall.time(Date.parse(`${slot.local}Z`))}</span>
            </label>
          ))}
        </fieldset>
      )}
      <TextInput
        key={`${day} ${freshness}`}
        type="time"
        label={t('other_time')}
        description={t('other_time_why')}
        w={180}
        defaultValue={ofDay === null || isFree || slots.isPending ? '' : clockText(ofDay)}
        error={problem}
        onChange={(event) => {
          const minutes = readClock(event.currentTarget.value)
          onStart(minutes === null ? null : instantOf(zone, day + minutes * MINUTE_MS))
        }}
      />
    </div>
  )
}

/** Uncontrolled: a day that is half typed is none yet, and stays as it is. */
function DayInput({ label, day, onDay }: { label: string; day: number; onDay(day: number): void }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current && readDay(input.current.value) !== day) input.current.value = dayText(day)
  }, [day])
  return (
    <TextInput
      type="date"
      label={label}
      ref={input}
      defaultValue={dayText(day)}
      onChange={(event) => {
        const chosen = readDay(event.currentTarget.value)
        if (chosen !== null) onDay(chosen)
      }}
    />
  )
}
