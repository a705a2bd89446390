import {
  deleteCalendarLink,
  listCalendarLinks,
  makeCalendarLink,
} from '../../modules/appointments/calendar-links.ts'
import {
  MakeCalendarLink,
  type CalendarLinkRoutes,
} from '../../contract/dashboard/calendar-link.ts'
import { members } from './access.ts'
import { answerAs } from './answer.ts'
import { body } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/calendar-links'

export const calendarLinkRoutes = routes<CalendarLinkRoutes>()
  .get(ALL, members(), answerAs(listCalendarLinks))
  .post(ALL, members(), body(MakeCalendarLink), answerAs(makeCalendarLink, 201))
  .delete(`${ALL}/:linkId`, members(), answerAs(deleteCalendarLink))
