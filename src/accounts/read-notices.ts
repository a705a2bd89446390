import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import type { Actor } from './actor.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/** Marks a notice as read, for all who see it; the first time is kept. @throws not_found */
export async function readNotice(
  { db, clock }: Deps,
  { accountId }: Pick<Actor, 'accountId'>,
  noticeId: string,
): Promise<void> {
  const known = await db.kysely
    .updateTable('notice')
    .set((eb) => ({ readAt: eb.fn.coalesce('readAt', eb.val(clock.now())) }))
    .where('id', '=', noticeId)
    .where('accountId', '=', accountId)
    .returning('id')
    .executeTakeFirst()
  if (!known) throw new ServiceError('not_found', 'This account has no such notice.')
}

/** Marks all that is unread as read. */
export async function readAllNotices(
  { db, clock }: Deps,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<void> {
  await db.kysely
    .updateTable('notice')
    .set({ readAt: clock.now() })
    .where('accountId', '=', accountId)
    .where('readAt', 'is', null)
    .execute()
}
