/** Secret addresses at which members' calendars read appointments. Spec: Appointments › Calendars. */
import { z } from 'zod'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { List } from './page.ts'
import type { Route } from './route.ts'

/** A calendar link to create. */
export const MakeCalendarLink = z.strictObject({
  /** Null puts the appointments of all resources into the calendar. */
  resourceId: uuidInput.nullable().default(null),
})
export type MakeCalendarLink = z.output<typeof MakeCalendarLink>

export type CalendarLinkView = { id: string; resourceId: string | null; createdAt: string }

/** A calendar link that was created. Only this answer has `url`: the service does not store it. */
export type MadeCalendarLink = CalendarLinkView & { url: string }

export interface CalendarLinkRoutes {
  '/companies/:companyId/calendar-links': {
    get: Route<List<CalendarLinkView>>
    post: Route<MadeCalendarLink, { json: typeof MakeCalendarLink }>
  }
  '/companies/:companyId/calendar-links/:linkId': { delete: Route<null> }
}
