import { survivorOf } from '../../modules/contacts/survivor-of.ts'
import { addAppointment } from '../../modules/appointments/add-appointment.ts'
import { cancelByMember, endAppointment } from '../../modules/appointments/end-appointment.ts'
import { createCustomerLink } from '../../modules/appointments/create-customer-link.ts'
import { listAppointments, showAppointment } from '../../modules/appointments/list-appointments.ts'
import { moveAppointment } from '../../modules/appointments/move-appointment.ts'
import {
  AddAppointment,
  AppointmentQuery,
  CancelAppointment,
  MoveAppointment,
} from '../../contract/dashboard/appointment.ts'
import type { AppointmentRoutes } from '../../contract/dashboard/routes/appointment.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/appointments'
const ONE = `${ALL}/:appointmentId` as const

export const appointmentRoutes = routes<AppointmentRoutes>()
  .get(ALL, inCompany('owner', 'admin', 'agent'), query(AppointmentQuery), async (c) => {
    const { context, companyId } = c.var
    const { contactId, ...filter } = c.req.valid('query')
    const contact = contactId && (await survivorOf(context.db.kysely, { companyId, contactId }))
    return c.json(await listAppointments(context, { companyId, ...filter, ...contact }))
  })
  .post(ALL, inCompany('owner', 'admin', 'agent'), body(AddAppointment), async (c) => {
    const { context, actor, companyId } = c.var
    const { contactId, ...input } = c.req.valid('json')
    const contact = contactId && (await survivorOf(context.db.kysely, { companyId, contactId }))
    return c.json(await addAppointment(context, actor, { companyId, ...input, ...contact }), 201)
  })
  .get(ONE, inCompany('owner', 'admin', 'agent'), async (c) => {
    const { context, companyId } = c.var
    const appointmentId = readId(c.req.param('appointmentId'))
    return c.json(await showAppointment(context, { companyId, appointmentId }))
  })
  .post(`${ONE}/move`, inCompany('owner', 'admin', 'agent'), body(MoveAppointment), async (c) => {
    const { context, actor, companyId } = c.var
    const owned = { companyId, appointmentId: readId(c.req.param('appointmentId')) }
    return c.json(await moveAppointment(context, actor, owned, c.req.valid('json')))
  })
  .post(
    `${ONE}/cancel`,
    inCompany('owner', 'admin', 'agent'),
    body(CancelAppointment),
    async (c) => {
      const { context, actor, companyId } = c.var
      const owned = { companyId, appointmentId: readId(c.req.param('appointmentId')) }
      return c.json(await cancelByMember(context, actor, owned, c.req.valid('json')))
    },
  )
  .post(`${ONE}/complete`, inCompany('owner', 'admin', 'agent'), async (c) => {
    const { context, actor, companyId } = c.var
    const owned = { companyId, appointmentId: readId(c.req.param('appointmentId')) }
    return c.json(await endAppointment(context, actor, owned, 'completed'))
  })
  .post(`${ONE}/no-show`, inCompany('owner', 'admin', 'agent'), async (c) => {
    const { context, actor, companyId } = c.var
    const owned = { companyId, appointmentId: readId(c.req.param('appointmentId')) }
    return c.json(await endAppointment(context, actor, owned, 'no_show'))
  })
  .post(`${ONE}/link`, inCompany('owner', 'admin', 'agent'), async (c) => {
    const { context, actor, companyId } = c.var
    const owned = { companyId, appointmentId: readId(c.req.param('appointmentId')) }
    return c.json(await createCustomerLink(context, actor, owned), 201)
  })
