import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { MovedRows } from './merge-record.sql.ts'

type Pair = { companyId: string; intoId: string; fromId: string }

/**
 * Moves rows back to an unmerged contact: those that it had at the merge, and those created since in its conversations.
 * A run that is active in a conversation of the other contact stays there. A lead that the merge closed is reopened when
 * its contact has no other.
 *
 * Isolation: the caller has locked both contacts and their conversations.
 */
export async function restoreMovedRows(
  tx: Transaction<DB>,
  { companyId, intoId, fromId }: Pair,
  { moved, mergedAt }: { moved: MovedRows; mergedAt: Date },
): Promise<void> {
  const { optOutChange = [], appointment = [], lead = [] } = moved
  const inItsConversations = sql`conversation_id in (select id from conversation where contact_id = ${fromId})`
  await sql`update flow_run set contact_id = ${fromId}
    where company_id = ${companyId} and contact_id = ${intoId}
      and (${inItsConversations} or id = any(${moved.flowRun ?? []}::uuid[]) and ended_at is not null)`.execute(
    tx,
  )
  await sql`update template_send set contact_id = ${fromId}
    where company_id = ${companyId} and contact_id = ${intoId}
      and (message_id = any(${moved.templateSend ?? []}::text[])
        or message_id in (select id from message where ${inItsConversations}))`.execute(tx)
  for (const [table, ids] of [
    ['opt_out_change', optOutChange],
    ['appointment', appointment],
    ['lead', lead],
  ] as const) {
    await sql`update ${sql.table(table)} set contact_id = ${fromId}
      where company_id = ${companyId} and contact_id = ${intoId}
        and (id = any(${ids}::uuid[]) or created_at > ${mergedAt} and ${inItsConversations})`.execute(
      tx,
    )
  }
  await sql`update broadcast_recipient set contact_id = ${fromId}
    where company_id = ${companyId} and contact_id = ${intoId}
      and broadcast_id || ' ' || number = any(${moved.broadcastRecipient ?? []}::text[])`.execute(
    tx,
  )
  await sql`update identity_change set contact_id = ${fromId}
    where company_id = ${companyId} and contact_id = ${intoId}
      and identity_id in (select id from identity where contact_id = ${fromId})`.execute(tx)
  await sql`insert into marketing_stop (contact_id, channel_id, company_id, at)
    select ${fromId}, channel_id, company_id, at from marketing_stop
    where contact_id = ${intoId} and company_id = ${companyId}`.execute(tx)
  const { lostLead } = moved
  if (!lostLead) return
  await sql`update lead set status = ${lostLead.status}, lost_how = null, closed_at = null
    where id = ${lostLead.id} and company_id = ${companyId} and lost_how = 'merge'
      and not exists (select from lead other where other.contact_id = lead.contact_id
        and other.status in ('open', 'qualified'))`.execute(tx)
}
