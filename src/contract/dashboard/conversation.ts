import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { findUnfilled } from '../../rules/text/placeholders.ts'
import type { SentMessageStatus } from '../../core/vocabulary/channels.ts'
import {
  HANDOVER_REASONS,
  type EntryKind,
  type HandoverReason,
} from '../../core/vocabulary/inbox.ts'
import { breaks, issueFact } from '../../schemas/broken-rule.ts'
import type { FileView } from './file.ts'
import { OrderedPageQuery, orderedPageQuery, placeInTime } from './ordered-page.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './told.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { TEMPLATE_FORM } from '../../core/limits/messaging.ts'

const TABS = ['mine', 'unassigned', 'staff', 'assistant', 'open', 'resolved'] as const
export type ConversationTab = (typeof TABS)[number]
const SORTS = ['waiting', 'newest', 'closing'] as const

/** What of the conversations is meant; of a list, of its counts and of a bulk close. */
const filter = {
  reason: z.enum(HANDOVER_REASONS).optional(),
  channelId: uuidInput.optional(),
  /** Of the contact, without regard to case. */
  tag: z.string().min(1).max(INBOX_LIMITS.tagChars).transform(cleanText).optional(),
}

const minutes = z.coerce.number().int().min(1).max(INBOX_LIMITS.minutesAsked)

export const ConversationQuery = OrderedPageQuery.extend({
  ...filter,
  tab: z.enum(TABS).default('open'),
  /** Waiting for at least so many minutes. */
  waitingMinutes: minutes.optional(),
  /** Its window is open, and closes within so many minutes. */
  closingMinutes: minutes.optional(),
  /** Longest waiting, newest message, or window that closes first; each tab has its own without it. */
  sort: z.enum(SORTS).optional(),
  /** A name, a number in any form, an e-mail address or an id. */
  q: z.string().trim().min(1).max(INBOX_LIMITS.searchChars).optional(),
})
export type ConversationQuery = z.output<typeof ConversationQuery>

/** A page of a conversation's lines: a place is a time, and the line's place in the order of arrival. */
export const ConversationTimelineQuery = orderedPageQuery(
  placeInTime,
  z.string().regex(/^\d{1,18}$/),
)

const turn = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** `turn`: of the conversation as the member sees it. */
export const TakeOver = z.strictObject({ turn })
export type TakeOver = z.output<typeof TakeOver>

/** To a person of the account, or to nobody. */
export const AssignConversation = z.strictObject({
  assigneeId: uuidInput.nullable(),
  turn,
})
export type AssignConversation = z.output<typeof AssignConversation>

const value = z.string().max(INBOX_LIMITS.templateValueChars).transform(cleanText)

