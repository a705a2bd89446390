import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { CALL_SOURCES } from '../../vocabulary/calls.ts'
import { companyRoute } from '../app/routes.tsx'
import { oneIn, textIn, type RawSearch } from '../app/search-params.ts'

const OUTCOMES = ['success', 'failed'] as const

export type CallSearch = {
  connection?: string
  source?: (typeof CALL_SOURCES)[number]
  outcome?: (typeof OUTCOMES)[number]
  status?: string
  run?: string
  action?: string
}

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'connections',
  component: lazyRouteComponent(() => import('./Connections.tsx'), 'Connections'),
})

const newRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'connections/new',
  component: lazyRouteComponent(() => import('./NewConnection.tsx'), 'NewConnection'),
})

const callsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'connections/calls',
  validateSearch: (raw: RawSearch): CallSearch => {
    const texts = {
      connection: textIn(raw, 'connection'),
      status: textIn(raw, 'status'),
      run: textIn(raw, 'run'),
      action: textIn(raw, 'action'),
    }
    const source = oneIn(raw, 'source', CALL_SOURCES)
    const outcome = oneIn(raw, 'outcome', OUTCOMES)
    return {
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
      ...(source && { source }),
      ...(outcome && { outcome }),
    }
  },
  component: lazyRouteComponent(() => import('./Calls.tsx'), 'Calls'),
})

const oneRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'connections/$connection',
  component: lazyRouteComponent(() => import('./Connection.tsx'), 'Connection'),
})

export const connectionsRoutes = [listRoute, newRoute, callsRoute, oneRoute] as const
