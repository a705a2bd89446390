import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ReplyDetail, ReplyView } from '../../../contract/dashboard/assistant-reply.ts'
import type { Page } from '../../../contract/dashboard/page.ts'
import { api, ask } from '../../app/api.ts'
import type { RepliesSearch } from '../routes.ts'

const replies = api.companies[':companyId'].assistant.replies

export const repliesKey = (companyId: string) => ['assistant', companyId, 'replies']

export const repliesQuery = (companyId: string, search: RepliesSearch) =>
  infiniteQueryOptions({
    queryKey: [...repliesKey(companyId), 'list', search],
    initialPageParam: '',
    // Facts hold facts: what the client's types make of them has no end.
    queryFn: async ({ pageParam }) =>
      (await ask(
        replies.$get({
          param: { companyId },
          query: { ...search, ...(pageParam !== '' && { cursor: pageParam }) },
        }),
      )) as Page<ReplyView>,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const traceQuery = (companyId: string, replyId: string) =>
  queryOptions({
    queryKey: [...repliesKey(companyId), 'one', replyId],
    queryFn: async () =>
      (await ask(replies[':replyId'].$get({ param: { companyId, replyId } }))) as ReplyDetail,
  })
