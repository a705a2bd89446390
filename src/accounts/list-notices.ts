import type { Context } from '../context.ts'
import type { NoticeQuery, NoticeView } from '../contract/dashboard/notice.ts'
import { toPage, type Page } from '../contract/dashboard/page.ts'
import { DASHBOARD_LIMITS } from '../limits.ts'
import type { NoticeKind } from '../vocabulary.ts'
import type { Actor } from './actor.ts'
import { noticeWords } from './notice-words.ts'

type Deps = Pick<Context, 'db'>

/** What the account was told about any of its companies, newest first. */
export async function listNotices(
  { db }: Deps,
  { accountId }: Pick<Actor, 'accountId'>,
  { limit, cursor, isUnread }: NoticeQuery,
): Promise<Page<NoticeView>> {
  const rows = await db.kysely
    .selectFrom('notice')
    .innerJoin('company', 'company.id', 'notice.companyId')
    .select([
      'notice.id',
      'notice.kind',
      'notice.companyId',
      'notice.subjectId',
      'notice.details',
      'notice.createdAt',
      'notice.readAt',
      'notice.mailedAt',
      'company.name as companyName',
    ])
    .where('notice.accountId', '=', accountId)
    .$if(isUnread, (select) => select.where('notice.readAt', 'is', null))
    .$if(cursor !== undefined, (select) => select.where('notice.id', '<', cursor!))
    .orderBy('notice.id', 'desc')
    .limit(limit + 1)
    .execute()
  return toPage(rows, limit, (row) => ({
    id: row.id,
    kind: row.kind as NoticeKind,
    company: { id: row.companyId, name: row.companyName },
    endpointId: row.subjectId,
    words: noticeWords(row),
    createdAt: row.createdAt.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
    mailedAt: row.mailedAt?.toISOString() ?? null,
  }))
}

/** How many nobody has read, counted no further than a page has room for. */
export async function countUnreadNotices(
  { db }: Deps,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<{ count: number; isMore: boolean }> {
  const most = DASHBOARD_LIMITS.pageItems
  const rows = await db.kysely
    .selectFrom('notice')
    .select('id')
    .where('accountId', '=', accountId)
    .where('readAt', 'is', null)
    .limit(most + 1)
    .execute()
  return { count: Math.min(rows.length, most), isMore: rows.length > most }
}
