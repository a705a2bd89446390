import type { LiveEntity } from '../live-updates/change-stream.ts'

/** Which reply, and of which conversation: whoever watches reads what they show of it again. */
export const LIVE_REPLY: LiveEntity = {
  roles: ['owner', 'admin', 'agent'],
  load: (db, { companyId, ids }) =>
    db
      .selectFrom('assistantReply')
      .select(['id', 'conversationId'])
      .where('companyId', '=', companyId)
      .where('id', 'in', ids)
      .execute(),
}
