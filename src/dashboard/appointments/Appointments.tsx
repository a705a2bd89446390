import { useState } from 'react'
import { PageButton } from '../parts/PageLink.tsx'
import { DAY_MS } from '../../core/limits/units.ts'
import { useMay } from '../app/session.ts'
import { Banner, Empty, Failed } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { AppointmentAside } from './AppointmentPanel.tsx'
import { AppointmentList } from './AppointmentList.tsx'
import layout from '../parts/layout.module.css'
import styles from './appointments.module.css'
import { CalendarBar } from './CalendarBar.tsx'
import { BookDialog, type Wanted } from './BookDialog.tsx'
import { MoveDialog, type Move } from './MoveDialog.tsx'
import { useCalendarSearch, useChangeSearch } from './calendar-search.ts'
import type { CalendarSearch } from './search.ts'
import { useOutside, useShifted } from './use-shifted.ts'
import { useAppointments, useResources, useShopZone } from './use-calendar.ts'
import { dayText, readDay } from './typed-values.ts'
import { todayIn, weekFrom, weekOf } from './wall.ts'
import { WeekGrid } from './WeekGrid.tsx'
import { appointmentsWords } from './words.ts'

const LIST_DAYS = 28

/** Returns the days that a view shows around a given day, which is also the length of a step. */
function daysOf(
  view: CalendarSearch['view'],
  zone: string,
  day: number,
): { from: number; days: number } {
  if (view === 'day') return { from: day, days: 1 }
  if (view === 'list') return { from: day, days: LIST_DAYS }
  return { from: weekOf(zone, day), days: 7 }
}

/** The calendar page: a day, a week or a list of appointments, and one of them opened next to it. */
export function Appointments() {
  const t = useWords(appointmentsWords)
  const zone = useShopZone()
  const resources = useResources()
  const search = useCalendarSearch()
  const change = useChangeSearch()
  const today = todayIn(zone)
  const shown = daysOf(search.view, zone, readDay(search.date) ?? today)
  const to = shown.from + shown.days * DAY_MS
  const list = useAppointments({ from: shown.from, to }, search)
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [move, setMove] = useState<Move | null>(null)
  const items = list.data?.items ?? []
  // Data of other days does not count as read.
  const isRead = list.isSuccess && !list.isPlaceholderData
  const book = () => setWanted({ day: Math.max(today, shown.from), minutes: null })
  return (
    <div className={styles.columns}>
      <div className={layout.grow}>
        <CalendarBar shown={shown} today={today} onBook={book} />
        <ToDecideBanner />
        {list.data?.hasMore === true && <Banner tone="warn" title={t('too_many')} />}
        {list.isError && search.view !== 'list' && (
          <Failed error={list.error} onRetry={() => void list.refetch()} />
        )}
        {resources.length === 0 && <NothingToBook />}
        {search.view === 'list' ? (
          <AppointmentList list={{ ...list, isPending: !isRead }} items={isRead ? items : []} />
        ) : (
          <WeekGrid
            days={search.view === 'day' ? [shown.from] : weekFrom(shown.from)}
            items={items}
            openId={search.open}
            onFree={(day, minutes) => setWanted({ day, minutes })}
            onMove={setMove}
            onOpen={(id) => change({ ...search, open: id })}
          />
        )}
        {search.view !== 'list' && isRead && items.length === 0 && (
          <p className={styles.quiet}>{t(search.view === 'day' ? 'none_day' : 'none_week')}</p>
        )}
      </div>
      {search.open !== undefined && (
        <AppointmentAside
          key={search.open}
          appointmentId={search.open}
          onClose={() => {
            const { open: _closed, ...rest } = search
            change(rest)
          }}
        />
      )}
      {wanted && (
        <BookDialog
          wanted={wanted}
          onClose={() => setWanted(null)}
          onBooked={({ id, day }) => change({ ...search, date: dayText(day), open: id })}
        />
      )}
      {move && <MoveDialog key={move.appointment.id} move={move} onClose={() => setMove(null)} />}
    </div>
  )
}

/**
 * A banner about appointments that no longer fit: by a change of the clocks, which comes first, or by changed hours.
 */
function ToDecideBanner() {
  const t = useWords(appointmentsWords)
  const [shifted, outside] = [useShifted(), useOutside()]
  const isShifted = (shifted.data?.items.length ?? 0) > 0
  const list = isShifted ? shifted : outside
  const n = list.data?.items.length ?? 0
  if (n === 0) return null
  const count = isShifted ? 'shifted_n' : 'outside_n'
  const more = isShifted ? 'shifted_more' : 'outside_more'
  return (
    <Banner
      tone="warn"
      title={t(list.hasNextPage ? more : count, { n })}
      act={
        <PageButton
          size="xs"
          to={isShifted ? 'appointments/shifted' : 'appointments/outside-hours'}
        >
          {t('look_at_them')}
        </PageButton>
      }
    >
      {t(isShifted ? 'shifted_why' : 'outside_why')}
    </Banner>
  )
}

function NothingToBook() {
  const t = useWords(appointmentsWords)
  const may = useMay()
  return (
    <Empty
      title={t('nothing_to_book')}
      act={may.setUp && <PageButton to="appointments/set-up">{t('set_up')}</PageButton>}
    >
      {t('nothing_to_book_why')}
    </Empty>
  )
}
