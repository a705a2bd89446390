import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'channels',
  component: lazyRouteComponent(() => import('./Channels.tsx'), 'Channels'),
})

const connectRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'channels/connect',
  component: lazyRouteComponent(() => import('./connect/PickType.tsx'), 'PickType'),
})

const connectTypeRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'channels/connect/$type',
  component: lazyRouteComponent(() => import('./connect/Connect.tsx'), 'Connect'),
})

const oneRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'channels/$channel',
  component: lazyRouteComponent(() => import('./Channel.tsx'), 'Channel'),
})

export const channelsRoutes = [listRoute, connectRoute, connectTypeRoute, oneRoute] as const
