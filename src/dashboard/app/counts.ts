import { queryOptions } from '@tanstack/react-query'
import { api, ask } from './api.ts'

/** How many conversations each tab of the inbox has. */
export const conversationCountsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['conversation', companyId, 'counts'],
    queryFn: () =>
      ask(api.companies[':companyId'].conversations.counts.$get({ param: { companyId } })),
  })
