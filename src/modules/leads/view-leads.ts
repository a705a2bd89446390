import { sql, type Kysely } from 'kysely'
import type { LeadView } from '../../contract/dashboard/lead.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { LeadSource, LeadStatus, LeadTemperature } from '../../core/vocabulary/leads.ts'
import { CUSTOMER_NAME, type LeadRow, type OwnedLead } from './lead.ts'

type Around = {
  id: string
  customerName: string | null
  contactName: string | null
  contactPhone: string | null
  ownerName: string | null
}

/** Returns views of leads in their order. One statement reads the related rows. */
export async function viewLeads(db: Kysely<DB>, rows: readonly LeadRow[]): Promise<LeadView[]> {
  if (rows.length === 0) return []
  const { rows: around } = await sql<Around>`
    select lead.id, ${CUSTOMER_NAME} as customer_name, contact.name as contact_name,
      contact.phone as contact_phone, person.name as owner_name
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ contactId }) => contactId)}::uuid[],
        ${rows.map(({ conversationId }) => conversationId)}::text[],
        ${rows.map(({ ownerId }) => ownerId)}::uuid[])
        as lead (id, contact_id, conversation_id, owner_id)
      left join contact on contact.id = lead.contact_id
      left join conversation on conversation.id = lead.conversation_id
      left join person on person.id = lead.owner_id`.execute(db)
  const byId = new Map(around.map((one) => [one.id, one]))
  return rows.map((row) => view(row, byId.get(row.id)!))
}

/** Returns a lead as the dashboard shows it. @throws not_found */
export async function showLead(
  db: Kysely<DB>,
  { companyId, leadId }: OwnedLead,
): Promise<LeadView> {
  const row = await db
    .selectFrom('lead')
    .selectAll()
    .where('id', '=', leadId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => noSuchLead())
  const [shown] = await viewLeads(db, [row])
  return shown!
}

/** Creates the error for an unknown lead. */
export function noSuchLead(): ServiceError {
  return new ServiceError('not_found', fact('no_such_lead'))
}

function view(row: LeadRow, around: Around): LeadView {
  return {
    id: row.id,
    status: row.status as LeadStatus,
    contact:
      row.contactId === null
        ? null
        : { id: row.contactId, name: around.contactName, phone: around.contactPhone },
    customerName: around.customerName,
    conversationId: row.conversationId,
    temperature: row.temperature as LeadTemperature | null,
    score: row.score,
    summary: row.summary,
    source: row.source as LeadSource,
    owner: row.ownerId === null ? null : { id: row.ownerId, name: around.ownerName },
    qualifiedAt: row.qualifiedAt?.toISOString() ?? null,
    closedAt: row.closedAt?.toISOString() ?? null,
    lostHow: row.lostHow as LeadView['lostHow'],
    lostReason: row.lostReason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
