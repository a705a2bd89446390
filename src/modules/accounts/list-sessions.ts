import { pageOf } from '../../infra/database/page-of.ts'
import type { Context } from '../../infra/context.ts'
import type { ListedSessionView } from '../../contract/dashboard/session.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import type { Session } from './load-session.ts'

/** Returns the person's own sessions that can still be used, newest first. */
export async function listSessions(
  { db, clock }: Context,
  session: Session,
  { limit, cursor }: PageQuery,
): Promise<Page<ListedSessionView>> {
  const now = clock.now()
  const rows = await pageOf(
    db.kysely
      .selectFrom('session')
      .select(['id', 'carrier', 'userAgent', 'createdAt', 'lastSeenAt', 'expiresAt'])
      .where('personId', '=', session.actor.personId)
      .where('expiresAt', '>', now)
      .where('lastSeenAt', '>', new Date(now.getTime() - SIGN_IN_LIMITS.sessionIdleMs)),
    { limit, cursor },
    ['id', 'newest'],
  ).execute()
  return toPage(rows, limit, (row) => ({
    id: row.id,
    isThisOne: row.id === session.id,
    kind: row.carrier === 'cookie' ? 'browser' : 'program',
    userAgent: row.userAgent,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}
