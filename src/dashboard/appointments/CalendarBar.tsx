import { Button, SegmentedControl } from '@mantine/core'
import type { ResourceView, ServiceView } from '../../contract/dashboard/booking-setup.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { APPOINTMENT_STATUSES } from '../../core/vocabulary/appointments.ts'
import { appointmentStatusWords } from '../../core/words/appointment-status-words.ts'
import { useMay } from '../app/session.ts'
import { useFilters, type Filters } from '../app/use-filters.ts'
import { AddButton } from '../parts/AddButton.tsx'
import { FilterSelect } from '../parts/FilterMenu.tsx'
import { Icon } from '../parts/Icon.tsx'
import { IconButton } from '../parts/IconButton.tsx'
import { FilterSheet, Toolbar } from '../parts/List.tsx'
import { PageButton } from '../parts/PageLink.tsx'
import { useIsPhoneWidth } from '../parts/use-is-phone-width.ts'
import { useNamed } from '../words/use-named.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './appointments.module.css'
import { useCalendarSearch, useChangeSearch } from './calendar-search.ts'
import type { CalendarSearch, SetupTab } from './search.ts'
import { dayText } from './typed-values.ts'
import { useResources, useServices, useShopZone } from './use-calendar.ts'
import { useWallFormat } from './wall.ts'
import { appointmentsWords } from './words.ts'

/** The only tab of the settings that Agents see: links by which a calendar app reads the appointments. */
const OWN_CALENDARS: { tab: SetupTab } = { tab: 'calendars' }

type Shown = { from: number; days: number }
type Days = { shown: Shown; today: number }

/**
 * The toolbar of the calendar: its days, its filters, and the button that books. A phone has one row, and a sheet for
 * the view, the filters and the settings.
 */
export function CalendarBar({ onBook, ...days }: Days & { onBook(): void }) {
  const t = useWords(appointmentsWords)
  const filters = useFilters('appointments', { kept: ['view', 'date', 'open'] })
  if (useIsPhoneWidth()) {
    return (
      <div className={styles.bar}>
        <Step sign={-1} shown={days.shown} />
        <Title shown={days.shown} />
        <Step sign={1} shown={days.shown} />
        <FilterSheet count={filters.count} title={t('view_and_filters')}>
          <Today {...days} />
          <View />
          <Choices filters={filters} />
          <SetUp />
          <Zone />
        </FilterSheet>
        <IconButton variant="filled" icon="plus" size={44} label={t('book')} onClick={onBook} />
      </div>
    )
  }
  return (
    <>
      <div className={styles.bar}>
        <Title shown={days.shown} />
        <span className={layout.line}>
          <Today {...days} />
          <Step sign={-1} shown={days.shown} />
          <Step sign={1} shown={days.shown} />
        </span>
        <span className={styles.barEnd}>
          <Zone />
          <View />
          <SetUp />
          <AddButton onClick={onBook}>{t('book')}</AddButton>
        </span>
      </div>
      <Toolbar>
        <Choices filters={filters} />
      </Toolbar>
    </>
  )
}

function Title({ shown }: { shown: Shown }) {
  const wall = useWallFormat()
  return (
    <h1 className={styles.title}>
      {shown.days === 1
        ? wall.oneDay(shown.from)
        : wall.days(shown.from, shown.from + (shown.days - 1) * DAY_MS)}
    </h1>
  )
}

function Today({ shown, today }: Days) {
  const t = useWords(appointmentsWords)
  const change = useChangeSearch()
  const { date: _today, ...undated } = useCalendarSearch()
  const isNow = shown.from <= today && today < shown.from + shown.days * DAY_MS
  return (
    <Button disabled={isNow} onClick={() => change(undated)}>
      {t('today')}
    </Button>
  )
}

/** A button that shows the days before or after the shown ones. */
function Step({ sign, shown }: { sign: 1 | -1; shown: Shown }) {
  const t = useWords(appointmentsWords)
  const search = useCalendarSearch()
  const change = useChangeSearch()
  const day = shown.from + sign * shown.days * DAY_MS
  return (
    <IconButton
      hasTip
      icon={sign === 1 ? 'chevron_next' : 'chevron_back'}
      label={t(sign === 1 ? 'later' : 'earlier')}
      onClick={() => change({ ...search, date: dayText(day) })}
    />
  )
}

function View() {
  const t = useWords(appointmentsWords)
  const search = useCalendarSearch()
  const change = useChangeSearch()
  return (
    <SegmentedControl
      aria-label={t('view')}
      size="xs"
      value={search.view ?? 'week'}
      data={(['week', 'day', 'list'] as const).map((value) => ({ value, label: t(value) }))}
      onChange={(value) => change({ ...search, view: value })}
    />
  )
}

function SetUp() {
  const t = useWords(appointmentsWords)
  const may = useMay()
  return (
    <PageButton
      to="appointments/set-up"
      search={may.setUp ? {} : OWN_CALENDARS}
      leftSection={<Icon name={may.setUp ? 'gear' : 'calendar'} />}
    >
      {t(may.setUp ? 'set_up' : 'calendar_links')}
    </PageButton>
  )
}

function Zone() {
  const wall = useWallFormat()
  return <span className={styles.faint}>{wall.zone(useShopZone())}</span>
}

function Choices({ filters }: { filters: Filters<CalendarSearch> }) {
  const t = useWords(appointmentsWords)
  const nameOfStatus = useWords(appointmentStatusWords)
  const named = useNamed()
  const services = useServices()
  const resources = useResources()
  const nameOf = (one: ServiceView | ResourceView) => ({ value: one.id, label: named(one) })
  return (
    <>
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
    </>
  )
}
