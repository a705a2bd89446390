import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { ownDetailsIn, type OwnDetails } from '../../rules/calls/personal-data.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'

/**
 * Returns the numbers, addresses and words in the latest messages of a conversation's customer, which are not masked.
 * Returns null when the channel verifies customers, so that nothing is masked. Spec: Calls › AI actions.
 */
export async function readOwnDetails(
  db: Kysely<DB>,
  { companyId, conversationId }: { companyId: string; conversationId: string },
): Promise<OwnDetails | null> {
  const { rows } = await sql<{ channelType: string; said: string[] }>`
    select channel_type, (select coalesce(json_agg(one.said), '[]') from (
      select concat_ws(' ', text, transcript) as said from message
      where message.conversation_id = conversation.id and direction = 'in'
      order by occurred_at desc limit ${ACTION_LIMITS.saidMessages}) one) as said
    from conversation where id = ${conversationId} and company_id = ${companyId}`.execute(db)
  const row = rows[0]
  if (row && capabilitiesOf(row.channelType).verifiesIdentity) return null
  return ownDetailsIn(row?.said ?? [])
}
