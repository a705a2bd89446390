import { z } from 'zod'
import type { NoticeKind } from '../../core/vocabulary/accounts.ts'
import { PageQuery, type Page } from './page.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { Route } from './route.ts'

/** A page of notices. With `isUnread=true` it has only notices that no member has marked as read. */
export const NoticeQuery = PageQuery.extend({
  isUnread: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
})
export type NoticeQuery = z.output<typeof NoticeQuery>

/** The newest notice that was shown; it and all older ones become read. */
export const ReadNotices = z.strictObject({ upTo: uuidInput })

/** The facts of a notice about an endpoint, at the time of the notice. */
export const EndpointNoticeDetails = z.object({
  endpointId: z.string(),
  endpointName: z.string(),
  reason: z.enum(['failures_in_row', 'failing_for_days', 'gone']).nullable().catch(null),
  lastStatus: z.number().nullable().catch(null),
  lastError: z.string().nullable().catch(null),
  failuresInRow: z.number().catch(0),
  failingSince: z.string().nullable().catch(null),
})
export type EndpointNoticeDetails = z.output<typeof EndpointNoticeDetails>

/** The facts of a note that names a person, at the time of the note. */
export const MentionDetails = z.object({
  /** The author of the note. */
  by: z.string(),
  conversationId: z.string(),
  text: z.string(),
})
export type MentionDetails = z.output<typeof MentionDetails>

/** The facts of appointments that a change of hours left outside of opening hours, at the time of the change. */
export const OutsideNoticeDetails = z.object({
  count: z.number(),
  /** The first of them; `local` is wall time, as `2027-01-04T11:00`. */
  appointments: z.array(z.object({ reference: z.string(), local: z.string() })),
})
export type OutsideNoticeDetails = z.output<typeof OutsideNoticeDetails>

/** The facts of a model that refuses the credential, or of the daily model allowance. */
export const ModelNoticeDetails = z.union([
  z.object({
    modelName: z.string(),
    host: z.string(),
    why: z.enum(['unauthorized', 'not_found', 'key_lost']),
  }),
  z.object({ percent: z.number(), tokensPerDay: z.number() }),
])
export type ModelNoticeDetails = z.output<typeof ModelNoticeDetails>

export type NoticeWords = { title: string; text: string }

export type NoticeView = {
  id: string
  kind: NoticeKind
  company: { id: string; name: string | null }
  endpointId: string | null
  /** The conversation of a note that names the reader. */
  conversationId: string | null
  words: { ar: NoticeWords; en: NoticeWords }
  createdAt: string
  /** The reader is any Owner or Admin of the account, or the person that the notice addresses. */
  readAt: string | null
  mailedAt: string | null
}

export interface NoticeRoutes {
  '/notices': { get: Route<Page<NoticeView>, { query: typeof NoticeQuery }> }
  '/notices/unread': { get: Route<{ count: number; isMore: boolean }> }
  '/notices/read': { post: Route<null, { json: typeof ReadNotices }> }
  '/notices/:noticeId/read': { post: Route<null> }
}
