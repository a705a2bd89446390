/** Leads as modules pass them and as their event shows them. Spec: Leads › Making; Events › Payloads. */
import { sql, type Selectable, type Transaction } from 'kysely'
import type { DB, Lead as LeadTable } from '../../infra/database/tables.ts'
import { raiseEvents, type EventToRaise } from '../events/raise-event.ts'
import type { Ids } from '../../core/ids.ts'
import { conversationSummary } from '../messaging/conversation.ts'
import type { LeadTemperature } from '../../core/vocabulary/leads.ts'

/** A row of the table of leads. */
export type LeadRow = Selectable<LeadTable>

/** The id of a lead, with the company that must own it. */
export type OwnedLead = { companyId: string; leadId: string }

type Qualified = { company: { id: string; name: string | null }; lead: LeadRow }

type Named = {
  id: string
  customerName: string | null
  channelId: string | null
  channelType: string | null
}

/**
 * Raises `lead.qualified` for leads that were just qualified, in order, with the customer's current name. Spec: Leads ›
 * Qualifying.
 */
export async function raiseQualified(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  qualified: readonly Qualified[],
): Promise<void> {
  if (qualified.length === 0) return
  const { rows } = await sql<Named>`
    select lead.id, ${CUSTOMER_NAME} as customer_name, conversation.channel_id,
      conversation.channel_type
    from lead left join contact on contact.id = lead.contact_id
      left join conversation on conversation.id = lead.conversation_id
    where lead.id = any(${qualified.map(({ lead }) => lead.id)}::uuid[])`.execute(tx)
  const named = new Map(rows.map((row) => [row.id, row]))
  await raiseEvents(
    tx,
    deps,
    qualified.map(({ company, lead }): EventToRaise => {
      const { customerName, channelId, channelType } = named.get(lead.id)!
      const { conversationId } = lead
      return {
        type: 'lead.qualified',
        company,
        data: {
          lead: {
            id: lead.id,
            customerName,
            status: 'qualified',
            temperature: lead.temperature as LeadTemperature | null,
            score: lead.score,
            qualifiedAt: lead.qualifiedAt!.toISOString(),
          },
          conversation:
            conversationId === null
              ? null
              : conversationSummary({
                  id: conversationId,
                  channelId: channelId!,
                  channelType: channelType!,
                }),
        },
        occurredAt: lead.qualifiedAt!,
        conversationId,
        contactId: lead.contactId,
      }
    }),
  )
}

/**
 * The SQL expression of a customer's name, for a statement that names `lead`, `contact` and `conversation`. A visitor
 * has the name that they gave in the widget.
 */
export const CUSTOMER_NAME = sql`case when lead.contact_id is null then conversation.visitor_name
  else contact.name end`
