import { APPOINTMENT_STATUSES } from '../../core/vocabulary/appointments.ts'
import { searchReader } from '../app/search-params.ts'

/** The view and the filters of the calendar, as the URL contains them. */
export type CalendarSearch = ReturnType<typeof readCalendarSearch>

export const readCalendarSearch = searchReader({
  view: ['week', 'day', 'list'],
  /** The shown day: `2027-02-08`. */
  date: 'text',
  service: 'text',
  resource: 'text',
  status: APPOINTMENT_STATUSES,
  /** The appointment whose details are open next to the calendar. */
  open: 'text',
})

/** The tabs of the booking settings, in order. */
export const SETUP_TABS = ['services', 'people', 'changes', 'page', 'calendars'] as const
export type SetupTab = (typeof SETUP_TABS)[number]

export const readSetupSearch = searchReader({ tab: SETUP_TABS })
