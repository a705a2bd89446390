import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { CompanyView } from '../../contract/dashboard/company.ts'
import type { SessionView } from '../../contract/dashboard/session.ts'
import type { Role } from '../../vocabulary/accounts.ts'
import { api, ask } from './api.ts'
import { keepFor } from './kept-in-tab.ts'
import { queries } from './queries.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<SessionView> => {
    const session: SessionView = await ask(api.session.$get())
    keepFor(session.person.id)
    return session
  },
  staleTime: 60_000,
})

/** Every company of the account whole, with its opening hours: the account's own first, then its projects. */
export const companiesQuery = queryOptions({
  queryKey: ['companies'],
  queryFn: async (): Promise<CompanyView[]> => {
    const companies: CompanyView[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { items: CompanyView[]; nextCursor: string | null } = await ask(
        api.companies.$get({ query: { limit: '100', ...(cursor !== '' && { cursor }) } }),
      )
      companies.push(...page.items)
      cursor = page.nextCursor
    }
    return companies
  },
  staleTime: 60_000,
})

/** Who is signed in; the pages that ask for it are shown only when somebody is. */
export function useSession(): SessionView {
  return useSuspenseQuery(sessionQuery).data
}

type ListedCompany = SessionView['companies'][number]

/** The session names the first hundred companies; who has more waits for the list. */
export function useCompanies(): readonly ListedCompany[] {
  const { companies, hasMoreCompanies } = useSession()
  const all = useQuery({ ...companiesQuery, enabled: hasMoreCompanies }).data
  return hasMoreCompanies ? (all ?? companies) : companies
}

export async function loadCompanies({
  companies,
  hasMoreCompanies,
}: SessionView): Promise<readonly ListedCompany[]> {
  return hasMoreCompanies ? queries.ensureQueryData(companiesQuery) : companies
}

/** After a change of what stands around every page. */
export async function readCompaniesAnew(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    queries.invalidateQueries({ queryKey: companiesQuery.queryKey }),
  ])
}

/** Owners and Admins set up; an Agent works the inbox. */
export function useMay(): { role: Role; setUp: boolean; own: boolean } {
  const { role } = useSession()
  return { role, setUp: role !== 'agent', own: role === 'owner' }
}
