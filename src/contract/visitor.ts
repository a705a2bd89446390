/** Requests and answers of a widget. Spec: Channels › The website's chat. */
import { emailInput } from '../schemas/email-input.ts'
import { z } from 'zod'
import { VISITOR_LIMITS } from '../core/limits/visitors.ts'
import { CAPABILITIES } from '../rules/messaging/channel-capabilities.ts'
import type { MediaKind } from '../core/vocabulary/files.ts'
import { formText } from '../schemas/form-text.ts'
import { ruleCode } from '../schemas/broken-rule.ts'
import { uuidInput } from '../schemas/uuid-input.ts'

const clientMessageId = z
  .string()
  .regex(/^[\x21-\x7e]+$/, ruleCode('not_printable'))
  .max(VISITOR_LIMITS.clientMessageIdChars)

/** A session to open. `visitorToken` is the one of the previous session. */
export const OpenSession = z.strictObject({
  widgetKey: z.string().max(VISITOR_LIMITS.clientMessageIdChars),
  visitorToken: z.string().max(VISITOR_LIMITS.clientMessageIdChars).nullish(),
})
export type OpenSession = z.output<typeof OpenSession>

/**
 * A message: a text, or an uploaded file with or without a caption. `name` and `email` are stored with the
 * conversation. `clientMessageId` is chosen by the page: a message that is sent twice counts once.
 */
export const SendVisitorMessage = z.strictObject({
  type: z.literal('message').optional(),
  clientMessageId,
  text: formText(1, CAPABILITIES.web_widget.longestText!).nullish(),
  uploadId: uuidInput.nullish(),
  name: formText(1, VISITOR_LIMITS.nameChars).nullish(),
  email: emailInput.nullish(),
})
export type SendVisitorMessage = z.output<typeof SendVisitorMessage>

export type VisitorMessage = {
  id: string
  from: 'visitor' | 'shop'
  type: string
  text: string | null
  file: { id: string; kind: MediaKind; mediaType: string; name: string | null; size: number } | null
  at: string
  /** The id that the page gave the visitor's message. */
  clientMessageId: string | null
}

export type VisitorSession = {
  visitorToken: string
  /** The details as the visitor wrote them; null if they have given none. */
  visitor: { name: string | null; email: string | null } | null
  /** The last page, the oldest first. */
  messages: VisitorMessage[]
  hasMore: boolean
  /** The position from which a stream continues. */
  position: string
}
