import {
  deleteCalendarLink,
  listCalendarLinks,
  makeCalendarLink,
} from '../../modules/appointments/calendar-links.ts'
import { MakeCalendarLink } from '../../contract/dashboard/calendar-link.ts'
import type { CalendarLinkRoutes } from '../../contract/dashboard/routes/calendar-link.ts'
import { inCompany } from './access.ts'
import { body, readId } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/calendar-links'

export const calendarLinkRoutes = routes<CalendarLinkRoutes>()
  .get(ALL, inCompany('owner', 'admin', 'agent'), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await listCalendarLinks(context, actor, { companyId }))
  })
  .post(
    ALL,
    inCompany('owner', 'admin', 'agent'),

    body(MakeCalendarLink),
    async (c) => {
      const { context, actor, companyId } = c.var
      const input = { companyId, ...c.req.valid('json') }
      return c.json(await makeCalendarLink(context, actor, input), 201)
    },
  )
  .delete(`${ALL}/:linkId`, inCompany('owner', 'admin', 'agent'), async (c) => {
    const { context, actor, companyId } = c.var
    const linkId = readId(c.req.param('linkId'))
    await deleteCalendarLink(context, actor, { companyId, linkId })
    return c.body(null, 204)
  })
