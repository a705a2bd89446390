import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { LEAD_LIMITS } from '../../core/limits/leads.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import {
  LEAD_STATUSES,
  LEAD_TEMPERATURES,
  type LeadSource,
  type LeadStatus,
  type LeadTemperature,
} from '../../core/vocabulary/leads.ts'
import { failsWith } from '../../schemas/broken-rule.ts'
import type { PersonView } from './conversation.ts'
import { orderedPageQuery, storableTime } from './ordered-page.ts'
import { formText } from '../../schemas/form-text.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { Page } from './page.ts'
import type { Route } from './route.ts'

/** The values of a lead that members and flows set. Null removes a value. */
const values = {
  temperature: z.enum(LEAD_TEMPERATURES).nullable().optional(),
  score: z.int().min(0).max(LEAD_LIMITS.maxScore).nullable().optional(),
  summary: formText(1, LEAD_LIMITS.summaryChars).nullable().optional(),
  /** A person of the account. */
  ownerId: uuidInput.nullable().optional(),
}

/** A lead to create, for a contact or for the customer of a conversation. */
export const CreateLead = z
  .strictObject({
    contactId: uuidInput.optional(),
    conversationId: z
      .string()
      .min(1)
      .max(INBOX_LIMITS.conversationIdChars)
      .transform(cleanText)
      .optional(),
    ...values,
  })
  .refine(
    ({ contactId, conversationId }) => (contactId === undefined) !== (conversationId === undefined),
    { path: ['contactId'], ...failsWith(fact('contact_or_conversation')) },
  )
export type CreateLead = z.output<typeof CreateLead>

/** The fields to change. */
export const EditLead = z.strictObject(values)
export type EditLead = z.output<typeof EditLead>

export const LoseLead = z
  .strictObject({ reason: formText(1, LEAD_LIMITS.lostReasonChars).nullable() })
  .partial()
export type LoseLead = z.output<typeof LoseLead>

const SORTS = ['newest', 'best'] as const
const SCORE = /^(-1|\d{1,3})$/

/** A page of leads that match a filter. */
export const LeadQuery = orderedPageQuery(
  z.union([storableTime, z.string().regex(SCORE)]),
  uuidInput,
)
  .extend({
    status: z.enum(LEAD_STATUSES).optional(),
    temperature: z.enum(LEAD_TEMPERATURES).optional(),
    /** The owner; `none` finds leads without one. */
    ownerId: z.union([z.literal('none'), uuidInput]).optional(),
    contactId: uuidInput.optional(),
    /** The customer's name, number in any form, e-mail address or id. */
    q: formText(1, SEARCH_LIMITS.queryChars).optional(),
    /** `best`: the highest score first. */
    sort: z.enum(SORTS).default('newest'),
  })
  .refine(({ cursor, sort }) => !cursor || SCORE.test(cursor.by) === (sort === 'best'), {
    path: ['cursor'],
    ...failsWith(fact('wrong_cursor')),
  })
export type LeadQuery = z.output<typeof LeadQuery>

export type LeadView = {
  id: string
  status: LeadStatus
  /** Null for a visitor of a widget. */
  contact: { id: string; name: string | null; phone: string | null } | null
  customerName: string | null
  /** The conversation of the last request for the lead. */
  conversationId: string | null
  temperature: LeadTemperature | null
  score: number | null
  summary: string | null
  source: LeadSource
  owner: PersonView | null
  qualifiedAt: string | null
  closedAt: string | null
  /** The lead was lost by a member's decision, or in a merge of two contacts that both had one. */
  lostHow: 'member' | 'merge' | null
  lostReason: string | null
  createdAt: string
  updatedAt: string
}

/** Numbers of leads by status; each count stops at `max`. */
export type LeadCounts = Record<LeadStatus, number> & { max: number }

export interface LeadRoutes {
  '/companies/:companyId/leads': {
    get: Route<Page<LeadView>, { query: typeof LeadQuery }>
    post: Route<LeadView, { json: typeof CreateLead }>
  }
  '/companies/:companyId/leads/counts': { get: Route<LeadCounts> }
  '/companies/:companyId/leads/:leadId': {
    get: Route<LeadView>
    patch: Route<LeadView, { json: typeof EditLead }>
  }
  '/companies/:companyId/leads/:leadId/qualify': { post: Route<LeadView> }
  '/companies/:companyId/leads/:leadId/win': { post: Route<LeadView> }
  '/companies/:companyId/leads/:leadId/lose': { post: Route<LeadView, { json: typeof LoseLead }> }
  '/companies/:companyId/leads/:leadId/reopen': { post: Route<LeadView> }
}