/** A template by its name, and what is put into it. */
export const TemplateToSend = z.strictObject({
  name: z.string().min(1).max(TEMPLATE_FORM.nameChars).transform(cleanText),
  /** Without it the contact's, else the first that the template has. */
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

/** The same key in a conversation sends one message, however often it is asked for. */
const key = formText(1, INBOX_LIMITS.keyChars)

export const SendReply = z
  .strictObject({
    key,
    text: formText(1, INBOX_LIMITS.replyChars).optional(),
    template: TemplateToSend.optional(),
    /** An upload of the company, and what is written below it. */
    fileId: uuidInput.optional(),
    caption: formText(0, INBOX_LIMITS.replyChars).optional(),
  })
  .refine(
    ({ text, template, fileId }) =>
      [text, template, fileId].filter((given) => given !== undefined).length === 1,
    { path: ['text'], ...breaks(fact('text_file_or_template')) },
  )
  .refine(({ caption, fileId }) => caption === undefined || fileId !== undefined, {
    path: ['caption'],
    ...breaks(fact('caption_without_file')),
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

/** People of the account who are named by `@` are told. */
export const WriteNote = z.strictObject({
  text: formText(1, INBOX_LIMITS.noteChars),
  mentions: z.array(uuidInput).max(INBOX_LIMITS.mentions).default([]),
})
export type WriteNote = z.output<typeof WriteNote>

export const EditNote = z.strictObject({ text: formText(1, INBOX_LIMITS.noteChars) })
export type EditNote = z.output<typeof EditNote>

/** Those that are named, or as a job all that a filter finds. */
export const BulkClose = z
  .strictObject({
    ids: z
      .array(z.string().min(1).max(INBOX_LIMITS.conversationIdChars).transform(cleanText))
      .min(1)
      .max(INBOX_LIMITS.closedAtOnce)
      .optional(),
    filter: z
      .strictObject({ ...filter, tab: z.enum(TABS).exclude(['mine', 'resolved']).default('open') })
      .optional(),
  })
  .refine(({ ids, filter: found }) => (ids === undefined) !== (found === undefined), {
    path: ['ids'],
    ...breaks(fact('ids_or_filter')),
  })
export type BulkClose = z.output<typeof BulkClose>
export type CloseFilter = NonNullable<BulkClose['filter']>

/** `conversationId`: fills the replies in for the customer of that conversation. */
export const CannedReplyQuery = z.object({
  conversationId: z.string().min(1).max(INBOX_LIMITS.conversationIdChars).optional(),
})

const shortcut = z.string().regex(/^[\p{L}\p{N}_-]{1,40}$/u, 'not_a_shortcut')
const language = z.enum(['ar', 'en']).nullable()
/** What is filled in where a saved reply is put into a reply. */
const FILLED_IN = ['contact.name', 'contact.phone']
const cannedText = formText(1, INBOX_LIMITS.cannedChars).superRefine((text, issues) => {
  const placeholder = findUnfilled(text, FILLED_IN)
  if (placeholder !== null)
    issues.addIssue(issueFact(fact('placeholder_unknown', { placeholder, known: FILLED_IN })))
})

export const CreateCannedReply = z.strictObject({
  shortcut,
  /** May hold `{{contact.name}}` and `{{contact.phone}}`, which are filled in when it is put into a reply. */
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
  /** As a visitor of a widget has written it. */
  visitorEmail: string | null
  status: 'open' | 'resolved'
  /** Who answers now. */
  handledBy: 'assistant' | 'staff'
  /** When a take-over by the owner's reply from the provider's app ends by itself. */
  takenOverUntil: string | null
  assignee: PersonView | null
  needsStaff: boolean
  waitingSince: string | null
  turn: number
  /** The open one. */
  handover: {
    id: string
    reason: HandoverReason
    reasonText: string | null
    openedAt: string
  } | null
  /** `author`: the member who wrote it. */
  lastMessage: { text: string | null; sender: string; author: PersonView | null; at: string } | null
  /** Whoever it was with is erased, and what was said. */
  isErased: boolean
  /** The customer has written since somebody last looked. */
  isUnread: boolean
  windowEndsAt: string | null
  resolvedAt: string | null
  createdAt: string
}

/** What may be written now, and why not. */
export type ComposerView = {
  mayText: boolean
  mayTemplate: boolean
  /** Why no text may be sent. */
  whyNot: LocalizedFact | null
  /** Until when a text may be sent; null where no end is known. */
  until: string | null
  longest: number | null
  unit: 'code_points' | 'utf8_bytes'
  /** How many of the channel go out before it, and about when, where the channel keeps a pace. */
  place: number
  paceEta: string | null
}

/** A contact that has what a visitor of a widget gave; they may be somebody else all the same. */
export type ContactHint = {
  id: string
  name: string | null
  by: 'phone' | 'email'
  /** As the visitor gave it. */
  value: string
}

export type ConversationDetail = ConversationView & {
  composer: ComposerView
  /** Of a visitor of a widget alone. */
  hints: ContactHint[]
}

/** Each stops at `most`. */
export type ConversationCounts = Record<ConversationTab, number> & { most: number }

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
  /** What it said before each edit at the provider, oldest first. */
  earlierTexts: { text: string | null; until: string }[]
  /** When who wrote it deleted it at the provider. */
  deletedAt: string | null
  /** The emoji that the customer has put on it. */
  reaction: string | null
  /** What a voice note was heard to say, by a model. */
  transcript: string | null
  /** Of a location: its name and address, else where it lies. */
  place: string | null
  /** What a card, an order, a form or a poll says, which are no words of the customer's. */
  details: string | null
  /** Of an enquiry: where on the website it was written, as whoever wrote says. */
  page: string | null
  /** What it took along, where it is kept. */
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

/** As asked, and as it came to be: the same key had sent it before where it is not new. */
export type SentReply = { message: MessageView; conversation: ConversationView; isNew: boolean }

export type CannedReplyView = {
  id: string
  shortcut: string
  text: string
  /** With the names of the conversation's customer put in, where one is named. */
  filledText: string | null
  language: 'ar' | 'en' | null
  /** Whether the member who asks may change and delete it: an Agent only what they have made. */
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

export type BulkClosed = { closed: number; job: CloseJobView | null }
