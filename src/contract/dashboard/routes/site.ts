import type { EditSite, SiteView } from '../site.ts'
import type { Route } from './route.ts'

export interface SiteRoutes {
  '/companies/:companyId/channels/:channelId/site': {
    get: Route<SiteView>
    patch: Route<SiteView, { json: typeof EditSite }>
  }
}
