import type { SiteRoutes } from '../../contract/dashboard/routes/site.ts'
import { EditSite } from '../../contract/dashboard/site.ts'
import { editSite, showSite } from '../../modules/visitors/edit-site.ts'
import { inCompany } from './access.ts'
import { body, readId } from './read-input.ts'
import { routes } from './routes.ts'

const SITE = '/companies/:companyId/channels/:channelId/site'

/** The sites that may show the widget or form of a channel, and its appearance. */
export const siteRoutes = routes<SiteRoutes>()
  .get(SITE, inCompany('owner', 'admin'), async (c) =>
    c.json(await showSite(c.var.context, owned(c))),
  )
  .patch(SITE, inCompany('owner', 'admin'), body(EditSite), async (c) => {
    const { context, actor } = c.var
    return c.json(await editSite(context, actor, { ...owned(c), ...c.req.valid('json') }))
  })

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'channelId'): string | undefined }
}) {
  return { companyId: c.var.companyId, channelId: readId(c.req.param('channelId')) }
}
