import { EditSite, type SiteRoutes } from '../../contract/dashboard/site.ts'
import { editSite, showSite } from '../../modules/visitors/edit-site.ts'
import { admins } from './access.ts'
import { answer, answerAs } from './answer.ts'
import { body } from './read-input.ts'
import { routes } from './routes.ts'

const SITE = '/companies/:companyId/channels/:channelId/site'

/** The sites that may show the widget or form of a channel, and its appearance. */
export const siteRoutes = routes<SiteRoutes>()
  .get(SITE, admins(), answer(showSite))
  .patch(SITE, admins(), body(EditSite), answerAs(editSite))
