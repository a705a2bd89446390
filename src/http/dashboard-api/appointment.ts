import { addAppointment } from '../../modules/appointments/add-appointment.ts'
import { cancelByMember, endAppointment } from '../../modules/appointments/end-appointment.ts'
import { createCustomerLink } from '../../modules/appointments/create-customer-link.ts'
import { listAppointments, showAppointment } from '../../modules/appointments/list-appointments.ts'
import { moveAppointment } from '../../modules/appointments/move-appointment.ts'
import { listHistory } from '../../modules/appointments/list-history.ts'
import {
  AddAppointment,
  AppointmentEntryQuery,
  AppointmentQuery,
  CancelAppointment,
  MoveAppointment,
  type AppointmentRoutes,
} from '../../contract/dashboard/appointment.ts'
import { members } from './access.ts'
import { answer, answerAs, ofSurvivor } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/appointments'
const ONE = `${ALL}/:appointmentId` as const

export const appointmentRoutes = routes<AppointmentRoutes>()
  .get(ALL, members(), query(AppointmentQuery), answer(listAppointments, 200, ofSurvivor))
  .post(ALL, members(), body(AddAppointment), answerAs(addAppointment, 201, ofSurvivor))
  .get(ONE, members(), answer(showAppointment))
  .get(`${ONE}/history`, members(), query(AppointmentEntryQuery), answer(listHistory))
  .post(
    `${ONE}/move`,
    members(),
    body(MoveAppointment),
    answerAs((context, actor, { companyId, appointmentId, ...input }) =>
      moveAppointment(context, actor, { companyId, appointmentId }, input),
    ),
  )
  .post(
    `${ONE}/cancel`,
    members(),
    body(CancelAppointment),
    answerAs((context, actor, { companyId, appointmentId, ...input }) =>
      cancelByMember(context, actor, { companyId, appointmentId }, input),
    ),
  )
  .post(
    `${ONE}/complete`,
    members(),
    answerAs((context, actor, owned) => endAppointment(context, actor, owned, 'completed')),
  )
  .post(
    `${ONE}/no-show`,
    members(),
    answerAs((context, actor, owned) => endAppointment(context, actor, owned, 'no_show')),
  )
  .post(`${ONE}/link`, members(), answerAs(createCustomerLink, 201))
