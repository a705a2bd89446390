import { createRouter } from '@tanstack/react-router'
import { accountRoutes } from './account/routes.ts'
import { actionsRoutes } from './actions/routes.ts'
import { appointmentsRoutes } from './appointments/routes.ts'
import { modelsRoutes } from './assistant/models/routes.ts'
import { assistantRoutes } from './assistant/routes.ts'
import { broadcastsRoutes } from './broadcasts/routes.ts'
import { channelsRoutes } from './channels/routes.ts'
import { connectionsRoutes } from './connections/routes.ts'
import { contactsRoutes } from './contacts/routes.ts'
import { developerToolsRoutes } from './developer-tools/routes.ts'
import { flowsRoutes } from './flows/routes.ts'
import { homeRoutes } from './home/routes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { leadsRoutes } from './leads/routes.ts'
import { runsRoutes } from './runs/routes.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { templatesRoutes } from './templates/routes.ts'
import { webhooksRoutes } from './webhooks/routes.ts'
import { companyRoute, rootRoute, startRoute } from './frame/routes.tsx'
import { isOldTab } from './app/version.ts'

const routes = rootRoute.addChildren([
  ...signInRoutes,
  startRoute,
  companyRoute.addChildren([
    ...homeRoutes,
    ...inboxRoutes,
    ...contactsRoutes,
    ...appointmentsRoutes,
    ...leadsRoutes,
    ...flowsRoutes,
    ...runsRoutes,
    ...broadcastsRoutes,
    ...assistantRoutes,
    ...modelsRoutes,
    ...templatesRoutes,
    ...webhooksRoutes,
    ...connectionsRoutes,
    ...actionsRoutes,
    ...developerToolsRoutes,
    ...channelsRoutes,
    ...accountRoutes,
  ]),
])

/** The router of the dashboard with all of its pages. */
export const router = createRouter({
  routeTree: routes,
  defaultPreload: 'intent',
  // Remounting keeps an open dialog or typed text of one object from appearing at the next.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
})

// A tab of an older version loads its next page from the server, and runs the newer version from then on.
router.subscribe('onBeforeNavigate', ({ toLocation, pathChanged }) => {
  if (pathChanged && isOldTab()) location.assign(toLocation.href)
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
