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
import { breaks } from '../../schemas/broken-rule.ts'
import type { PersonView } from './conversation.ts'
import { orderedPageQuery, placeInTime } from './ordered-page.ts'
import { formText } from '../../schemas/form-text.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'

/** What members and flows say of a lead; null takes a value away. */
const values = {
  temperature: z.enum(LEAD_TEMPERATURES).nullable().optional(),
  score: z.int().min(0).max(LEAD_LIMITS.scoreMost).nullable().optional(),
  summary: formText(1, LEAD_LIMITS.summaryChars).nullable().optional(),
  /** A person of the account. */
  ownerId: uuidInput.nullable().optional(),
}

/** Of a contact, or of whoever a conversation is with. */
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
    { path: ['contactId'], ...breaks(fact('contact_or_conversation')) },
  )
export type CreateLead = z.output<typeof CreateLead>

/** Only what is named changes. */
export const EditLead = z.strictObject(values)
export type EditLead = z.output<typeof EditLead>

export const LoseLead = z
  .strictObject({ reason: formText(1, LEAD_LIMITS.lostReasonChars).nullable() })
  .partial()
export type LoseLead = z.output<typeof LoseLead>

const SORTS = ['newest', 'best'] as const
const SCORE = /^(-1|\d{1,3})$/

export const LeadQuery = orderedPageQuery(
  z.union([placeInTime, z.string().regex(SCORE)]),
  uuidInput,
)
  .extend({
    status: z.enum(LEAD_STATUSES).optional(),
    temperature: z.enum(LEAD_TEMPERATURES).optional(),
    /** Who has it; `none`: nobody. */
    ownerId: z.union([z.literal('none'), uuidInput]).optional(),
    contactId: uuidInput.optional(),
    /** Of the customer: a name, a number in any form, an e-mail address or an id. */
    q: formText(1, SEARCH_LIMITS.queryChars).optional(),
    /** `best`: the highest score first. */
    sort: z.enum(SORTS).default('newest'),
  })
  .refine(({ cursor, sort }) => !cursor || SCORE.test(cursor.by) === (sort === 'best'), {
    path: ['cursor'],
    ...breaks(fact('wrong_cursor')),
  })
export type LeadQuery = z.output<typeof LeadQuery>

export type LeadView = {
  id: string
  status: LeadStatus
  /** Null for a visitor of a widget. */
  contact: { id: string; name: string | null; phone: string | null } | null
  customerName: string | null
  /** The last one in which it was asked for. */
  conversationId: string | null
  temperature: LeadTemperature | null
  score: number | null
  summary: string | null
  source: LeadSource
  owner: PersonView | null
  qualifiedAt: string | null
  closedAt: string | null
  /** By a member, or by a merge of contacts that both had one. */
  lostHow: 'member' | 'merge' | null
  lostReason: string | null
  createdAt: string
  updatedAt: string
}

/** Each stops at `most`. */
export type LeadCounts = Record<LeadStatus, number> & { most: number }
