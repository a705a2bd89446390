import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

type OwnedConversation = { companyId: string; conversationId: string }

/** Returns the conversation that an id leads to: that of one which was joined to another is the other's. */
export async function joinedConversation(
  db: Kysely<DB>,
  { companyId, conversationId }: OwnedConversation,
): Promise<OwnedConversation> {
  const joined = await db
    .selectFrom('conversationJoin')
    .select('intoId')
    .where('fromId', '=', conversationId)
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return { companyId, conversationId: joined?.intoId ?? conversationId }
}
