import { useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { useTicker } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './appointments.module.css'
import { Block } from './Block.tsx'
import { HOUR_PX, SNAP_MIN, topOf, useDrag } from './drag.ts'
import { overlapColumns } from './overlap-columns.ts'
import type { Move } from './MoveDialog.tsx'
import { closedRanges, openRanges, type Range } from './open-hours.ts'
import { useChanges, useResources, useShopZone } from './use-calendar.ts'
import { dayText } from './typed-values.ts'
import { dayOfWall, minutesOf, nowMs, useWallFormat, wallOf, isoOf } from './wall.ts'
import { appointmentsWords } from './words.ts'

const DAY_MIN = 24 * 60
const HOUR_MIN = 60
/** The hours shown for a day on which no resource is available. */
const USUAL: Range = { from: 9 * HOUR_MIN, to: 18 * HOUR_MIN }
const NOW_MS = 30_000

type OnDay = { thing: AppointmentView; from: number; to: number }

type Grid = {
  days: readonly number[]
  items: readonly AppointmentView[]
  openId: string | undefined
  /** Handles the choice of a free time, in minutes from midnight. */
  onFree(day: number, minutes: number): void
  onMove(move: Move): void
  onOpen(id: string): void
}

/** Days side by side, in the company's zone: open hours, appointments, and the current time. */
export function WeekGrid({ days, items, openId, onFree, onMove, onOpen }: Grid) {
  const t = useWords(appointmentsWords)
  const wall = useWallFormat()
  const zone = useShopZone()
  useTicker(true, NOW_MS)
  const open = useOpenHours(days)
  const onDays = days.map((day) => itemsOf(day, items, zone))
  const range = shownRange(open, onDays)
  const grid = useRef<HTMLDivElement>(null)
  const drag = useDrag(grid, range, onMove)
  const today = wallOf(zone, isoOf(nowMs()))
  const hours = Array.from({ length: (range.to - range.from) / HOUR_MIN }, (_, n) => n)
  const columns = {
    gridTemplateColumns: `54px repeat(${days.length}, minmax(var(--day-least), 1fr))`,
  }
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={t('calendar')}>
      <div className={styles.heads} style={columns}>
        <span />
        {days.map((day) => (
          <DayHead key={day} day={day} isToday={day === dayOfWall(today)} />
        ))}
      </div>
      <div className={styles.grid} style={columns} ref={grid}>
        <div className={styles.hours} aria-hidden>
          {hours.map((hour) => (
            <span key={hour} style={{ insetBlockStart: hour * HOUR_PX }}>
              {hour > 0 && wall.clock(range.from + hour * HOUR_MIN)}
            </span>
          ))}
        </div>
        {days.map((day, at) => (
          <DayColumn
            key={day}
            day={day}
            onDay={onDays[at]!}
            open={open[at]!}
            range={range}
            drag={drag}
            openId={openId}
            onFree={onFree}
            onOpen={onOpen}
          />
        ))}
      </div>
    </div>
  )
}

function DayHead({ day, isToday }: { day: number; isToday: boolean }) {
  const wall = useWallFormat()
  const search = useSearch({ from: '/p/$company/appointments' })
  return (
    <PageLink
      to="appointments"
      search={{ ...search, view: 'day', date: dayText(day) }}
      className={styles.head}
      {...(isToday && { 'aria-current': 'date' as const })}
    >
      <span>{wall.weekday(day)}</span> <strong>{wall.dayOfMonth(day)}</strong>
    </PageLink>
  )
}

