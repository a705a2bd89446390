import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import { ERASED_CONVERSATION } from '../messaging/erased-conversation.ts'
import { releaseTemplate } from '../messaging/template-allowance.ts'

/** The data to erase: a contact's, or with `contactId` null a visitor's. */
type Erased = {
  companyId: string
  contactId: string | null
  conversationIds: readonly string[]
}

/**
 * Erases all text that belongs to a contact or a visitor. Rows stay, with their times and outcomes, except the contact's
 * own row, which the caller empties. Queued messages are not sent; messages in flight are sent, but not retried.
 *
 * Isolation: the contact, its conversations and its open runs are locked by the caller; its messages are locked here,
 * in the order of their ids.
 */
export async function eraseContactData(
  tx: Transaction<DB>,
  now: Date,
  { companyId, contactId, conversationIds }: Erased,
): Promise<void> {
  const unsent = await eraseMessages(tx, now, conversationIds)
  for (const { id } of unsent) await releaseTemplate(tx, id)
  const isTheirs = sql`(contact_id = ${contactId}
    or contact_id is null and conversation_id = any(${conversationIds}::text[]))`
  await sql`
    with handovers as (
      update handover set reason_text = null, reply_id = null where conversation_id = any(${conversationIds}::text[])
    ), replies as (
      delete from assistant_reply where conversation_id = any(${conversationIds}::text[])
    ), slots as (
      delete from offered_slot where conversation_id = any(${conversationIds}::text[])
    ), entries as (
      update conversation_entry set text = null, data = data - array['reasonText', 'customer', 'number', 'newNumber', 'tags']
      where conversation_id = any(${conversationIds}::text[])
    ), mentions as (
      update notice set details = jsonb_set(details::jsonb, '{text}', '""')::text
      where account_id = (select account_id from company where id = ${companyId})
        and case when kind = 'mentioned' then details::jsonb ->> 'conversationId' end
          = any(${conversationIds}::text[])
    ), proposals as (
      delete from action_proposal
      where conversation_id = any(${conversationIds}::text[]) and state in ('drafted', 'proposed')
    ), carried_out as (
      update action_proposal set arguments = '{}', identity = null
      where conversation_id = any(${conversationIds}::text[]) and state not in ('drafted', 'proposed')
    ), runs as (
      update flow_run set variables = '{}',
        cancel_detail = case when ended_at is null and cancel_detail is not null
          then ${serializeFact(fact(contactId === null ? 'run_visitor_erased' : 'run_contact_erased'))}
          else cancel_detail end
      where conversation_id = any(${conversationIds}::text[])
      returning id
    ), calls as (
      update flow_run_step set call = (call::jsonb || '{"path": ""}')::text
      where run_id in (select id from runs) and call is not null
    ), merges as (
      update contact_merge set snapshot = '{}', given = '{}', moved = '{}'
      where into_id = ${contactId} and company_id = ${companyId}
    ), appointments as (
      update appointment set customer_name = null, phone = null, raw_phone = null, email = null,
        cancellation_reason = null, updated_at = ${now}
      where ${isTheirs} and company_id = ${companyId}
      returning id
    ), appointment_entries as (
      update appointment_entry set data = data - 'reason'
      where appointment_id in (select id from appointments)
    ), appointment_notices as (
      delete from appointment_notice where appointment_id in (select id from appointments)
    ), appointment_links as (
      delete from appointment_link where appointment_id in (select id from appointments)
    ), audited as (
      update audit set detail = (detail::jsonb - 'reason')::text
      where account_id = (select account_id from company where id = ${companyId})
        and subject_id = any(array(select id::text from appointments) || ${contactId}::text)
        and detail is not null
    ), leads as (
      update lead set summary = null, lost_reason = null
      where ${isTheirs} and company_id = ${companyId}
    ), changes as (
      update opt_out_change set reason = null
      where contact_id = ${contactId} and company_id = ${companyId}
    ), identity_changes as (
      delete from identity_change where contact_id = ${contactId} and company_id = ${companyId}
    ), identifiers as (
      delete from identifier where company_id = ${companyId}
        and identity_id in (select id from identity where contact_id = ${contactId})
    )
    update conversation set filed_under = ${ERASED_CONVERSATION}::text || id, last_text = null, visitor_name = null, visitor_email = null,
      last_customer_at = null, service_window_ends_at = null
    where id = any(${conversationIds}::text[])`.execute(tx)
}

/** Erases the content of messages. Returns those that were queued or waited for a retry, and are not sent now. */
async function eraseMessages(
  tx: Transaction<DB>,
  now: Date,
  conversationIds: readonly string[],
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    with held as materialized (
      select id, status = 'queued' or (status = 'failed' and due_at is not null) as is_unsent
      from message where conversation_id = any(${conversationIds}::text[]) order by id for update
    ), emptied as (
      update message set text = null, transcript = null, earlier_texts = '[]', reaction = null, reply_id = null, button_payload = null, outbound = null, due_at = null,
        claim_id = case when status = 'sending' then claim_id end,
        lease_expires_at = case when status = 'sending' then lease_expires_at end,
        page = null,
        failed_at = case when status = 'queued' then ${now} else failed_at end,
        error_code = case when status = 'queued' then 'sender_ended' else error_code end,
        error_detail = case when status = 'queued' then ${serializeFact(fact('sender_ended'))}
          else error_detail end,
        status = case when status = 'queued' then 'failed' else status end
      where id = any(array(select id from held))
    )
    select id from held where is_unsent`.execute(tx)
  return rows
}
