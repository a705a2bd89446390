import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { CompanyView } from '../../contract/dashboard/company.ts'
import type { SessionView } from '../../contract/dashboard/session.ts'
import type { Role } from '../../vocabulary/accounts.ts'
import { api, ask } from './api.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: (): Promise<SessionView> => ask(api.session.$get()),
  staleTime: 60_000,
})

/** Every company of the account: the account's own first, then its projects. */
export const companiesQuery = queryOptions({
  queryKey: ['companies'],
  queryFn: async (): Promise<CompanyView[]> =>
    (await ask(api.companies.$get({ query: { limit: '100' } }))).items,
  staleTime: 60_000,
})

/** Who is signed in; the pages that ask for it are shown only when somebody is. */
export function useSession(): SessionView {
  return useSuspenseQuery(sessionQuery).data
}

/** Owners and Admins set up; an Agent works the inbox. */
export function useMay(): { role: Role; setUp: boolean; own: boolean } {
  const { role } = useSession()
  return { role, setUp: role !== 'agent', own: role === 'owner' }
}
