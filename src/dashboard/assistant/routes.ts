import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'
import { knowledgeRoutes } from './knowledge/routes.ts'

const settingsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant',
  component: lazyRouteComponent(() => import('./AssistantSettings.tsx'), 'AssistantSettings'),
})

export const assistantRoutes = [settingsRoute, ...knowledgeRoutes] as const
