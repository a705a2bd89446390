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
  createBookableService,
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
  StartPageQuery,
  type BookingSetupRoutes,
} from '../../contract/dashboard/booking-setup.ts'
import { listOutsideHours } from '../../modules/appointments/outside-hours.ts'
import { admins, members } from './access.ts'
import { answer, answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const AT = '/companies/:companyId'
const SERVICE = `${AT}/services/:serviceId` as const
const RESOURCE = `${AT}/resources/:resourceId` as const

export const bookingSetupRoutes = routes<BookingSetupRoutes>()
  .get(`${AT}/services`, members(), answer(listServices))
  .post(`${AT}/services`, admins(), body(CreateService), answerAs(createBookableService, 201))
  .get(SERVICE, members(), answer(showService))
  .patch(SERVICE, admins(), body(EditService), answerAs(editService))
  .delete(SERVICE, admins(), answerAs(deleteService))
  .get(`${AT}/resources`, members(), answer(listResources))
  .post(`${AT}/resources`, admins(), body(CreateResource), answerAs(createResource, 201))
  .patch(RESOURCE, admins(), body(EditResource), answerAs(editResource))
  .delete(RESOURCE, admins(), answerAs(deleteResource))
  .get(`${AT}/opening-changes`, members(), answer(listOpeningChanges))
  .post(
    `${AT}/opening-changes`,
    admins(),
    body(CreateOpeningChange),
    answerAs(createOpeningChange, 201),
  )
  .patch(
    `${AT}/opening-changes/:changeId`,
    admins(),
    body(EditOpeningChange),
    answerAs(editOpeningChange),
  )
  .delete(`${AT}/opening-changes/:changeId`, admins(), answerAs(deleteOpeningChange))
  .get(
    `${AT}/booking-page`,
    members(),
    answer((context, owned) =>
      showBookingPage(context, { ...owned, publicUrl: context.publicUrl() }),
    ),
  )
  .patch(
    `${AT}/booking-page`,
    admins(),
    body(EditBookingPage),
    answerAs((context, actor, input) =>
      editBookingPage(context, actor, { ...input, publicUrl: context.publicUrl() }),
    ),
  )
  .get(`${AT}/slots`, members(), query(SlotQuery), answer(listSlots))
  .get(
    `${AT}/appointments/outside-hours`,
    admins(),
    query(StartPageQuery),
    answer(listOutsideHours),
  )
  .get(`${AT}/appointments/shifted`, admins(), query(StartPageQuery), answer(listShifted))
