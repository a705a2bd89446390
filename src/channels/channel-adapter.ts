/**
 * The boundary between the house and a provider. Reading what a provider posts (`parse`) is pure and
 * total: bytes become facts, nothing is sent and nothing thrown. Writing (`send`) is the only I/O.
 *
 * What must not raise an event (receipts, echoes, history, edits, reactions) is a fact of another
 * kind, not a message with a flag: only `message` may start or resume anything.
 */
import type { MessageType } from '../vocabulary.ts'

/** Every id the provider used for one customer. */
export type CustomerRef = {
  /** Digits without `+`. */
  number?: string
  /** WhatsApp's business-scoped user id, as sent. */
  businessScopedId?: string
  parentBusinessScopedId?: string
  /** The QR channel's `@lid` id, as sent. */
  lid?: string
  /** An id of a provider without numbers (page-scoped id, chat id). Never shown to a merchant. */
  providerUserId?: string
  profileName?: string
  username?: string
}

export type MediaRef = {
  providerMediaId?: string
  url?: string
  mimeType?: string
  fileName?: string
  sha256?: string
}

/**
 * How a failed send is to be taken.
 * `recipient`, `template`, `window`, `opt_out`, `content`: this message will never go; `rate`,
 * `transient`: try later; `auth`: the channel is no longer connected; `billing`, `blocked`: the
 * operator must act at the provider.
 */
export type ProviderErrorClass =
  | 'window'
  | 'template'
  | 'recipient'
  | 'opt_out'
  | 'rate'
  | 'auth'
  | 'billing'
  | 'blocked'
  | 'content'
  | 'transient'
  | 'other'

export type ProviderError = {
  code: string
  class: ProviderErrorClass
  /** For people: what the provider said. */
  message: string
  retryAfterMs?: number
}

export type Receipt = {
  providerMessageId: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  error?: ProviderError
  /** The reference we gave at the send (our message id), when the provider repeats it. */
  ourReference?: string
  at: Date
}

/** `route` is the provider's name for the channel: phone number id, page id, bot id. */
export type Inbound =
  | {
      kind: 'message'
      route: string
      providerMessageId: string
      customer: CustomerRef
      type: MessageType
      text: string | null
      media?: MediaRef
      /** The provider's time; null where it gives none. */
      at: Date | null
      /** The provider's id of the message that this one quotes or whose button it presses. */
      replyToProviderId?: string
      /** The payload of a pressed button. */
      buttonPayload?: string
      /** A number that the provider proves to be the customer's own. Digits. */
      sharedOwnNumber?: string
    }
  | {
      kind: 'echo'
      route: string
      providerMessageId: string
      customer: CustomerRef
      type: MessageType
      text: string | null
      at: Date | null
    }
  | ({ kind: 'receipt'; route: string } & Receipt)
  | {
      kind: 'annotation'
      route: string
      what: 'reaction' | 'edit' | 'delete'
      ofProviderId: string
    }
  | {
      kind: 'history'
      route: string
      messages: {
        providerMessageId: string
        customer: CustomerRef
        outbound: boolean
        type: MessageType
        text: string | null
        at: Date | null
      }[]
    }
  /** The customer is now known by other ids. */
  | { kind: 'identity'; route: string; before: CustomerRef; after: CustomerRef }
  | {
      kind: 'template'
      /** The provider's account of the channel, e.g. the WhatsApp Business account id. */
      account: string
      name: string
      language: string
      status?: string
      category?: string
    }
  | { kind: 'channel_state'; account: string; isConnected: boolean; reason: string }
  | { kind: 'ignored'; why: string }

export type TemplateInfo = {
  providerTemplateId: string
  name: string
  language: string
  category: string
  status: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  /** As the provider lists them. */
  components: TemplateComponent[]
}

export type TemplateComponent = {
  type: string
  format?: string
  text?: string
  buttons?: { type: string; text?: string; url?: string }[]
}

export type Outbound =
  | { kind: 'text'; text: string }
  | {
      kind: 'template'
      name: string
      language: string
      parameterFormat: 'POSITIONAL' | 'NAMED'
      /** Body values in order (`1`, `2`, …) or by name, as the template's format says. */
      body: { name: string; text: string }[]
      header?: { name: string; text: string }
      /** One payload per quick-reply button, by its place among the template's buttons. */
      quickReplies: { index: number; payload: string }[]
      /** One suffix per url button with a variable. */
      urlSuffixes: { index: number; text: string }[]
    }

/**
 * `unknown`: the request may have reached the provider but no answer came. It must not be sent
 * again; a receipt that carries our reference will tell.
 */
export type SendResult =
  | { outcome: 'accepted'; providerMessageId: string; customer?: CustomerRef }
  | { outcome: 'refused'; error: ProviderError }
  | { outcome: 'unknown' }

/** A channel as an adapter needs it: where it is and how to speak for it. */
export type WhatsAppConnection = {
  /** Origin of the Graph API, e.g. `https://graph.facebook.com`; the simulator's on loopback. */
  baseUrl: string
  /** e.g. `v25.0`. */
  apiVersion: string
  phoneNumberId: string
  businessAccountId: string
  accessToken: string
}
