/** Degrees of a lead's interest. Spec: Events › Words in payloads. */
export const LEAD_TEMPERATURES = ['cold', 'warm', 'hot'] as const
export type LeadTemperature = (typeof LEAD_TEMPERATURES)[number]

/** The statuses of a lead. Spec: States › Lead. */
export const LEAD_STATUSES = ['open', 'qualified', 'won', 'lost'] as const
export type LeadStatus = (typeof LEAD_STATUSES)[number]

/** Sources of leads. Spec: Leads › Making. */
export type LeadSource = 'assistant' | 'flow' | 'member' | 'website'
