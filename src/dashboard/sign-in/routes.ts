import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/routes.tsx'
import { textIn } from '../app/search-params.ts'

/** `next`: the page that was asked for. */
const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): { next?: string } => {
    const next = textIn(raw, 'next')
    return next === undefined ? {} : { next }
  },
  component: lazyRouteComponent(() => import('./SignIn.tsx'), 'SignIn'),
})

export const signInRoutes = [signInRoute] as const
