import type { CalendarLinkView, MadeCalendarLink, MakeCalendarLink } from '../calendar-link.ts'
import type { List } from '../page.ts'
import type { Route } from './route.ts'

export interface CalendarLinkRoutes {
  '/companies/:companyId/calendar-links': {
    get: Route<List<CalendarLinkView>>
    post: Route<MadeCalendarLink, { json: typeof MakeCalendarLink }>
  }
  '/companies/:companyId/calendar-links/:linkId': { delete: Route<null> }
}
