import type { LeadSource, LeadTemperature } from '../../core/vocabulary/leads.ts'
import type { LeadRow } from './lead.ts'
import { customerKey, type LeadCustomer } from './lock-customers.sql.ts'

/** A lead that somebody asks for. What is undefined stays as it is. */
export type LeadRequest = LeadCustomer & {
  company: { id: string; name: string | null }
  source: LeadSource
  temperature?: LeadTemperature | null | undefined
  score?: number | null | undefined
  summary?: string | null | undefined
  ownerId?: string | null | undefined
  /** It is qualified at once. */
  qualify: boolean
}

export type AskedLead = {
  company: LeadRequest['company']
  lead: LeadRow
  isNew: boolean
  isChanged: boolean
  /** It was not qualified before. */
  isQualified: boolean
}

/**
 * What requests make of the leads that are open or qualified: a customer has one, so that a second request
 * is about the first one's. Several of one customer count in their order.
 *
 * Spec: Leads › Making; Leads › Qualifying.
 */
export function planRequests(
  { newId, now }: { newId: () => string; now: Date },
  present: readonly LeadRow[],
  requests: readonly LeadRequest[],
): AskedLead[] {
  const before = new Map(present.map((lead) => [customerKey(lead), lead]))
  const asked = new Map<string, AskedLead>()
  for (const request of requests) {
    const key = customerKey(request)
    const earlier = asked.get(key)
    const known = earlier?.lead ?? before.get(key)
    const lead = known ?? newLead(newId(), request, now)
    const changes = changesOf(lead, request, now)
    const isChanged = known !== undefined && Object.keys(changes).length > 0
    asked.set(key, {
      company: request.company,
      lead: { ...lead, ...changes, ...(isChanged && { updatedAt: now }) },
      isNew: earlier?.isNew ?? known === undefined,
      isChanged: isChanged || (earlier?.isChanged ?? false),
      isQualified: (earlier?.isQualified ?? false) || changes.status === 'qualified',
    })
  }
  return [...asked.values()]
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

/** Of the values that are given, those that the lead has not. */
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
