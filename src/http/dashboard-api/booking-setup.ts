import { editBookingPage, showBookingPage } from '../../modules/appointments/booking-page.ts'
import { listShifted } from '../../modules/appointments/list-shifted.ts'
import { listSlots } from '../../modules/appointments/list-slots.ts'
import {
  createOpeningChange,
  deleteOpeningChange,
  editOpeningChange,
  listOpeningChanges,
} from '../../modules/appointments/opening-changes.ts'
import {
  createResource,
  deleteResource,
  editResource,
  listResources,
} from '../../modules/appointments/resources.ts'
import {
  createService,
  deleteService,
  editService,
  listServices,
  showService,
} from '../../modules/appointments/services.ts'
import {
  CreateOpeningChange,
  CreateResource,
  CreateService,
  EditBookingPage,
  EditOpeningChange,
  EditResource,
  EditService,
  SlotQuery,
} from '../../contract/dashboard/booking-setup.ts'
import { listOutsideHours } from '../../modules/appointments/outside-hours.ts'
import type { BookingSetupRoutes } from '../../contract/dashboard/routes/booking-setup.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const AT = '/companies/:companyId'
const SERVICE = `${AT}/services/:serviceId` as const
const RESOURCE = `${AT}/resources/:resourceId` as const

export const bookingSetupRoutes = routes<BookingSetupRoutes>()
  .get(`${AT}/services`, inCompany('owner', 'admin', 'agent'), async (c) =>
    c.json(await listServices(c.var.context, { companyId: c.var.companyId })),
  )
  .post(`${AT}/services`, inCompany('owner', 'admin'), body(CreateService), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await createService(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .get(SERVICE, inCompany('owner', 'admin', 'agent'), async (c) => {
    const serviceId = readId(c.req.param('serviceId'))
    return c.json(await showService(c.var.context, { companyId: c.var.companyId, serviceId }))
  })
  .patch(SERVICE, inCompany('owner', 'admin'), body(EditService), async (c) => {
    const { context, actor, companyId } = c.var
    const serviceId = readId(c.req.param('serviceId'))
    const input = { companyId, serviceId, ...c.req.valid('json') }
    return c.json(await editService(context, actor, input))
  })
  .delete(SERVICE, inCompany('owner', 'admin'), async (c) => {
    const { context, actor, companyId } = c.var
    await deleteService(context, actor, { companyId, serviceId: readId(c.req.param('serviceId')) })
    return c.body(null, 204)
  })
  .get(`${AT}/resources`, inCompany('owner', 'admin', 'agent'), async (c) =>
    c.json(await listResources(c.var.context, { companyId: c.var.companyId })),
  )
  .post(`${AT}/resources`, inCompany('owner', 'admin'), body(CreateResource), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await createResource(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .patch(RESOURCE, inCompany('owner', 'admin'), body(EditResource), async (c) => {
    const { context, actor, companyId } = c.var
    const resourceId = readId(c.req.param('resourceId'))
    const input = { companyId, resourceId, ...c.req.valid('json') }
    return c.json(await editResource(context, actor, input))
  })
  .delete(RESOURCE, inCompany('owner', 'admin'), async (c) => {
    const { context, actor, companyId } = c.var
    const resourceId = readId(c.req.param('resourceId'))
    await deleteResource(context, actor, { companyId, resourceId })
    return c.body(null, 204)
  })
  .get(`${AT}/opening-changes`, inCompany('owner', 'admin', 'agent'), async (c) =>
    c.json(await listOpeningChanges(c.var.context, { companyId: c.var.companyId })),
  )
  .post(
    `${AT}/opening-changes`,
    inCompany('owner', 'admin'),
    body(CreateOpeningChange),
    async (c) => {
      const { context, actor, companyId } = c.var
      const input = { companyId, ...c.req.valid('json') }
      return c.json(await createOpeningChange(context, actor, input), 201)
    },
  )
  .patch(
    `${AT}/opening-changes/:changeId`,
    inCompany('owner', 'admin'),
    body(EditOpeningChange),
    async (c) => {
      const { context, actor, companyId } = c.var
      const changeId = readId(c.req.param('changeId'))
      const input = { companyId, changeId, ...c.req.valid('json') }
      return c.json(await editOpeningChange(context, actor, input))
    },
  )
  .delete(`${AT}/opening-changes/:changeId`, inCompany('owner', 'admin'), async (c) => {
    const { context, actor, companyId } = c.var
    const changeId = readId(c.req.param('changeId'))
    await deleteOpeningChange(context, actor, { companyId, changeId })
    return c.body(null, 204)
  })
  .get(`${AT}/booking-page`, inCompany('owner', 'admin', 'agent'), async (c) => {
    const { context, companyId } = c.var
    return c.json(await showBookingPage(context, { companyId, publicUrl: context.publicUrl() }))
  })
  .patch(`${AT}/booking-page`, inCompany('owner', 'admin'), body(EditBookingPage), async (c) => {
    const { context, actor, companyId } = c.var
    const input = { companyId, publicUrl: context.publicUrl(), ...c.req.valid('json') }
    return c.json(await editBookingPage(context, actor, input))
  })
  .get(`${AT}/slots`, inCompany('owner', 'admin', 'agent'), query(SlotQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listSlots(context, { companyId, ...c.req.valid('query') }))
  })
  .get(`${AT}/appointments/outside-hours`, inCompany('owner', 'admin'), async (c) =>
    c.json(await listOutsideHours(c.var.context, { companyId: c.var.companyId })),
  )
  .get(`${AT}/appointments/shifted`, inCompany('owner', 'admin'), async (c) =>
    c.json(await listShifted(c.var.context, { companyId: c.var.companyId })),
  )
