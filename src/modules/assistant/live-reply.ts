import type { LiveEntity } from '../live-updates/change-stream.ts'

/** The live-update entity of a reply: its id and conversation, from which watchers reload it. */
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
