/** The frames around pages; the pages of each part name one of these as their parent. */
import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { ApiError } from '../app/api.ts'
import { PageError, NotFound } from './error-pages.tsx'
import { AppShell } from './AppShell.tsx'
import { Root } from './Root.tsx'
import { queries } from '../app/queries.ts'
import type { RawSearch } from '../app/search-params.ts'
import { loadCompanies, sessionQuery } from '../app/session.ts'
import { LAST_COMPANY } from './start.ts'
import type { ReactNode } from 'react'
import { changeManner } from '../words/language.ts'

/** The root of all pages, with the pages for errors and unknown URLs. */
export const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: PageError,
})

/**
 * Requires a session. Without one the sign-in page opens and returns here afterwards; a member who must set up
 * two-factor authentication does that first. The member's own preferences apply from here on.
 */
async function requireSignedIn({ location }: { location: { href: string } }) {
  try {
    const session = await queries.ensureQueryData(sessionQuery)
    changeManner(session.person)
    if (session.secondFactor.mustSetUp) throw redirect({ to: '/second-factor' })
    return await loadCompanies(session)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    throw redirect({ to: '/sign-in', search: { next: location.href } })
  }
}

/** The parent of a company's pages. A company of another account is not found. */
export const companyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$company',
  component: AppShell,
  notFoundComponent: NotFound,
  errorComponent: PageError,
  beforeLoad: async ({ params, location }) => {
    const companies = await requireSignedIn({ location })
    if (!companies.some(({ id }) => id === params.company)) throw redirect({ to: '/' })
  },
})

/** The redirect to the company that was open last in this browser, or else to the account's own. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ location }) => {
    const companies = await requireSignedIn({ location })
    const last = localStorage.getItem(LAST_COMPANY)
    const company = companies.find(({ id }) => id === last) ?? companies[0]!
    throw redirect({ to: '/p/$company', params: { company: company.id } })
  },
})

/**
 * Returns the route of a page of a company: `page('leads', () => import('./Leads.tsx'), 'Leads', readLeadSearch)`. The
 * page is the export of that name, and `readSearch` reads its search parameters.
 */
export function page<
  const Path extends string,
  Module extends Record<string, unknown>,
  Search extends object = {},
>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
  readSearch?: (raw: RawSearch) => Search,
) {
  return createRoute({
    getParentRoute: () => companyRoute,
    path,
    component: lazyRouteComponent(load as () => Promise<Record<string, () => ReactNode>>, name),
    validateSearch: readSearch ?? (() => ({}) as Search),
  })
}
