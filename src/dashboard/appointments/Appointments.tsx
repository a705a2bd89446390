import { Button, SegmentedControl } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AddButton } from '../parts/AddButton.tsx'
import { PageButton } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import { useFilters } from '../app/use-filters.ts'
import type { ResourceView, ServiceView } from '../../contract/dashboard/booking-setup.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { APPOINTMENT_STATUSES } from '../../core/vocabulary/appointments.ts'
import { appointmentStatusWords } from '../../core/words/appointment-status-words.ts'
import { useMay } from '../app/session.ts'
import { FilterSelect } from '../parts/FilterMenu.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Toolbar } from '../parts/List.tsx'
import { Banner, Empty, Failed } from '../parts/Page.tsx'
import { IconButton } from '../parts/IconButton.tsx'
import { useIsPhoneWidth } from '../parts/use-is-phone-width.ts'
import { useWords } from '../words/use-words.tsx'
import { AppointmentAside } from './AppointmentPanel.tsx'
import { AppointmentList } from './AppointmentList.tsx'
import layout from '../parts/layout.module.css'
import styles from './appointments.module.css'
import { BookDialog, type Wanted } from './BookDialog.tsx'
import { MoveDialog, type Move } from './MoveDialog.tsx'
import type { CalendarSearch, SetupTab } from './search.ts'
import { useOutside, useShifted } from './use-shifted.ts'
import { useAppointments, useResources, useServices, useShopZone } from './use-calendar.ts'
import { useNamed } from '../words/use-named.ts'
import { dayText, readDay } from './typed-values.ts'
import { todayIn, useWallFormat, weekFrom, weekOf } from './wall.ts'
import { WeekGrid } from './WeekGrid.tsx'
import { appointmentsWords } from './words.ts'

const LIST_DAYS = 28
/** The only tab of the settings that Agents see: links by which a calendar app reads the appointments. */
const OWN_CALENDARS: { tab: SetupTab } = { tab: 'calendars' }

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
  const search = useShown()
  const change = useChange()
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
        <Bar shown={shown} today={today} onBook={book} />
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

/** Returns the filters of the calendar. A phone has space for one day. */
function useShown(): CalendarSearch {
  const search = useSearch({ from: '/p/$company/appointments' })
  const isPhone = useIsPhoneWidth()
  return isPhone && search.view === undefined ? { ...search, view: 'day' } : search
}

function useChange(): (next: CalendarSearch) => void {
  const go = useGo()
  return (next) => void go('appointments', {}, next)
}

/** The toolbar of the calendar: its days, its filters, and the button that books. */
function Bar({
  shown,
  today,
  onBook,
}: {
  shown: { from: number; days: number }
  today: number
  onBook(): void
}) {
  const t = useWords(appointmentsWords)
  const wall = useWallFormat()
  const zone = useShopZone()
  const may = useMay()
  const search = useShown()
  const change = useChange()
  const go = (day: number) => change({ ...search, date: dayText(day) })
  const step = (sign: number) => go(shown.from + sign * shown.days * DAY_MS)
  const { date: _today, ...undated } = search
  const isNow = shown.from <= today && today < shown.from + shown.days * DAY_MS
  return (
    <>
      <div className={styles.bar}>
        <h1 className={styles.title}>
          {shown.days === 1
            ? wall.oneDay(shown.from)
            : wall.days(shown.from, shown.from + (shown.days - 1) * DAY_MS)}
        </h1>
        <span className={layout.line}>
          <Button disabled={isNow} onClick={() => change(undated)}>
            {t('today')}
          </Button>
          <IconButton hasTip icon="chevron_back" label={t('earlier')} onClick={() => step(-1)} />
          <IconButton hasTip icon="chevron_next" label={t('later')} onClick={() => step(1)} />
        </span>
        <span className={styles.barEnd}>
          <span className={styles.faint}>{wall.zone(zone)}</span>
          <SegmentedControl
            aria-label={t('view')}
            size="xs"
            value={search.view ?? 'week'}
            data={(['week', 'day', 'list'] as const).map((value) => ({ value, label: t(value) }))}
            onChange={(value) => change({ ...search, view: value })}
          />
          <PageButton
            to="appointments/set-up"
            search={may.setUp ? {} : OWN_CALENDARS}
            leftSection={<Icon name={may.setUp ? 'gear' : 'calendar'} />}
          >
            {t(may.setUp ? 'set_up' : 'calendar_links')}
          </PageButton>
          <AddButton onClick={onBook}>{t('book')}</AddButton>
        </span>
      </div>
      <Choices />
    </>
  )
}

function Choices() {
  const t = useWords(appointmentsWords)
  const nameOfStatus = useWords(appointmentStatusWords)
  const named = useNamed()
  const services = useServices()
  const resources = useResources()
  const filters = useFilters('appointments', { kept: ['view', 'date', 'open'] })
  const nameOf = (one: ServiceView | ResourceView) => ({ value: one.id, label: named(one) })
  return (
    <Toolbar count={filters.count}>
      <FilterSelect
        label={t('service')}
        any={t('all_services')}
        w={190}
        options={services.map(nameOf)}
        {...filters.of('service')}
      />
      <FilterSelect
        label={t('person_or_room')}
        any={t('everybody')}
        w={170}
        options={resources.map(nameOf)}
        {...filters.of('resource')}
      />
      <FilterSelect
        label={t('status')}
        any={t('any_status')}
        w={150}
        options={APPOINTMENT_STATUSES.map((value) => ({ value, label: nameOfStatus(value) }))}
        {...filters.of('status')}
      />
    </Toolbar>
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
