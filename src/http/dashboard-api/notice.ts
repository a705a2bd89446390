import { countUnreadNotices, listNotices } from '../../modules/notices/list-notices.ts'
import { markNoticeRead, markNoticesRead } from '../../modules/notices/mark-notices-read.ts'
import { NoticeQuery, ReadNotices, type NoticeRoutes } from '../../contract/dashboard/notice.ts'
import { signedIn } from './access.ts'
import { answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

export const noticeRoutes = routes<NoticeRoutes>()
  .get('/notices', signedIn('owner', 'admin', 'agent'), query(NoticeQuery), answerAs(listNotices))
  .get('/notices/unread', signedIn('owner', 'admin', 'agent'), answerAs(countUnreadNotices))
  .post(
    '/notices/read',
    signedIn('owner', 'admin', 'agent'),
    body(ReadNotices),
    answerAs((context, actor, { upTo }) => markNoticesRead(context, actor, upTo)),
  )
  .post(
    '/notices/:noticeId/read',
    signedIn('owner', 'admin', 'agent'),
    answerAs((context, actor, { noticeId }) => markNoticeRead(context, actor, noticeId)),
  )
