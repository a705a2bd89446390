import type {
  AddAppointment,
  AppointmentDetail,
  AppointmentLink,
  AppointmentQuery,
  AppointmentView,
  ArrangedAppointment,
  CancelAppointment,
  MoveAppointment,
} from '../appointment.ts'
import type { Page } from '../page.ts'
import type { Route } from './route.ts'

export interface AppointmentRoutes {
  '/companies/:companyId/appointments': {
    get: Route<Page<AppointmentView>, { query: typeof AppointmentQuery }>
    post: Route<ArrangedAppointment, { json: typeof AddAppointment }>
  }
  '/companies/:companyId/appointments/:appointmentId': { get: Route<AppointmentDetail> }
  '/companies/:companyId/appointments/:appointmentId/move': {
    post: Route<ArrangedAppointment, { json: typeof MoveAppointment }>
  }
  '/companies/:companyId/appointments/:appointmentId/cancel': {
    post: Route<AppointmentView, { json: typeof CancelAppointment }>
  }
  '/companies/:companyId/appointments/:appointmentId/complete': { post: Route<AppointmentView> }
  '/companies/:companyId/appointments/:appointmentId/no-show': { post: Route<AppointmentView> }
  '/companies/:companyId/appointments/:appointmentId/link': { post: Route<AppointmentLink> }
}
