/** Broadcasts: a template to many contacts. Spec: Broadcasts › Drafts. */
import { z } from 'zod'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { fact } from '../../core/facts/fact.ts'
import {
  type BroadcastState,
  type RecipientOutcome,
  type SkipReason,
  RECIPIENT_OUTCOMES,
} from '../../core/vocabulary/broadcasts.ts'
import type { SentMessageStatus } from '../../core/vocabulary/channels.ts'
import { factIssue } from '../../schemas/broken-rule.ts'
import { TemplateToSend } from './conversation.ts'
import { PageQuery, type Page } from './page.ts'
import { SegmentFilter } from './segment.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { Route } from './route.ts'

/** The recipients of a broadcast. */
export const Audience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('segment'), segmentId: uuidInput }),
  z.strictObject({ kind: z.literal('filter'), filter: SegmentFilter }),
  z.strictObject({
    kind: z.literal('contacts'),
    contactIds: z.array(uuidInput).min(1).max(BROADCAST_LIMITS.contacts),
  }),
  /** The contacts that another broadcast failed to reach. */
  z.strictObject({ kind: z.literal('failed_of'), broadcastId: uuidInput }),
])
export type Audience = z.output<typeof Audience>

/** The template of a broadcast. Its values may hold placeholders. */
export const BroadcastTemplate = TemplateToSend
export type BroadcastTemplate = TemplateToSend

/** Messages a second. */
const perSecond = z.int().min(1).max(BROADCAST_LIMITS.maxPerSecond)

export const CreateBroadcast = z.strictObject({
  name: formText(1, BROADCAST_LIMITS.nameChars),
  channelId: uuidInput,
  template: BroadcastTemplate,
  audience: Audience,
  perSecond: perSecond.default(BROADCAST_LIMITS.perSecond),
})
export type CreateBroadcast = z.output<typeof CreateBroadcast>

/** The fields to change. Each replaces the stored value as a whole. */
export const EditBroadcast = CreateBroadcast.extend({ perSecond }).partial()
export type EditBroadcast = z.output<typeof EditBroadcast>

/** The start of a broadcast. Without a time, sending begins immediately. */
export const StartBroadcast = z.strictObject({ sendAt: z.iso.datetime().optional() }).default({})
export type StartBroadcast = z.output<typeof StartBroadcast>

/** The resumption of a broadcast, with another rate if it is given. */
export const ResumeBroadcast = z.strictObject({ perSecond: perSecond.optional() }).default({})
export type ResumeBroadcast = z.output<typeof ResumeBroadcast>

/** A test of a broadcast: its message to one contact. One idempotency key sends one test. */
export const TestBroadcast = z.strictObject({
  contactId: uuidInput,
  key: formText(1, HOOK_LIMITS.idempotencyKeyChars).optional(),
})
export type TestBroadcast = z.output<typeof TestBroadcast>

/** A page of a broadcast's recipients, by outcome. */
export const RecipientQuery = PageQuery.omit({ cursor: true }).extend({
  state: z.enum(RECIPIENT_OUTCOMES).optional(),
  cursor: z
    .string()
    .max(INBOX_LIMITS.keyChars)
    .transform((cursor, check) => {
      const after = cleanText(atobOrEmpty(cursor))
      if (/^(\d{1,9}|o_[0-9a-f]{32})$/.test(after)) return after
      check.addIssue(factIssue(fact('wrong_cursor')))
      return z.NEVER
    })
    .optional(),
})
export type RecipientQuery = z.output<typeof RecipientQuery>

function atobOrEmpty(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

/** Recipients by outcome. An outcome without recipients is left out. */
export type BroadcastCounts = { [Outcome in RecipientOutcome]?: number | undefined }

/** Numbers of skipped contacts by reason. */
export type SkippedCounts = readonly { reason: SkipReason; count: number }[]

export type BroadcastView = {
  id: string
  name: string
  channelId: string
  template: BroadcastTemplate
  audience: Audience
  perSecond: number
  state: BroadcastState
  /** The reason for an automatic pause. */
  reason: LocalizedFact | null
  sendAt: string | null
  /** Number of stored recipients, which grows until sending begins. */
  total: number
  counts: BroadcastCounts
  /** The recipients of `counts.skipped`, by reason. */
  leftOut: SkippedCounts
  /** The expected end at the current rate, while the broadcast is sending. */
  endsAt: string | null
  createdAt: string
  startedAt: string | null
  endedAt: string | null
}

/** The result of a check before the start: problems, recipients and a sample. */
export type BroadcastCheck = {
  /** The problems that prevent a start, by field. */
  problems: (LocalizedFact & { field: string })[]
  /** Number of contacts in the audience; null if there are too many to count in time. */
  contacts: number | null
  /** Number of contacts that would receive the message; null if that was not counted. */
  receivers: number | null
  /** The other contacts, by the reason for which they would be skipped. */
  leftOut: SkippedCounts
  perSecond: number
  /**
   * Expected duration in ms. It covers all contacts if the skipped ones are unknown, and is null if the number of
   * contacts is unknown.
   */
  lengthMs: number | null
  /** The text for the first recipient; null if there is no recipient or a problem prevents a start. */
  sample: { contactId: string; text: string } | null
}

export type RecipientView = {
  /** The id is null once the contact was merged into another recipient. */
  contactId: string | null
  name: string | null
  phone: string | null
  state: RecipientOutcome
  /** The reason for a skipped recipient. */
  skipReason: SkipReason | null
  messageId: string | null
  conversationId: string | null
  status: SentMessageStatus | null
  /** The code of a failed message: the provider's, or one of this service. */
  errorCode: string | null
  /** Details of a failure or a skip, if known. */
  detail: LocalizedFact | null
}

export interface BroadcastRoutes {
  '/companies/:companyId/broadcasts': {
    get: Route<Page<BroadcastView>, { query: typeof PageQuery }>
    post: Route<BroadcastView, { json: typeof CreateBroadcast }>
  }
  '/companies/:companyId/broadcasts/:broadcastId': {
    get: Route<BroadcastView>
    patch: Route<BroadcastView, { json: typeof EditBroadcast }>
    delete: Route<null>
  }
  '/companies/:companyId/broadcasts/:broadcastId/check': { post: Route<BroadcastCheck> }
  '/companies/:companyId/broadcasts/:broadcastId/test': {
    post: Route<null, { json: typeof TestBroadcast }>
  }
  '/companies/:companyId/broadcasts/:broadcastId/start': {
    post: Route<BroadcastView, { json: typeof StartBroadcast }>
  }
  '/companies/:companyId/broadcasts/:broadcastId/pause': { post: Route<BroadcastView> }
  '/companies/:companyId/broadcasts/:broadcastId/resume': {
    post: Route<BroadcastView, { json: typeof ResumeBroadcast }>
  }
  '/companies/:companyId/broadcasts/:broadcastId/cancel': { post: Route<BroadcastView> }
  '/companies/:companyId/broadcasts/:broadcastId/send-failed-again': { post: Route<BroadcastView> }
  '/companies/:companyId/broadcasts/:broadcastId/recipients': {
    get: Route<Page<RecipientView>, { query: typeof RecipientQuery }>
  }
}
