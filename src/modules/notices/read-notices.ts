import type { Context } from '../../infra/context.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { isVisibleTo, type NoticeReader } from './notice-visibility.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/** Marks a notice as read for all its readers. The first time stays. @throws not_found */
export async function readNotice(
  { db, clock }: Deps,
  actor: NoticeReader,
  noticeId: string,
): Promise<void> {
  await db.kysely
    .updateTable('notice')
    .set((eb) => ({ readAt: eb.fn.coalesce('readAt', eb.val(clock.now())) }))
    .where('id', '=', noticeId)
    .where('accountId', '=', actor.accountId)
    .where(isVisibleTo(actor))
    .returning('id')
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_notice')))
}

/** Marks unread notices as read, up to the newest one shown. Later ones have not been seen. */
export async function readNotices(
  { db, clock }: Deps,
  actor: NoticeReader,
  upTo: string,
): Promise<void> {
  await db.kysely
    .updateTable('notice')
    .set({ readAt: clock.now() })
    .where('accountId', '=', actor.accountId)
    .where(isVisibleTo(actor))
    .where('readAt', 'is', null)
    .where('id', '<=', upTo)
    .execute()
}
