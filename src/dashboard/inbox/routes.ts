import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../frame/routes.tsx'
import { readInboxSearch } from './inbox-search.ts'

/** The list is the frame of the open conversation and of the placeholder. */
const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'inbox',
  validateSearch: readInboxSearch,
  component: lazyRouteComponent(() => import('./Inbox.tsx'), 'Inbox'),
})

const noneRoute = createRoute({
  getParentRoute: () => listRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./NoneOpen.tsx'), 'NoneOpen'),
})

const conversationRoute = createRoute({
  getParentRoute: () => listRoute,
  path: '$conversation',
  component: lazyRouteComponent(() => import('./Conversation.tsx'), 'Conversation'),
})

export const inboxRoutes = [listRoute.addChildren([noneRoute, conversationRoute])] as const
