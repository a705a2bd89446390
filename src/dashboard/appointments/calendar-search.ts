import { useSearch } from '@tanstack/react-router'
import { useGo } from '../app/pages.ts'
import { useIsPhoneWidth } from '../parts/use-is-phone-width.ts'
import type { CalendarSearch } from './search.ts'

/** Returns the filters of the calendar. A phone has space for one day. */
export function useCalendarSearch(): CalendarSearch {
  const search = useSearch({ from: '/p/$company/appointments' })
  const isPhone = useIsPhoneWidth()
  return isPhone && search.view === undefined ? { ...search, view: 'day' } : search
}

/** Returns a function that shows the calendar with other filters. */
export function useChangeSearch(): (next: CalendarSearch) => void {
  const go = useGo()
  return (next) => void go('appointments', {}, next)
}
