import { queryOptions } from '@tanstack/react-query'
import { api, ask } from './api.ts'

/** How many conversations each tab of the inbox has. */
export const conversationCountsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['conversation', companyId, 'counts'],
    queryFn: () =>
      ask(api.companies[':companyId'].conversations.counts.$get({ param: { companyId } })),
  })

const FAILING_EVERY_MS = 60_000

/** How many endpoints fail, or are off for more than a member's own reasons. */
export const failingEndpointsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['endpoint', companyId, 'failing'],
    queryFn: async () => {
      const param = { companyId }
      const { items } = await ask(
        api.companies[':companyId'].endpoints.$get({ param, query: { limit: '100' } }),
      )
      return items.filter(({ isOn, off, failingSince }) =>
        isOn ? failingSince !== null : off?.reason !== 'by_member',
      ).length
    },
    refetchInterval: FAILING_EVERY_MS,
  })
