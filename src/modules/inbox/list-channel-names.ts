import type { Context } from '../../infra/context.ts'
import type { ChannelName } from '../../contract/dashboard/conversation.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'

/**
 * Returns the fields of the company's channels that lists filter by and show, without any settings. Spec: Inbox ›
 * Additional reads of Agents.
 */
export async function listChannelNames(
  { db }: Pick<Context, 'db'>,
  companyId: string,
): Promise<{ items: ChannelName[] }> {
  const items = await db.kysely
    .selectFrom('channel')
    .select(['id', 'type', 'name', 'displayNumber'])
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(INBOX_LIMITS.channels)
    .execute()
  return { items }
}
