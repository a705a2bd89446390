import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'
import { textIn, type RawSearch } from '../app/search-params.ts'

const usageRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'usage',
  component: lazyRouteComponent(() => import('./Usage.tsx'), 'Usage'),
})

const teamRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'team',
  component: lazyRouteComponent(() => import('./Team.tsx'), 'Team'),
})

/** Days as `2026-11-22`, of the clock that times are shown by. `of`: a company, else the whole account. */
export type AuditSearch = {
  action?: string
  by?: string
  of?: string
  kind?: string
  subject?: string
  from?: string
  to?: string
}

const NAMES = ['action', 'by', 'of', 'kind', 'subject', 'from', 'to'] as const

const auditRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'audit',
  validateSearch: (raw: RawSearch): AuditSearch =>
    Object.fromEntries(
      NAMES.flatMap((name) => {
        const text = textIn(raw, name)
        return text === undefined ? [] : [[name, text]]
      }),
    ),
  component: lazyRouteComponent(() => import('./Audit.tsx'), 'Audit'),
})

const planRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'plan',
  component: lazyRouteComponent(() => import('./Plan.tsx'), 'Plan'),
})

const settingsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./Settings.tsx'), 'Settings'),
})

const profileRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'profile',
  component: lazyRouteComponent(() => import('./Profile.tsx'), 'Profile'),
})

export const accountRoutes = [
  usageRoute,
  teamRoute,
  auditRoute,
  planRoute,
  settingsRoute,
  profileRoute,
] as const
