import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { FLOW_STATES, type FlowState } from '../../vocabulary/flows.ts'
import { companyRoute } from '../frame/routes.tsx'
import { flagIn, oneIn, textIn, type RawSearch } from '../app/search-params.ts'

type ListSearch = { q?: string | undefined; state?: FlowState | undefined }

type BuilderSearch = {
  /** The step that is open, or the trigger. */
  step?: string | undefined
  view?: 'list' | undefined
  tab?: 'problems' | 'variables' | undefined
  versions?: true | undefined
  /** A published version that is looked at. */
  version?: number | undefined
}

const flowsRoute = createRoute({ getParentRoute: () => companyRoute, path: 'flows' })

const listRoute = createRoute({
  getParentRoute: () => flowsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./Flows.tsx'), 'Flows'),
  validateSearch: (raw: RawSearch): ListSearch => ({
    q: textIn(raw, 'q'),
    state: oneIn(raw, 'state', FLOW_STATES),
  }),
})

const builderRoute = createRoute({
  getParentRoute: () => flowsRoute,
  path: '$flowId',
  component: lazyRouteComponent(() => import('./builder/Builder.tsx'), 'Builder'),
  validateSearch: (raw: RawSearch): BuilderSearch => ({
    step: textIn(raw, 'step'),
    view: oneIn(raw, 'view', ['list']),
    tab: oneIn(raw, 'tab', ['problems', 'variables']),
    versions: flagIn(raw, 'versions'),
    version: Number(textIn(raw, 'version')) || undefined,
  }),
})

const hookRoute = createRoute({
  getParentRoute: () => flowsRoute,
  path: '$flowId/hook',
  component: lazyRouteComponent(() => import('./hook/HookPage.tsx'), 'HookPage'),
})

export const flowsRoutes = [flowsRoute.addChildren([listRoute, builderRoute, hookRoute])] as const
