import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { APPOINTMENT_STATUSES, type AppointmentStatus } from '../../vocabulary/appointments.ts'
import { companyRoute } from '../app/routes.tsx'
import { oneIn, textIn } from '../app/search-params.ts'

const VIEWS = ['week', 'day', 'list'] as const

export type CalendarSearch = {
  view?: (typeof VIEWS)[number]
  /** `2027-02-08`: a day that is shown. */
  date?: string
  service?: string
  resource?: string
  status?: AppointmentStatus
  /** The appointment that is open beside the calendar. */
  open?: string
}

const calendarRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'appointments',
  validateSearch: (raw: Record<string, unknown>): CalendarSearch => {
    const view = oneIn(raw, 'view', VIEWS)
    const date = textIn(raw, 'date')
    const service = textIn(raw, 'service')
    const resource = textIn(raw, 'resource')
    const status = oneIn(raw, 'status', APPOINTMENT_STATUSES)
    const open = textIn(raw, 'open')
    return {
      ...(view && { view }),
      ...(date && { date }),
      ...(service && { service }),
      ...(resource && { resource }),
      ...(status && { status }),
      ...(open && { open }),
    }
  },
  component: lazyRouteComponent(() => import('./Appointments.tsx'), 'Appointments'),
})

export const SETUP_TABS = ['services', 'people', 'changes', 'page', 'calendars'] as const
export type SetupTab = (typeof SETUP_TABS)[number]

const setupRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'appointments/set-up',
  validateSearch: (raw: Record<string, unknown>): { tab?: SetupTab } => {
    const tab = oneIn(raw, 'tab', SETUP_TABS)
    return { ...(tab && { tab }) }
  },
  component: lazyRouteComponent(() => import('./BookingSetup.tsx'), 'BookingSetup'),
})

const shiftedRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'appointments/shifted',
  component: lazyRouteComponent(() => import('./Shifted.tsx'), 'Shifted'),
})

const outsideRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'appointments/outside-hours',
  component: lazyRouteComponent(() => import('./Outside.tsx'), 'Outside'),
})

const oneRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'appointments/$appointment',
  component: lazyRouteComponent(() => import('./Appointment.tsx'), 'Appointment'),
})

export const appointmentsRoutes = [
  calendarRoute,
  setupRoute,
  shiftedRoute,
  outsideRoute,
  oneRoute,
] as const
