import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { RECIPIENT_OUTCOMES, type RecipientOutcome } from '../../vocabulary/broadcasts.ts'
import { companyRoute } from '../app/routes.tsx'
import { flagIn, oneIn } from '../app/search-params.ts'

export type BroadcastSearch = {
  /** Recipients of which outcome are shown. */
  outcome?: RecipientOutcome
  /** The draft is being written. */
  edit?: true
}

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'broadcasts',
  component: lazyRouteComponent(() => import('./Broadcasts.tsx'), 'Broadcasts'),
})

const newRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'broadcasts/new',
  component: lazyRouteComponent(() => import('./NewBroadcast.tsx'), 'NewBroadcast'),
})

const oneRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'broadcasts/$broadcast',
  validateSearch: (raw: Record<string, unknown>): BroadcastSearch => {
    const outcome = oneIn(raw, 'outcome', RECIPIENT_OUTCOMES)
    const edit = flagIn(raw, 'edit')
    return { ...(outcome && { outcome }), ...(edit && { edit }) }
  },
  component: lazyRouteComponent(() => import('./Broadcast.tsx'), 'Broadcast'),
})

export const broadcastsRoutes = [listRoute, newRoute, oneRoute] as const
