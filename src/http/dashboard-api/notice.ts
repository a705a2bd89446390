import type { NoticeRoutes } from '../../contract/dashboard/routes/notice.ts'
import { countUnreadNotices, listNotices } from '../../modules/notices/list-notices.ts'
import { readNotice, readNotices } from '../../modules/notices/read-notices.ts'
import { NoticeQuery, ReadNotices } from '../../contract/dashboard/notice.ts'
import { signedIn } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

export const noticeRoutes = routes<NoticeRoutes>()
  .get('/notices', signedIn('owner', 'admin', 'agent'), query(NoticeQuery), async (c) =>
    c.json(await listNotices(c.var.context, c.var.actor, c.req.valid('query'))),
  )
  .get('/notices/unread', signedIn('owner', 'admin', 'agent'), async (c) =>
    c.json(await countUnreadNotices(c.var.context, c.var.actor)),
  )
  .post('/notices/read', signedIn('owner', 'admin', 'agent'), body(ReadNotices), async (c) => {
    await readNotices(c.var.context, c.var.actor, c.req.valid('json').upTo)
    return c.body(null, 204)
  })
  .post('/notices/:noticeId/read', signedIn('owner', 'admin', 'agent'), async (c) => {
    await readNotice(c.var.context, c.var.actor, readId(c.req.param('noticeId')))
    return c.body(null, 204)
  })
