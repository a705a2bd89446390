import type { LeadSource, LeadTemperature } from '../../core/vocabulary/leads.ts'
import type { LeadRow } from './lead.ts'
import { customerKey, type LeadCustomer } from './lock-lead-customers.sql.ts'

/** A request to create or change a customer's lead. An undefined value stays unchanged. */
export type LeadRequest = LeadCustomer & {
  company: { id: string; name: string | null }
  source: LeadSource
  temperature?: LeadTemperature | null | undefined
  score?: number | null | undefined
  summary?: string | null | undefined
  ownerId?: string | null | undefined
  /** The request qualifies the lead immediately. */
  qualify: boolean
}

/** The lead of a customer after all requests for it. */
export type RequestedLead = {
  company: LeadRequest['company']
  lead: LeadRow
  isNew: boolean
  isChanged: boolean
  /** The lead was not qualified before. */
  isQualified: boolean
}

/**
 * Returns each customer's lead after their requests, which create it or change the open or qualified one. A customer
 * has at most one such lead, so a second request changes the first one's lead. Several requests for one customer apply
 * in order.
 *
 * Spec: Leads › Making; Leads › Qualifying.
 */
export function planRequests(
  { newId, now }: { newId: () => string; now: Date },
  present: readonly LeadRow[],
  requests: readonly LeadRequest[],
): RequestedLead[] {
  const before = new Map(present.map((lead) => [customerKey(lead), lead]))
  const requested = new Map<string, RequestedLead>()
  for (const request of requests) {
    const key = customerKey(request)
    const earlier = requested.get(key)
    const known = earlier?.lead ?? before.get(key)
    const lead = known ?? newLead(newId(), request, now)
    const changes = changesOf(lead, request, now)
    const isChanged = known !== undefined && Object.keys(changes).length > 0
    requested.set(key, {
      company: request.company,
      lead: { ...lead, ...changes, ...(isChanged && { updatedAt: now }) },
      isNew: earlier?.isNew ?? known === undefined,
      isChanged: isChanged || (earlier?.isChanged ?? false),
      isQualified: (earlier?.isQualified ?? false) || changes.status === 'qualified',
    })
  }
  return [...requested.values()]
}

function newLead(id: string, request: LeadRequest, now: Date): LeadRow {
  return {
    id,
    companyId: request.company.id,
    contactId: request.contactId,
    conversationId: request.conversationId,
    status: 'open',
    temperature: null,
    score: null,
    summary: null,
    source: request.source,
    ownerId: null,
    qualifiedAt: null,
    closedAt: null,
    lostHow: null,
    lostReason: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Returns the given values that differ from the lead's. */
function changesOf(lead: LeadRow, request: LeadRequest, now: Date): Partial<LeadRow> {
  const { temperature, score, summary, ownerId, conversationId } = request
  const given: Partial<LeadRow> = {
    ...(temperature !== undefined && { temperature }),
    ...(score !== undefined && { score }),
    ...(summary !== undefined && { summary }),
    ...(ownerId !== undefined && { ownerId }),
    ...(conversationId !== null && { conversationId }),
  }
  const changed = Object.entries(given).filter(([key, to]) => lead[key as keyof LeadRow] !== to)
  const qualified = { status: 'qualified', qualifiedAt: now }
  return {
    ...Object.fromEntries(changed),
    ...(request.qualify && lead.status === 'open' && qualified),
  }
}
