import { infiniteQueryOptions } from '@tanstack/react-query'
import type { LeadStatus } from '../../vocabulary/leads.ts'
import { api, ask } from '../app/api.ts'
import type { LeadSearch } from './routes.ts'

/** Leads as the filters find them, of one status or of any. */
export function leadsQuery(companyId: string, search: LeadSearch, status: LeadStatus | undefined) {
  const { q, temperature, owner, sort } = search
  return infiniteQueryOptions({
    queryKey: ['leads', companyId, 'list', { q, temperature, owner, sort, status }],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      ask(
        api.companies[':companyId'].leads.$get({
          param: { companyId },
          query: {
            ...(q && { q }),
            ...(temperature && { temperature }),
            ...(owner && { ownerId: owner }),
            ...(sort && { sort }),
            ...(status && { status }),
            ...(pageParam !== '' && { cursor: pageParam }),
          },
        }),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}
