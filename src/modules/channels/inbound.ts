/** Provider events: what providers report about channels, in one form for the whole service. */
import type { Fact } from '../../core/facts/fact.ts'
import type { MessageType } from '../../core/vocabulary/channels.ts'
import type { Annotation } from './annotation.ts'

/** The ids that the provider used for one customer. */
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
  /** The language as the provider writes it, such as `ar` or `en-GB`. */
  language?: string
  /** The e-mail address as the customer typed it, unverified. */
  email?: string
  /** A number without its country, as typed. */
  rawPhone?: string
}

/** A reference to an attachment. */
export type MediaRef = {
  providerMediaId?: string
  url?: string
  mimeType?: string
  fileName?: string
  sha256?: string
  /** The id of a file that is stored already, so that nothing is downloaded. */
  fileId?: string
}

/**
 * The class of a failed send. With `recipient`, `template`, `window`, `opt_out` and `content`, this message will
 * never be sent; with `rate` and `transient`, it is retried later. With `auth`, the channel is no longer connected;
 * with `billing` and `blocked`, the operator must act at the provider.
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

/** An error that a provider reported, or a request without a response. */
export type ProviderError = {
  code: string
  class: ProviderErrorClass
  /** The provider's message; empty without one. */
  message: string
  /** The reason why the provider gave no response. */
  why?: Fact
  retryAfterMs?: number
  /** States that the customer stopped marketing from this number at the provider. */
  stopsMarketing?: true
}

/** A provider's report about a sent message. */
export type Receipt = {
  providerMessageId: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  error?: ProviderError
  /** This service's message id, when the provider repeats it. */
  ourReference?: string
  /** States that earlier messages to the same customer have the status, too. */
  andBefore?: true
  /** The recipient, when the provider names them. */
  customer?: CustomerRef
  at: Date
}

/**
 * An event that a provider reported. `route` is the provider's name for the channel: phone number id, page id, bot
 * id.
 */
export type ProviderEvent =
  | {
      kind: 'message'
      route: string
      providerMessageId: string
      customer: CustomerRef
      type: MessageType
      text: string | null
      media?: MediaRef
      /** The provider's time; null without one. */
      at: Date | null
      /** The provider's id of the quoted message, or of the one whose button was pressed. */
      replyToProviderId?: string
      /** The payload of a pressed button. */
      buttonPayload?: string
      /** The name and address of a location, else its coordinates. */
      place?: string
      /** The content of a card, an order, a form or a poll, for staff: not the customer's words. */
      details?: string
      /** A number that the provider verifies as the customer's own. Digits. */
      sharedOwnNumber?: string
      /** The page of the website on which it was written, as the client claims. */
      page?: string
      /** Additional attachments of the message, each with its own id. */
      further?: { providerMessageId: string; type: MessageType; media?: MediaRef }[]
    }
  | {
      kind: 'echo'
      route: string
      /** `agent` when an automation wrote it; otherwise the owner did, in the provider's own app. */
      by?: 'agent'
      providerMessageId: string
      customer: CustomerRef
      type: MessageType
      text: string | null
      media?: MediaRef
      at: Date | null
      place?: string
      details?: string
      /** States that the provider also echoes messages of this service, without marking them. */
      mayBeOurs?: true
    }
  | ({ kind: 'receipt'; route: string } & Receipt)
  /** A receipt of all messages to the customer until a time. */
  | {
      kind: 'watermark'
      route: string
      customer: CustomerRef
      status: 'delivered' | 'read'
      upTo: Date
      at: Date
    }
  | ({ kind: 'annotation'; route: string } & Annotation)
  | {
      kind: 'history'
      route: string
      /** The progress: the number of the phase, and the percentage of the whole. */
      progress?: { phase: number; percent: number }
      /** States that the owner does not share the history. */
      isDeclined?: true
      messages: {
        providerMessageId: string
        customer: CustomerRef
        outbound: boolean
        type: MessageType
        text: string | null
        media?: MediaRef
        at: Date | null
        place?: string
        details?: string
      }[]
    }
  /** Entries that were added to or removed from the owner's address book. */
  | {
      kind: 'address_book'
      route: string
      entries: { customer: CustomerRef; name: string | null; isRemoved: boolean }[]
    }
  /** Other ids of a customer. `change`: an account has new ids. `mapping`: all these ids belong to one account. */
  | {
      kind: 'identity'
      what: 'change' | 'mapping'
      route: string
      before: CustomerRef
      after: CustomerRef
      at: Date | null
    }
  | {
      kind: 'template'
      /** The provider's account of the channel, e.g. the WhatsApp Business account id. */
      account: string
      name: string
      language: string
      status?: string
      category?: string
    }
  /** The customer blocked or unblocked the business, independent of marketing. */
  | { kind: 'reach'; route: string; customer: CustomerRef; isReachable: boolean; at: Date | null }
  /** The customer stopped or resumed marketing from the channel, which is no opt-out. */
  | { kind: 'marketing'; route: string; customer: CustomerRef; isWanted: boolean; at: Date | null }
  | {
      kind: 'channel_state'
      account: string
      isConnected: boolean
      /** The provider's code, for a state without a sentence of this service. */
      reason: string
      why?: Fact
      /** The number of the channel, in digits; only one channel of a type has it. */
      displayNumber?: string
    }
  /** A notification without content, which the adapter's `readMore` loads. */
  | { kind: 'to_read'; route: string; what: Readonly<Record<string, string>> }
  | { kind: 'ignored'; why: string }
