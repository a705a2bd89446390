import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { RETURNED_CONVERSATION } from '../messaging/erased-conversation.ts'
import { showLastMessages } from '../messaging/show-last-message.sql.ts'
import type { MovedRows } from './merge-record.sql.ts'

type Pair = { companyId: string; intoId: string; fromId: string }

/** A conversation of the remaining contact, with the conversations merged into it that belonged to the other. */
type Source = { conversationId: string; sources: string[]; isIts: boolean; until: Date }

/**
 * Restores an unmerged contact's part of conversations that stay with the other contact, because the provider has shown
 * their accounts to be one. The restored conversations are read-only: the account continues with the other contact.
 *
 * Isolation: the caller has locked both contacts and their conversations.
 */
export async function restoreMovedConversations(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { companyId, intoId, fromId }: Pair,
  { moved, mergedAt }: { moved: MovedRows; mergedAt: Date },
): Promise<void> {
  const { rows } = await sql<Source>`
    select conversation.id as conversation_id, array_agg(was.id) as sources,
      bool_or(was.id = conversation.id) as is_its,
      coalesce((select min(joined_at) from conversation_join
        where into_id = conversation.id and joined_at >= ${mergedAt}), ${mergedAt}) as until
    from unnest(${moved.conversation ?? []}::text[]) as was (id)
      left join conversation_join joined on joined.from_id = was.id and joined.company_id = ${companyId}
      join conversation on conversation.id = coalesce(joined.into_id, was.id)
    where conversation.company_id = ${companyId} and conversation.contact_id = ${intoId}
    group by conversation.id order by conversation.id`.execute(tx)
  if (rows.length === 0) return
  const identityId = ids.uuid()
  await sql`insert into identity (id, company_id, contact_id, created_at)
    values (${identityId}, ${companyId}, ${fromId}, ${now})`.execute(tx)
  for (const source of rows) {
    await restoreConversation(tx, ids, { companyId, contactId: fromId, identityId }, source)
  }
}

async function restoreConversation(
  tx: Transaction<DB>,
  ids: Ids,
  {
    companyId,
    contactId,
    identityId,
  }: { companyId: string; contactId: string; identityId: string },
  { conversationId, sources, isIts, until }: Source,
): Promise<void> {
  // The id of a merged conversation becomes valid again; one that continues with the other contact keeps its id
  // there.
  const own = sources.find((id) => id !== conversationId)
  const id = own ?? `c_${ids.uuid().replaceAll('-', '')}`
  await sql`delete from conversation_join where from_id = ${id} and company_id = ${companyId}`.execute(
    tx,
  )
  await sql`insert into conversation (id, company_id, channel_id, channel_type, contact_id, identity_id, filed_under,
      status, resolved_at, announced_at, created_at)
    select ${id}, company_id, channel_id, channel_type, ${contactId}, ${identityId}, ${RETURNED_CONVERSATION + id},
      'resolved', ${until}, announced_at, created_at
    from conversation where id = ${conversationId}`.execute(tx)
  await sql`update conversation_join set into_id = ${id}
    where into_id = ${conversationId} and from_id = any(${sources}::text[])`.execute(tx)
  // Rows created by the merge itself are later than it, and stay.
  for (const [table, at] of [
    ['message', sql`created_at`],
    ['conversation_entry', sql`at`],
  ] as const) {
    await sql`update ${sql.table(table)} set conversation_id = ${id}, joined_from = nullif(joined_from, ${id})
      where conversation_id = ${conversationId} and company_id = ${companyId}
        and (joined_from = any(${sources}::text[])
          or ${isIts} and joined_from is null and ${at} < ${until})`.execute(tx)
  }
  for (const table of ['flow_run', 'lead', 'appointment', 'opt_out_change']) {
    await sql`update ${sql.table(table)} set conversation_id = ${id}
      where conversation_id = ${conversationId} and contact_id = ${contactId}`.execute(tx)
  }
  await sql`update assistant_reply set conversation_id = ${id}
    where conversation_id = ${conversationId} and ended_at is not null
      and id in (select reply_id from message where conversation_id = ${id})`.execute(tx)
  await showLastMessages(tx, { companyId, conversationIds: [id, conversationId] })
}
