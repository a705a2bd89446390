import type { Context } from '../../infra/context.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { visibleNoticesCondition, type NoticeReader } from './notice-visibility.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/** Marks a notice as read, for all members who see it. The time of the first reading stays. @throws not_found */
export async function markNoticeRead(
  { db, clock }: Deps,
  actor: NoticeReader,
  noticeId: string,
): Promise<void> {
  await db.kysely
    .updateTable('notice')
    .set((eb) => ({ readAt: eb.fn.coalesce('readAt', eb.val(clock.now())) }))
    .where('id', '=', noticeId)
    .where('accountId', '=', actor.accountId)
    .where(visibleNoticesCondition(actor))
    .returning('id')
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_notice')))
}

/**
 * Marks the unread notices that a member sees as read, for all members who see them, up to the newest one on the
 * member's screen.
 * @param upTo id of that notice; ids are ordered by time
 */
export async function markNoticesRead(
  { db, clock }: Deps,
  actor: NoticeReader,
  upTo: string,
): Promise<void> {
  await db.kysely
    .updateTable('notice')
    .set({ readAt: clock.now() })
    .where('accountId', '=', actor.accountId)
    .where(visibleNoticesCondition(actor))
    .where('readAt', 'is', null)
    .where('id', '<=', upTo)
    .execute()
}
