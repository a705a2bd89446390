import { page } from '../frame/routes.tsx'
import { readCalendarSearch, readSetupSearch } from './search.ts'

export const appointmentsRoutes = [
  page('appointments', () => import('./Appointments.tsx'), 'Appointments', readCalendarSearch),
  page('appointments/set-up', () => import('./BookingSetup.tsx'), 'BookingSetup', readSetupSearch),
  page('appointments/shifted', () => import('./ToDecide.tsx'), 'Shifted'),
  page('appointments/outside-hours', () => import('./ToDecide.tsx'), 'Outside'),
  page('appointments/$appointment', () => import('./Appointment.tsx'), 'Appointment'),
] as const
