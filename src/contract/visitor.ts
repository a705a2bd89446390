/** Requests and answers of a widget. Spec: Channels › The website's chat. */
import { z } from 'zod'
import { VISITOR_LIMITS } from '../core/limits/visitors.ts'
import { CAPABILITIES } from '../rules/messaging/channel-capabilities.ts'
import type { MediaKind } from '../core/vocabulary/files.ts'
import { formText } from '../schemas/form-text.ts'
import { DASHBOARD_LIMITS } from '../core/limits/http.ts'
import { ruleOf } from '../schemas/broken-rule.ts'
import { uuidInput } from '../schemas/uuid-input.ts'

const clientMessageId = z
  .string()
  .regex(/^[\x21-\x7e]+$/, ruleOf('not_printable'))
  .max(VISITOR_LIMITS.clientMessageIdChars)

/** `visitorToken`: the one from last time. */
export const OpenSession = z.strictObject({
  widgetKey: z.string().max(VISITOR_LIMITS.clientMessageIdChars),
  visitorToken: z.string().max(VISITOR_LIMITS.clientMessageIdChars).nullish(),
})
export type OpenSession = z.output<typeof OpenSession>

/**
 * A text, or a file that was uploaded, with or without words. `name` and `email` are kept with the
 * conversation. `clientMessageId` is the page's own: said twice, it is one message.
 */
export const VisitorSays = z.strictObject({
  type: z.literal('message').optional(),
  clientMessageId,
  text: formText(1, CAPABILITIES.web_widget.longestText!).nullish(),
  uploadId: uuidInput.nullish(),
  name: formText(1, VISITOR_LIMITS.nameChars).nullish(),
  email: z.email().max(DASHBOARD_LIMITS.emailChars).nullish(),
})
export type VisitorSays = z.output<typeof VisitorSays>

export type VisitorMessage = {
  id: string
  from: 'visitor' | 'shop'
  type: string
  text: string | null
  file: {
    id: string
    kind: MediaKind
    mediaType: string
    name: string | null
    size: number
  } | null
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
