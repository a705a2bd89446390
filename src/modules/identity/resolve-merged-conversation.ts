import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

type OwnedConversation = { companyId: string; conversationId: string }

/** Returns the conversation that an id means now: for a merged one, the conversation that it was merged into. */
export async function resolveMergedConversation(
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
