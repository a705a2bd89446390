import { appointmentStatusWords } from '../../core/words/appointment-status-words.ts'
import { useSearch } from '@tanstack/react-router'
import type { PointerEvent } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import type { AppointmentStatus } from '../../core/vocabulary/appointments.ts'
import { Icon } from '../parts/Icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './appointments.module.css'
import { HOUR_PX, topOf } from './drag.ts'
import type { Placed } from './overlap-columns.ts'
import type { Range } from './open-hours.ts'
import { useNamed } from '../words/use-named.ts'
import { type WallFormat } from './wall.ts'
import { appointmentsWords } from './words.ts'

const ICONS: Readonly<Record<AppointmentStatus, IconName | null>> = {
  confirmed: null,
  cancelled: 'off',
  completed: 'ok',
  no_show: 'warning',
}

const MIN_PX = 24
/** The minimum duration for a separate line with the service. Appointments below `SHORT_MIN` have one line only. */
const LONG_MIN = 75
/** The minimum duration for a third line, with the status. */
const HOUR_MIN = 60
const SHORT_MIN = 45

/** One appointment on its day: an hour has space for two lines, a longer appointment for three. */
export function Block({
  placed: { thing, from, to, column, columns },
  range,
  wall,
  isOpen,
  isDragged,
  onGrab,
  hasBeenDragged,
  onOpen,
}: {
  placed: Placed<AppointmentView>
  range: Range
  /** The format of the whole calendar, since creating one for each block is slow. */
  wall: WallFormat
  isOpen: boolean
  isDragged: boolean
  onGrab(event: PointerEvent<HTMLElement>, appointment: AppointmentView): void
  hasBeenDragged(): boolean
  onOpen(id: string): void
}) {
  const t = useWords(appointmentsWords)
  const nameOfStatus = useWords(appointmentStatusWords)
  const named = useNamed()
  const search = useSearch({ from: '/p/$company/appointments' })
  const service = named({ name: thing.serviceName, nameAr: thing.serviceNameAr })
  const isLong = to - from >= LONG_MIN && columns === 1
  const isShort = to - from < SHORT_MIN
  const fate = to - from < HOUR_MIN ? 'visually-hidden' : styles.cut
  const icon = ICONS[thing.status]
  const who = <bdi className={styles.who}>{thing.customerName ?? thing.phone ?? t('no_name')}</bdi>
  const height = Math.max(MIN_PX, ((to - from) / 60) * HOUR_PX - 3)
  return (
    <PageLink
      to="appointments"
      search={{ ...search, open: thing.id }}
      className={styles.block}
      data-status={thing.status}
      data-open={isOpen}
      data-dragged={isDragged}
      draggable={false}
      aria-current={isOpen}
      title={service}
      style={{
        insetBlockStart: topOf(from, range) + 1,
        blockSize: height,
        insetInlineStart: `calc(${(column / columns) * 100}% + 3px)`,
        inlineSize: `calc(${100 / columns}% - 6px)`,
      }}
      onPointerDown={(event) => onGrab(event, thing)}
      onClick={(event) => {
        const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey
        if (!isPlain) return
        event.preventDefault()
        if (!hasBeenDragged()) onOpen(thing.id)
      }}
    >
      <span className={styles.line}>
        {icon && <Icon name={icon} size={13} />}
        <span>{wall.clock(from)}</span>
        {isShort ? who : !isLong && <bdi className={styles.cut}>{service}</bdi>}
      </span>
      {!isShort && who}
      {isLong && <bdi className={styles.cut}>{service}</bdi>}
      {thing.status === 'cancelled' && (
        <span className={fate}>{t(`cancelled_by_${thing.cancelledBy ?? 'member'}`)}</span>
      )}
      {thing.status === 'no_show' && <span className={fate}>{nameOfStatus('no_show')}</span>}
      {thing.status === 'completed' && (
        <span className="visually-hidden">{nameOfStatus('completed')}</span>
      )}
    </PageLink>
  )
}
