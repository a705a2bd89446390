import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { SessionView } from '../../contract/dashboard/session.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import { accountApi } from './resources.ts'
import { prepareTabStorage } from './tab-storage.ts'
import { queries } from './queries.ts'

/** The query of the session. Reading it clears what the tab has stored for another person. */
export const sessionQuery = queryOptions({
  queryKey: accountApi.key('/session'),
  queryFn: async (): Promise<SessionView> => {
    const session: SessionView = await accountApi.read('/session')
    prepareTabStorage(session.person.id)
    return session
  },
  staleTime: 60_000,
})

/**
 * The query of all companies of the account with their opening hours: the account's own company first, then its
 * projects.
 */
export const companiesQuery = queryOptions({ ...accountApi.every('/companies'), staleTime: 60_000 })

/** Returns the session of the signed-in member. Pages that use it are shown only after sign-in. */
export function useSession(): SessionView {
  return useSuspenseQuery(sessionQuery).data
}

type ListedCompany = SessionView['companies'][number]

/**
 * Returns the member's companies. The session contains the first hundred; a member with more waits for the full list.
 */
export function useCompanies(): readonly ListedCompany[] {
  const { companies, hasMoreCompanies } = useSession()
  const all = useQuery({ ...companiesQuery, enabled: hasMoreCompanies }).data
  return hasMoreCompanies ? (all ?? companies) : companies
}

/** Returns all companies of the member: from the session, or from the API if the session has only the first. */
export async function loadCompanies({
  companies,
  hasMoreCompanies,
}: SessionView): Promise<readonly ListedCompany[]> {
  return hasMoreCompanies ? queries.ensureQueryData(companiesQuery) : companies
}

/** Returns the permissions of the member: Owners and Admins set up, Agents work in the inbox. */
export function useMay(): { role: Role; setUp: boolean; own: boolean } {
  const { role } = useSession()
  return { role, setUp: role !== 'agent', own: role === 'owner' }
}
