import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, ask } from '../app/api.ts'
import { sortOf, tabOf, type InboxSearch } from './inbox-search.ts'

const ROWS = 50
const LINES = 40

const conversations = api.companies[':companyId'].conversations
const conversation = conversations[':conversationId']

/** An id of a conversation may hold any sign. */
export const paramOf = (companyId: string, conversationId: string) => ({
  companyId,
  conversationId: encodeURIComponent(conversationId),
})

export const listsKey = (companyId: string) => ['conversation', companyId, 'list']

export const listQuery = (companyId: string, search: InboxSearch) =>
  infiniteQueryOptions({
    queryKey: [...listsKey(companyId), search],
    queryFn: ({ pageParam }) =>
      ask(
        conversations.$get({
          param: { companyId },
          query: {
            tab: tabOf(search),
            sort: sortOf(search),
            limit: String(ROWS),
            ...(search.reason && { reason: search.reason }),
            ...(search.channel !== undefined && { channelId: search.channel }),
            ...(search.waiting && { waitingMinutes: search.waiting }),
            ...(search.closing && { closingMinutes: search.closing }),
            ...(search.q !== undefined && { q: search.q }),
            ...(pageParam !== '' && { cursor: pageParam }),
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const oneKey = (companyId: string, id: string) => ['conversation', companyId, 'one', id]

export const oneQuery = (companyId: string, id: string) =>
  queryOptions({
    queryKey: [...oneKey(companyId, id), 'detail'],
    queryFn: () => ask(conversation.$get({ param: paramOf(companyId, id) })),
  })

/** Newest first, a page at a time. */
export const timelineQuery = (companyId: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [...oneKey(companyId, id), 'timeline'],
    queryFn: ({ pageParam }) =>
      ask(
        conversation.timeline.$get({
          param: paramOf(companyId, id),
          query: { limit: String(LINES), ...(pageParam !== '' && { cursor: pageParam }) },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const templatesToSendQuery = (companyId: string, id: string) =>
  queryOptions({
    queryKey: [...oneKey(companyId, id), 'templates'],
    queryFn: () => ask(conversation.templates.$get({ param: paramOf(companyId, id) })),
  })

export const flowsToStartQuery = (companyId: string, id: string) =>
  queryOptions({
    queryKey: [...oneKey(companyId, id), 'flows'],
    queryFn: () => ask(conversation.flows.$get({ param: paramOf(companyId, id) })),
  })

export const savedRepliesQuery = (companyId: string, conversationId?: string) =>
  queryOptions({
    queryKey: ['canned_reply', companyId, conversationId ?? ''],
    queryFn: () =>
      ask(
        api.companies[':companyId']['canned-replies'].$get({
          param: { companyId },
          query: conversationId === undefined ? {} : { conversationId },
        }),
      ),
  })

/** Whom a conversation can be assigned to and a note can name. */
export const peopleQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['people', companyId],
    queryFn: () => ask(api.companies[':companyId'].people.$get({ param: { companyId } })),
    staleTime: 60_000,
  })

export const channelNamesQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['channel', companyId, 'names'],
    queryFn: () => ask(conversations.channels.$get({ param: { companyId } })),
    staleTime: 60_000,
  })

const contact = api.companies[':companyId'].contacts[':contactId']

export const customerQuery = (companyId: string, contactId: string) =>
  queryOptions({
    queryKey: ['contact', companyId, contactId],
    queryFn: () => ask(contact.$get({ param: { companyId, contactId } })),
  })

export const customerFieldsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['contact_field', companyId],
    queryFn: () =>
      ask(api.companies[':companyId']['contact-fields'].$get({ param: { companyId } })),
    staleTime: 60_000,
  })

/** How the customer opted out last: the newest only. */
export const optOutQuery = (companyId: string, contactId: string) =>
  queryOptions({
    queryKey: ['contact', companyId, contactId, 'opt-out'],
    queryFn: () =>
      ask(contact['opt-outs'].$get({ param: { companyId, contactId }, query: { limit: '1' } })),
  })

/** The conversations of a customer, on whatever channel, newest first. */
export const elsewhereQuery = (companyId: string, contactId: string) =>
  queryOptions({
    queryKey: ['contact', companyId, contactId, 'conversations'],
    queryFn: async () => {
      const { items } = await ask(
        contact.timeline.$get({ param: { companyId, contactId }, query: { limit: '50' } }),
      )
      return items.filter((item) => item.kind === 'conversation')
    },
  })

const PANEL_ROWS = '5'

export const customerRunsQuery = (companyId: string, phone: string) =>
  queryOptions({
    queryKey: ['run', companyId, 'of', phone],
    queryFn: () =>
      ask(
        api.companies[':companyId'].runs.$get({
          param: { companyId },
          query: { phone, limit: PANEL_ROWS },
        }),
      ),
  })

/** Those to come, the nearest first. @param from as ISO 8601 */
export const customerAppointmentsQuery = (companyId: string, contactId: string, from: string) =>
  queryOptions({
    queryKey: ['appointment', companyId, 'of', contactId],
    queryFn: () =>
      ask(
        api.companies[':companyId'].appointments.$get({
          param: { companyId },
          query: { contactId, from, limit: PANEL_ROWS },
        }),
      ),
  })

export const closeJobQuery = (companyId: string, closeJobId: string) =>
  queryOptions({
    queryKey: ['close_job', companyId, closeJobId],
    queryFn: () =>
      ask(
        api.companies[':companyId']['close-jobs'][':closeJobId'].$get({
          param: { companyId, closeJobId },
        }),
      ),
  })

/** Whether the assistant answers in it, and what came of its last reply. */
export const answeringQuery = (companyId: string, id: string) =>
  queryOptions({
    queryKey: [...oneKey(companyId, id), 'answering'],
    queryFn: () => ask(conversation.answering.$get({ param: paramOf(companyId, id) })),
  })
