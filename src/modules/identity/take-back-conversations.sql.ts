import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { RETURNED_CONVERSATION } from '../messaging/erased-conversation.ts'
import type { MovedRows } from './merge-record.sql.ts'

type Pair = { companyId: string; intoId: string; fromId: string }

/** A conversation of the contact that stays, and those whose lines stand in it and were the other's. */
type Source = { conversationId: string; sources: string[]; isIts: boolean; until: Date }

/**
 * Gives a contact that is one again what was said with it in conversations that stay with the other, because the
 * provider has shown their accounts to be one. Nobody can be written to in them: the account goes on with the other.
 *
 * Isolation: both contacts and their conversations are locked by the caller.
 */
export async function takeBackConversations(
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
    await takeBack(tx, ids, { companyId, contactId: fromId, identityId }, source)
  }
}

async function takeBack(
  tx: Transaction<DB>,
  ids: Ids,
  {
    companyId,
    contactId,
    identityId,
  }: { companyId: string; contactId: string; identityId: string },
  { conversationId, sources, isIts, until }: Source,
): Promise<void> {
  // The id of one that was joined to another is its own again; of one that goes on with the other it is not.
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
  // What came with the fact that joined two stands after it, and stays.
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
  await sql`update conversation set
      last_message_at = last.occurred_at, last_text = left(last.text, 200), last_sender = last.sender,
      last_author_id = last.author_id
    from unnest(${[id, conversationId]}::text[]) as changed (id)
      left join lateral (select occurred_at, text, sender, author_id from message
        where conversation_id = changed.id order by occurred_at desc, arrival desc limit 1) last on true
    where conversation.id = changed.id`.execute(tx)
}
