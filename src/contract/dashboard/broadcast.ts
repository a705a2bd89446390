/** Broadcasts: a template to many contacts. Spec: Broadcasts › Drafts. */
import { z } from 'zod'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { fact } from '../../core/facts/fact.ts'
import type {
  BroadcastState,
  RecipientOutcome,
  SkipReason,
} from '../../core/vocabulary/broadcasts.ts'
import type { SentMessageStatus } from '../../core/vocabulary/channels.ts'
import { RECIPIENT_OUTCOMES } from '../../core/vocabulary/broadcasts.ts'
import { issueFact } from '../../schemas/broken-rule.ts'
import { TemplateToSend } from './conversation.ts'
import { PageQuery } from './page.ts'
import { SegmentFilter } from './segment.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './told.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'

/** Whom it is for. */
export const Audience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('segment'), segmentId: uuidInput }),
  z.strictObject({ kind: z.literal('filter'), filter: SegmentFilter }),
  z.strictObject({
    kind: z.literal('contacts'),
    contactIds: z.array(uuidInput).min(1).max(BROADCAST_LIMITS.contacts),
  }),
  /** Those whom another broadcast has failed to reach. */
  z.strictObject({ kind: z.literal('failed_of'), broadcastId: uuidInput }),
])
export type Audience = z.output<typeof Audience>

/** With placeholders in its values. */
export const BroadcastTemplate = TemplateToSend
export type BroadcastTemplate = TemplateToSend

/** Messages a second. */
const perSecond = z.int().min(1).max(BROADCAST_LIMITS.perSecondMost)

export const CreateBroadcast = z.strictObject({
  name: formText(1, BROADCAST_LIMITS.nameChars),
  channelId: uuidInput,
  template: BroadcastTemplate,
  audience: Audience,
  perSecond: perSecond.default(BROADCAST_LIMITS.perSecond),
})
export type CreateBroadcast = z.output<typeof CreateBroadcast>

/** What is named replaces the whole of it. */
export const EditBroadcast = CreateBroadcast.extend({ perSecond }).partial()
export type EditBroadcast = z.output<typeof EditBroadcast>

/** Without a time it begins at once. */
export const StartBroadcast = z.strictObject({ sendAt: z.iso.datetime().optional() }).default({})
export type StartBroadcast = z.output<typeof StartBroadcast>

/** Another pace from here on. */
export const ResumeBroadcast = z.strictObject({ perSecond: perSecond.optional() }).default({})
export type ResumeBroadcast = z.output<typeof ResumeBroadcast>

/** One key sends one test: what is asked for twice is done once. */
export const TestBroadcast = z.strictObject({
  contactId: uuidInput,
  key: formText(1, HOOK_LIMITS.idempotencyKeyChars).optional(),
})
export type TestBroadcast = z.output<typeof TestBroadcast>

export const RecipientQuery = PageQuery.omit({ cursor: true }).extend({
  state: z.enum(RECIPIENT_OUTCOMES).optional(),
  cursor: z
    .string()
    .max(INBOX_LIMITS.keyChars)
    .transform((cursor, check) => {
      const after = cleanText(atobOrEmpty(cursor))
      if (/^(\d{1,9}|o_[0-9a-f]{32})$/.test(after)) return after
      check.addIssue(issueFact(fact('wrong_cursor')))
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

/** Recipients by what became of them; what nobody is, is left out. */
export type BroadcastCounts = { [Outcome in RecipientOutcome]?: number | undefined }

/** Who of a broadcast is not written to, by why. */
export type LeftOut = readonly { reason: SkipReason; count: number }[]

export type BroadcastView = {
  id: string
  name: string
  channelId: string
  template: BroadcastTemplate
  audience: Audience
  perSecond: number
  state: BroadcastState
  /** Why it has paused by itself. */
  reason: LocalizedFact | null
  sendAt: string | null
  /** Recipients, once they are written down. */
  total: number
  counts: BroadcastCounts
  /** Those of `counts.skipped`, by why. */
  leftOut: LeftOut
  /** When it will be over at the present pace, while it sends. */
  endsAt: string | null
  createdAt: string
  startedAt: string | null
  endedAt: string | null
}

export type BroadcastCheck = {
  /** What stands in the way of a start, by field. */
  problems: (LocalizedFact & { field: string })[]
  /** How many contacts it is for now; null where there are too many to count in time. */
  contacts: number | null
  /** How many of them would be written to; null where that was not counted. */
  receivers: number | null
  /** The others, by why they would be left out. */
  leftOut: LeftOut
  perSecond: number
  /** How long it would take, for all of them where it is not known who is left out; null where it is not known to how many. */
  lengthMs: number | null
  /** What the first of them would read; null where nobody would, or something stands in the way. */
  sample: { contactId: string; text: string } | null
}

export type RecipientView = {
  /** Null of one who has become part of another recipient. */
  contactId: string | null
  name: string | null
  phone: string | null
  state: RecipientOutcome
  /** Of who is skipped. */
  skipReason: SkipReason | null
  messageId: string | null
  conversationId: string | null
  status: SentMessageStatus | null
  /** The provider's code of a message that failed, or ours. */
  errorCode: string | null
  /** Why it failed or was skipped, where more is known. */
  detail: LocalizedFact | null
}
