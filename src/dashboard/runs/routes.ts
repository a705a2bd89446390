import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { RUN_STATUSES, type RunStatus } from '../../vocabulary/flows.ts'
import { companyRoute } from '../app/routes.tsx'
import { oneIn, textIn } from '../app/search-params.ts'

export type RunSearch = { status?: RunStatus; flow?: string; customer?: string }

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'runs',
  validateSearch: (raw: Record<string, unknown>): RunSearch => {
    const status = oneIn(raw, 'status', RUN_STATUSES)
    const flow = textIn(raw, 'flow')
    const customer = textIn(raw, 'customer')
    return { ...(status && { status }), ...(flow && { flow }), ...(customer && { customer }) }
  },
  component: lazyRouteComponent(() => import('./Runs.tsx'), 'Runs'),
})

const oneRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'runs/$run',
  validateSearch: (raw: Record<string, unknown>): { view?: 'map' } =>
    oneIn(raw, 'view', ['map']) ? { view: 'map' } : {},
  component: lazyRouteComponent(() => import('./Run.tsx'), 'Run'),
})

export const runsRoutes = [listRoute, oneRoute] as const
