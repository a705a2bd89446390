import { queryOptions } from '@tanstack/react-query'
import type { EndpointState } from '../../vocabulary/deliveries.ts'
import { api, ask } from './api.ts'

/** How many conversations each tab of the inbox has. */
export const conversationCountsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['conversation', companyId, 'counts'],
    queryFn: () =>
      ask(api.companies[':companyId'].conversations.counts.$get({ param: { companyId } })),
  })

const FAILING_EVERY_MS = 60_000

const FAILING: readonly EndpointState[] = ['failing', 'off_failures', 'off_gone']

/** How many endpoints fail, or were switched off for it. */
export const failingEndpointsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['endpoint', companyId, 'failing'],
    queryFn: async () => {
      const param = { companyId }
      const { items } = await ask(
        api.companies[':companyId'].endpoints.$get({ param, query: { limit: '100' } }),
      )
      return items.filter(({ state }) => FAILING.includes(state)).length
    },
    refetchInterval: FAILING_EVERY_MS,
  })
