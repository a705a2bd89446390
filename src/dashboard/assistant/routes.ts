import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const settingsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant',
  component: lazyRouteComponent(() => import('./AssistantSettings.tsx'), 'AssistantSettings'),
})

export const assistantRoutes = [settingsRoute] as const
