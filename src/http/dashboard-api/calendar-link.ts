import {
  deleteCalendarLink,
  listCalendarLinks,
  makeCalendarLink,
} from '../../modules/appointments/calendar-links.ts'
import {
  MakeCalendarLink,
  type CalendarLinkRoutes,
} from '../../contract/dashboard/calendar-link.ts'
import { everybody } from './access.ts'
import { answerAs } from './answer.ts'
import { body } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/calendar-links'

export const calendarLinkRoutes = routes<CalendarLinkRoutes>()
  .get(ALL, everybody(), answerAs(listCalendarLinks))
  .post(ALL, everybody(), body(MakeCalendarLink), answerAs(makeCalendarLink, 201))
  .delete(`${ALL}/:linkId`, everybody(), answerAs(deleteCalendarLink))
