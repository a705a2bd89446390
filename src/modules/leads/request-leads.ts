import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { raiseQualified, type LeadRow } from './lead.ts'
import { lockLeadCustomers } from './lock-lead-customers.sql.ts'
import { planRequests, type RequestedLead, type LeadRequest } from './plan-requests.ts'

/**
 * Creates the requested leads in a constant number of statements. A customer's open or qualified lead stays and gets
 * the new values. Leads that become qualified are reported in order by `lead.qualified`; nothing else is. Returns one
 * lead for each customer.
 *
 * Isolation: read committed. The customers are locked first, so that the second of two concurrent requests finds the
 * lead of the first. The caller has locked a conversation that a request names with a contact.
 *
 * Spec: Leads › Making; Leads › Qualifying.
 */
export async function requestLeads(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  requests: readonly LeadRequest[],
): Promise<RequestedLead[]> {
  if (requests.length === 0) return []
  const companyIds = [...new Set(requests.map(({ company }) => company.id))]
  await lockLeadCustomers(tx, companyIds, requests)
  const { rows: present } = await sql<LeadRow>`
    select * from lead
    where company_id = any(${companyIds}::uuid[]) and status in ('open', 'qualified')
      and (contact_id = any(${requests.flatMap(({ contactId }) => contactId ?? [])}::uuid[])
        or contact_id is null and conversation_id = any(${requests.flatMap(
          ({ contactId, conversationId }) => (contactId === null ? [conversationId!] : []),
        )}::text[]))
    order by id for update`.execute(tx)
  const requested = planRequests({ newId: () => deps.ids.uuid(), now: deps.now }, present, requests)
  await write(
    tx,
    requested.filter(({ isNew, isChanged }) => isNew || isChanged),
  )
  await raiseQualified(
    tx,
    deps,
    requested.filter(({ isQualified }) => isQualified),
  )
  return requested
}

/** Writes new and changed rows in one statement. */
async function write(tx: Transaction<DB>, requested: readonly RequestedLead[]): Promise<void> {
  if (requested.length === 0) return
  const rows = requested.map(({ lead }) => lead)
  const each = <Key extends keyof LeadRow>(key: Key) => rows.map((row) => row[key])
  await sql`
    insert into lead (id, company_id, contact_id, conversation_id, status, temperature, score, summary,
      source, owner_id, qualified_at, created_at, updated_at)
    select * from unnest(${each('id')}::uuid[], ${each('companyId')}::uuid[],
      ${each('contactId')}::uuid[], ${each('conversationId')}::text[], ${each('status')}::text[],
      ${each('temperature')}::text[], ${each('score')}::smallint[], ${each('summary')}::text[],
      ${each('source')}::text[], ${each('ownerId')}::uuid[], ${each('qualifiedAt')}::timestamptz[],
      ${each('createdAt')}::timestamptz[], ${each('updatedAt')}::timestamptz[])
    on conflict (id) do update set conversation_id = excluded.conversation_id,
      status = excluded.status, temperature = excluded.temperature, score = excluded.score,
      summary = excluded.summary, owner_id = excluded.owner_id, qualified_at = excluded.qualified_at,
      updated_at = excluded.updated_at`.execute(tx)
}
