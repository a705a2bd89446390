import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { findUnfilled } from '../../rules/text/placeholders.ts'
import type { SentMessageStatus } from '../../core/vocabulary/channels.ts'
import { LANGUAGES, type Language } from '../../core/vocabulary/hooks.ts'
import {
  HANDOVER_REASONS,
  type EntryKind,
  type HandoverReason,
} from '../../core/vocabulary/inbox.ts'
import { factIssue, failsWith, ruleCode } from '../../schemas/broken-rule.ts'
import type { FileView } from './file.ts'
import { OrderedPageQuery, orderedPageQuery, storableTime } from './ordered-page.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { TEMPLATE_FORM } from '../../core/limits/messaging.ts'

const TABS = ['mine', 'unassigned', 'staff', 'assistant', 'open', 'resolved'] as const
export type ConversationTab = (typeof TABS)[number]
const SORTS = ['waiting', 'newest', 'closing'] as const

/** The filter of conversations that a list, its counts and a bulk close share. */
const filter = {
  reason: z.enum(HANDOVER_REASONS).optional(),
  channelId: uuidInput.optional(),
  /** A tag of the contact, in any case. */
  tag: z.string().min(1).max(INBOX_LIMITS.tagChars).transform(cleanText).optional(),
}

const minutes = z.coerce.number().int().min(1).max(INBOX_LIMITS.maxMinutes)

/** A page of the conversations of a tab. */
export const ConversationQuery = OrderedPageQuery.extend({
  ...filter,
  tab: z.enum(TABS).default('open'),
  /** The minimum number of minutes for which the customer has been waiting. */
  waitingMinutes: minutes.optional(),
  /** The service window is open, and closes within these minutes. */
  closingMinutes: minutes.optional(),
  /** Longest waiting, newest message, or window that closes first; each tab has its own without it. */
  sort: z.enum(SORTS).optional(),
  /** A name, a number in any form, an e-mail address or an id. */
  q: z.string().trim().min(1).max(INBOX_LIMITS.searchChars).optional(),
})
export type ConversationQuery = z.output<typeof ConversationQuery>

/** A page of a conversation's timeline. The cursor is a time and the position in the order of arrival. */
export const ConversationTimelineQuery = orderedPageQuery(
  storableTime,
  z.string().regex(/^\d{1,18}$/),
)

const turn = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** The `turn` of the conversation that the member saw, which guards against a concurrent change. */
export const TakeOver = z.strictObject({ turn })
export type TakeOver = z.output<typeof TakeOver>

/** The assignment to a person of the account. Null removes the assignment. */
export const AssignConversation = z.strictObject({ assigneeId: uuidInput.nullable(), turn })
export type AssignConversation = z.output<typeof AssignConversation>

const value = z.string().max(INBOX_LIMITS.templateValueChars).transform(cleanText)

/** A template by its name, with its values. */
export const TemplateToSend = z.strictObject({
  name: z.string().min(1).max(TEMPLATE_FORM.nameChars).transform(cleanText),
  /** The language defaults to the contact's, then to the first one of the template. */
  language: z.string().min(2).max(TEMPLATE_FORM.languageChars).transform(cleanText).optional(),
  /** Values of the body, in order or by name. */
  body: z
    .array(
      z.strictObject({ name: z.string().min(1).max(TEMPLATE_FORM.valueNameChars), text: value }),
    )
    .max(INBOX_LIMITS.templateValues)
    .default([]),
  header: value.nullable().default(null),
  urlSuffixes: z
    .array(
      z.strictObject({
        index: z
          .int()
          .min(0)
          .max(TEMPLATE_FORM.buttons - 1),
        text: value,
      }),
    )
    .max(TEMPLATE_FORM.buttons)
    .default([]),
})
export type TemplateToSend = z.output<typeof TemplateToSend>

/** An idempotency key: one key sends one message in a conversation. */
const key = formText(1, INBOX_LIMITS.keyChars)

