import type { NoticeQuery, NoticeView, ReadNotices } from '../notice.ts'
import type { Page } from '../page.ts'
import type { Route } from './route.ts'

export interface NoticeRoutes {
  '/notices': { get: Route<Page<NoticeView>, { query: typeof NoticeQuery }> }
  '/notices/unread': { get: Route<{ count: number; isMore: boolean }> }
  '/notices/read': { post: Route<null, { json: typeof ReadNotices }> }
  '/notices/:noticeId/read': { post: Route<null> }
}
