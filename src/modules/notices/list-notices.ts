import { pageOf } from '../../infra/database/page-of.ts'
import type { Context } from '../../infra/context.ts'
import type { NoticeQuery, NoticeView } from '../../contract/dashboard/notice.ts'
import { toPage, type Page } from '../../contract/dashboard/page.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import type { NoticeKind } from '../../core/vocabulary/accounts.ts'
import { writeNoticeTexts, readMention } from '../../i18n/notice-words.ts'
import { visibleNoticesCondition, type NoticeReader } from './notice-visibility.ts'

type Deps = Pick<Context, 'db'>

/** Returns a page of a member's notices about all companies of the account, newest first. */
export async function listNotices(
  { db }: Deps,
  actor: NoticeReader,
  { limit, cursor, isUnread }: NoticeQuery,
): Promise<Page<NoticeView>> {
  const rows = await pageOf(
    db.kysely
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
        'company.timeZone',
      ])
      .where('notice.accountId', '=', actor.accountId)
      .where(visibleNoticesCondition(actor))
      .$if(isUnread, (select) => select.where('notice.readAt', 'is', null)),
    { limit, cursor },
    ['notice.id', 'newest'],
  ).execute()
  return toPage(rows, limit, (row) => ({
    id: row.id,
    kind: row.kind as NoticeKind,
    company: { id: row.companyId, name: row.companyName },
    endpointId: row.kind === 'mentioned' ? null : row.subjectId,
    conversationId: readMention(row)?.conversationId ?? null,
    words: writeNoticeTexts(row),
    createdAt: row.createdAt.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
    mailedAt: row.mailedAt?.toISOString() ?? null,
  }))
}

/** Counts a member's unread notices, up to the size of a page; `isMore` is true when there are more. */
export async function countUnreadNotices(
  { db }: Deps,
  actor: NoticeReader,
): Promise<{ count: number; isMore: boolean }> {
  const max = DASHBOARD_LIMITS.pageItems
  const rows = await db.kysely
    .selectFrom('notice')
    .select('id')
    .where('accountId', '=', actor.accountId)
    .where(visibleNoticesCondition(actor))
    .where('readAt', 'is', null)
    .limit(max + 1)
    .execute()
  return { count: Math.min(rows.length, max), isMore: rows.length > max }
}
