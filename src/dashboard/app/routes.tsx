/** The frames that pages stand in; the pages of each part name one of these as their parent. */
import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { Refusal } from './api.ts'
import { LoadFault, NotFound } from './Faults.tsx'
import { Frame } from './Frame.tsx'
import { Root } from './Root.tsx'
import { queries } from './queries.ts'
import { loadCompanies, sessionQuery } from './session.ts'
import { LAST_COMPANY } from './start.ts'
import { changeManner } from '../words/language.tsx'

export const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: LoadFault,
})

/**
 * Who is not signed in is sent to sign in, and comes back; who must set up a second factor does that first.
 * What the person has chosen for themselves applies from here on.
 */
async function requireSignedIn({ location }: { location: { href: string } }) {
  try {
    const session = await queries.ensureQueryData(sessionQuery)
    changeManner(session.person)
    if (session.secondFactor.mustSetUp) throw redirect({ to: '/second-factor' })
    return await loadCompanies(session)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error
    throw redirect({ to: '/sign-in', search: { next: location.href } })
  }
}

/** Pages of one company. One that is not of the account is not found. */
export const companyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$company',
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: LoadFault,
  beforeLoad: async ({ params, location }) => {
    const companies = await requireSignedIn({ location })
    if (!companies.some(({ id }) => id === params.company)) throw redirect({ to: '/' })
  },
})

/** The company that was open last in this browser, or the account's own. */
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
