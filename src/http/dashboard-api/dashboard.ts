import { needsSetUp } from '../../modules/accounts/set-up.ts'
import type { DashboardView, DashboardStateRoutes } from '../../contract/dashboard/dashboard.ts'
import { open } from './access.ts'
import { routes } from './routes.ts'

export const dashboardRoutes = routes<DashboardStateRoutes>().get(
  '/dashboard',
  open(),
  async (c) => {
    const { db, dashboard, demonstrationLink, phonesUrl } = c.var.context
    const state = await dashboard.state()
    const view: DashboardView = {
      version: state.kind === 'ready' ? state.build.version : null,
      needsSetUp: await needsSetUp(db.kysely),
      isDemonstration: demonstrationLink.isOpen(),
      phonesUrl: phonesUrl(),
    }
    return c.json(view)
  },
)