/** One day from top to bottom: a click on a free place chooses its time. */
function DayColumn({
  day,
  onDay,
  open,
  range,
  drag,
  openId,
  onFree,
  onOpen,
}: {
  day: number
  onDay: readonly OnDay[]
  open: readonly Range[]
  range: Range
  drag: ReturnType<typeof useDrag>
} & Pick<Grid, 'openId' | 'onFree' | 'onOpen'>) {
  const wall = useWallFormat()
  const today = wallOf(useShopZone(), isoOf(nowMs()))
  return (
    <div
      className={styles.day}
      data-day={day}
      role="group"
      aria-label={wall.longDay(day)}
      style={{ blockSize: ((range.to - range.from) / HOUR_MIN) * HOUR_PX }}
      onClick={(event) => {
        if (event.target !== event.currentTarget) return
        const { top } = event.currentTarget.getBoundingClientRect()
        const minutes = range.from + ((event.clientY - top) / HOUR_PX) * HOUR_MIN
        onFree(day, Math.floor(minutes / SNAP_MIN) * SNAP_MIN)
      }}
    >
      <Closed open={open} range={range} />
      {overlapColumns(onDay).map((placed) => (
        <Block
          key={placed.thing.id}
          placed={placed}
          range={range}
          wall={wall}
          isOpen={placed.thing.id === openId}
          isDragged={drag.held?.appointment.id === placed.thing.id}
          onGrab={drag.grab}
          hasBeenDragged={drag.hasBeenDragged}
          onOpen={onOpen}
        />
      ))}
      {drag.held?.day === day && (
        <div
          className={styles.ghost}
          style={{
            insetBlockStart: topOf(drag.held.minutes, range),
            blockSize: (drag.held.length / HOUR_MIN) * HOUR_PX - 3,
          }}
        >
          {wall.clock(drag.held.minutes)}
        </div>
      )}
      {day === dayOfWall(today) && <NowLine minutes={minutesOf(today)} range={range} />}
    </div>
  )
}

function Closed({ open, range }: { open: readonly Range[]; range: Range }) {
  const t = useWords(appointmentsWords)
  const closed = closedRanges(open, range)
  const isWhole = open.length === 0
  return closed.map(({ from, to }) => (
    <div
      key={from}
      className={styles.closed}
      data-whole={isWhole}
      style={{
        insetBlockStart: topOf(from, range),
        blockSize: ((to - from) / HOUR_MIN) * HOUR_PX,
      }}
    >
      {isWhole && <span>{t('closed')}</span>}
    </div>
  ))
}

function NowLine({ minutes, range }: { minutes: number; range: Range }) {
  const t = useWords(appointmentsWords)
  const wall = useWallFormat()
  if (minutes < range.from || minutes > range.to) return null
  return (
    <div
      className={styles.now}
      role="img"
      aria-label={t('now_is', { time: wall.clock(minutes) })}
      style={{ insetBlockStart: topOf(minutes, range) }}
    />
  )
}

/** Returns the open hours of the chosen resource, or of all that are on. */
function useOpenHours(days: readonly number[]): Range[][] {
  const zone = useShopZone()
  const changes = useChanges()
  const { resource: resourceId } = useSearch({ from: '/p/$company/appointments' })
  const there = useResources().filter(({ id, isOn }) =>
    resourceId === undefined ? isOn : id === resourceId,
  )
  return days.map((day) => openRanges(there, changes, { zone, day }))
}

function itemsOf(day: number, items: readonly AppointmentView[], zone: string): OnDay[] {
  return items.flatMap((thing) => {
    const from = wallOf(zone, thing.startsAt)
    if (dayOfWall(from) !== day) return []
    const length = (Date.parse(thing.endsAt) - Date.parse(thing.startsAt)) / MINUTE_MS
    return [{ thing, from: minutesOf(from), to: Math.min(DAY_MIN, minutesOf(from) + length) }]
  })
}

/** Returns the range of whole hours that contains everything, with an hour around the open ones. */
function shownRange(open: readonly Range[][], onDays: readonly OnDay[][]): Range {
  const hours = open.flat()
  const around = hours.length === 0 ? [USUAL] : hours
  const booked = onDays.flat()
  const from = Math.min(
    ...around.map((range) => range.from - HOUR_MIN),
    ...booked.map((one) => one.from),
  )
  const to = Math.max(...around.map((range) => range.to + HOUR_MIN), ...booked.map((one) => one.to))
  return {
    from: Math.max(0, Math.floor(from / HOUR_MIN) * HOUR_MIN),
    to: Math.min(DAY_MIN, Math.ceil(to / HOUR_MIN) * HOUR_MIN),
  }
}