/** A member's message to the customer: a text, a template or a file. */
export const SendReply = z
  .strictObject({
    key,
    text: formText(1, INBOX_LIMITS.replyChars).optional(),
    template: TemplateToSend.optional(),
    /** An upload of the company, with a caption. */
    fileId: uuidInput.optional(),
    caption: formText(0, INBOX_LIMITS.replyChars).optional(),
  })
  .refine(
    ({ text, template, fileId }) =>
      [text, template, fileId].filter((given) => given !== undefined).length === 1,
    { path: ['text'], ...failsWith(fact('text_file_or_template')) },
  )
  .refine(({ caption, fileId }) => caption === undefined || fileId !== undefined, {
    path: ['caption'],
    ...failsWith(fact('caption_without_file')),
  })
export type SendReply = z.output<typeof SendReply>

/** A template to a contact on a channel: it begins the conversation where there is none. */
export const StartConversation = z.strictObject({
  contactId: uuidInput,
  channelId: uuidInput,
  key,
  template: TemplateToSend,
})
export type StartConversation = z.output<typeof StartConversation>

/** A note. People of the account who are named by `@` are notified. */
export const WriteNote = z.strictObject({
  text: formText(1, INBOX_LIMITS.noteChars),
  mentions: z.array(uuidInput).max(INBOX_LIMITS.mentions).default([]),
})
export type WriteNote = z.output<typeof WriteNote>

export const EditNote = z.strictObject({ text: formText(1, INBOX_LIMITS.noteChars) })
export type EditNote = z.output<typeof EditNote>

/** The conversations to close: the named ones, or, as a job, all that a filter finds. */
export const BulkClose = z
  .strictObject({
    ids: z
      .array(z.string().min(1).max(INBOX_LIMITS.conversationIdChars).transform(cleanText))
      .min(1)
      .max(INBOX_LIMITS.closedPerRequest)
      .optional(),
    filter: z
      .strictObject({ ...filter, tab: z.enum(TABS).exclude(['mine', 'resolved']).default('open') })
      .optional(),
  })
  .refine(({ ids, filter: found }) => (ids === undefined) !== (found === undefined), {
    path: ['ids'],
    ...failsWith(fact('ids_or_filter')),
  })
export type BulkClose = z.output<typeof BulkClose>
export type CloseFilter = NonNullable<BulkClose['filter']>

/** A query for saved replies. With `conversationId` their placeholders are filled for that conversation's customer. */
export const CannedReplyQuery = z.object({
  conversationId: z.string().min(1).max(INBOX_LIMITS.conversationIdChars).optional(),
})

const shortcut = z.string().regex(/^[\p{L}\p{N}_-]{1,40}$/u, ruleCode('not_a_shortcut'))
const language = z.enum(LANGUAGES).nullable()
/** The placeholders that are filled in when a saved reply is inserted. */
const FILLED_IN = ['contact.name', 'contact.phone']
const cannedText = formText(1, INBOX_LIMITS.cannedChars).superRefine((text, issues) => {
  const placeholder = findUnfilled(text, FILLED_IN)
  if (placeholder !== null)
    issues.addIssue(factIssue(fact('placeholder_unknown', { placeholder, known: FILLED_IN })))
})

export const CreateCannedReply = z.strictObject({
  shortcut,
  /**
   * The text may have the placeholders `{{contact.name}}` and `{{contact.phone}}`, which are filled in on insertion.
   */
  text: cannedText,
  language: language.default(null),
})
export type CreateCannedReply = z.output<typeof CreateCannedReply>

export const EditCannedReply = z.strictObject({
  shortcut: shortcut.optional(),
  text: cannedText.optional(),
  language: language.optional(),
})
export type EditCannedReply = z.output<typeof EditCannedReply>

export type PersonView = { id: string; name: string | null }

/** A member who can be chosen. A person without a name is called by their e-mail address. */
export type ListedPerson = { id: string; name: string }

export type ChannelName = {
  id: string
  type: string
  name: string | null
  /** Digits without +. */
  displayNumber: string | null
}

export type StartableFlow = { id: string; name: string }

