import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, ask } from '../../app/api.ts'
import type { RepliesSearch } from '../routes.ts'

const replies = api.companies[':companyId'].assistant.replies

export const repliesKey = (companyId: string) => ['assistant', companyId, 'replies']

export const repliesQuery = (companyId: string, search: RepliesSearch) =>
  infiniteQueryOptions({
    queryKey: [...repliesKey(companyId), 'list', search],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      ask(
        replies.$get({
          param: { companyId },
          query: { ...search, ...(pageParam !== '' && { cursor: pageParam }) },
        }),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const traceQuery = (companyId: string, replyId: string) =>
  queryOptions({
    queryKey: [...repliesKey(companyId), 'one', replyId],
    queryFn: () => ask(replies[':replyId'].$get({ param: { companyId, replyId } })),
  })
