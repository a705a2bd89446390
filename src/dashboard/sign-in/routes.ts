import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../frame/routes.tsx'
import { textIn } from '../app/search-params.ts'
import { watchTokensOfLinks } from './token-in-address.ts'

// Tokens are taken from the URL before the first render.
watchTokensOfLinks()

/** The sign-in page. `next` is the page that was requested. */
const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): { next?: string } => {
    const next = textIn(raw, 'next')
    return next === undefined ? {} : { next }
  },
  component: lazyRouteComponent(() => import('./SignIn.tsx'), 'SignIn'),
})

const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./Welcome.tsx'), 'Welcome'),
})

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  component: lazyRouteComponent(() => import('./SetUp.tsx'), 'SetUp'),
})

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./Invitation.tsx'), 'Invitation'),
})

const forgottenRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgotten-password',
  component: lazyRouteComponent(() => import('./ForgottenPassword.tsx'), 'ForgottenPassword'),
})

const newPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new-password',
  component: lazyRouteComponent(() => import('./NewPassword.tsx'), 'NewPassword'),
})

/** The only page of a session whose account requires two-factor authentication, until it is set up. */
const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/second-factor',
  component: lazyRouteComponent(() => import('./MustSetUp.tsx'), 'MustSetUp'),
})

export const signInRoutes = [
  signInRoute,
  welcomeRoute,
  setUpRoute,
  invitationRoute,
  forgottenRoute,
  newPasswordRoute,
  secondFactorRoute,
] as const