export type ConversationView = {
  id: string
  channelId: string
  channelType: string
  /** Null for a visitor of a widget. */
  contact: { id: string; name: string | null; phone: string | null; isOptedOut: boolean } | null
  visitorName: string | null
  /** The address as a visitor of a widget wrote it. */
  visitorEmail: string | null
  status: 'open' | 'resolved'
  /** The conversation's current handler. */
  handledBy: 'assistant' | 'staff'
  /** The time at which a take-over by the owner's reply in the provider's app ends automatically. */
  takenOverUntil: string | null
  assignee: PersonView | null
  needsStaff: boolean
  waitingSince: string | null
  turn: number
  /** The open handover. */
  handover: {
    id: string
    reason: HandoverReason
    reasonText: string | null
    openedAt: string
  } | null
  /** `author`: the member who wrote it. */
  lastMessage: { text: string | null; sender: string; author: PersonView | null; at: string } | null
  /** The customer and the content are erased. */
  isErased: boolean
  /** The customer has written since a member last read the conversation. */
  isUnread: boolean
  windowEndsAt: string | null
  resolvedAt: string | null
  createdAt: string
}

/** The kinds of message that may be sent now, with the reasons against the others. */
export type ComposerView = {
  mayText: boolean
  mayTemplate: boolean
  /** The reason why no text may be sent. */
  whyNot: LocalizedFact | null
  /** The time until which a text may be sent; null if no end is known. */
  until: string | null
  longest: number | null
  unit: 'code_points' | 'utf8_bytes'
  /** Number of messages that the channel sends first, and the expected time on a channel with a rate limit. */
  place: number
  paceEta: string | null
}

/** A contact with the same details as a visitor of a widget. The visitor may still be another person. */
export type ContactHint = {
  id: string
  name: string | null
  by: 'phone' | 'email'
  /** The value as the visitor wrote it. */
  value: string
}

export type ConversationDetail = ConversationView & {
  composer: ComposerView
  /** Hints exist only for a visitor of a widget. */
  hints: ContactHint[]
}

/** Numbers of conversations by tab; each count stops at `max`. */
export type ConversationCounts = Record<ConversationTab, number> & { max: number }

/** A message of the timeline. */
export type MessageView = {
  kind: 'message'
  id: string
  conversationId: string
  direction: 'in' | 'out'
  sender: string
  /** The member who wrote it. */
  author: PersonView | null
  type: string
  text: string | null
  /** The texts before each edit at the provider, oldest first. */
  earlierTexts: { text: string | null; until: string }[]
  /** The time at which the author deleted the message at the provider. */
  deletedAt: string | null
  /** The emoji that the customer has put on it. */
  reaction: string | null
  /** The text that a model transcribed from a voice note. */
  transcript: string | null
  /** The name and address of a location, or its coordinates. */
  place: string | null
  /** The content of a card, an order, a form or a poll, which the customer did not write as text. */
  details: string | null
  /** The page of the website on which an enquiry was written, as the sender claims. */
  page: string | null
  /** The stored attachment. */
  file: FileView | null
  templateName: string | null
  runId: string | null
  /** The assistant's reply that it is a part of. */
  replyId: string | null
  status: SentMessageStatus | null
  errorCode: string | null
  errorDetail: LocalizedFact | null
  at: string
  sentAt: string | null
  deliveredAt: string | null
  readAt: string | null
  failedAt: string | null
}

/** An entry between messages: a note, a handover, an assignment. */
export type EntryView = {
  kind: 'entry'
  id: string
  conversationId: string
  entry: EntryKind
  by: { kind: string; id: string | null; name: string | null }
  text: string | null
  data: Record<string, unknown>
  at: string
  editedAt: string | null
}

export type TimelineItem = MessageView | EntryView

/** The reply that was sent. `isNew` is false if an earlier request with the same key sent it. */
export type SentReply = { message: MessageView; conversation: ConversationView; isNew: boolean }

export type CannedReplyView = {
  id: string
  shortcut: string
  text: string
  /** The text with the names of the conversation's customer, if a conversation is named. */
  filledText: string | null
  language: Language | null
  /** The signed-in member may change and delete the reply. An Agent may do so only with replies that they created. */
  mayChange: boolean
  updatedAt: string
}

export type CloseJobView = {
  id: string
  state: 'running' | 'done' | 'cancelled'
  filter: CloseFilter
  lookedAt: number
  closed: number
  createdAt: string
  endedAt: string | null
}

/** The result of a bulk close: the conversations closed by id, or the job that closes by filter. */
export type BulkClosed = { closed: number; job: CloseJobView | null }
