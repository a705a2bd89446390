/** What a provider tells of a channel, as facts that every part of the service reads alike. */
import type { Fact } from '../../core/facts/fact.ts'
import type { MessageType } from '../../core/vocabulary/channels.ts'
import type { Annotation } from './annotation.ts'

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
  /** As the provider writes it, such as `ar` or `en-GB`. */
  language?: string
  /** As whoever writes gives it; nobody has proved that it is theirs. */
  email?: string
  /** A number without its country, as it was written. */
  rawPhone?: string
}

export type MediaRef = {
  providerMediaId?: string
  url?: string
  mimeType?: string
  fileName?: string
  sha256?: string
  /** It is here already, under this id: nothing is fetched. */
  fileId?: string
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
  /** What the provider said, in its own words; empty when it said nothing. */
  message: string
  /** Why the provider did not come to say anything. */
  why?: Fact
  retryAfterMs?: number
  /** The customer has told the provider to stop marketing from this number. */
  stopsMarketing?: true
}

export type Receipt = {
  providerMessageId: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  error?: ProviderError
  /** The reference we gave at the send (our message id), when the provider repeats it. */
  ourReference?: string
  /** What was sent to the same customer before it came as far, too. */
  andBefore?: true
  /** The customer who got the message, where the provider says. */
  customer?: CustomerRef
  at: Date
}

/** `route` is the provider's name for the channel: phone number id, page id, bot id. */
export type ProviderEvent =
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
      /** Of a location: its name and address, else where it lies. */
      place?: string
      /** What a card, an order, a form or a poll says, for staff: none of the customer's words. */
      details?: string
      /** A number that the provider proves to be the customer's own. Digits. */
      sharedOwnNumber?: string
      /** Where on a website it was written, as whoever wrote says. */
      page?: string
      /** What else it took along, where the provider has several files of one message. Each with an id of its own. */
      further?: { providerMessageId: string; type: MessageType; media?: MediaRef }[]
    }
  | {
      kind: 'echo'
      route: string
      /** The owner, in the provider's own app, unless a machine that speaks for the business said it. */
      by?: 'agent'
      providerMessageId: string
      customer: CustomerRef
      type: MessageType
      text: string | null
      media?: MediaRef
      at: Date | null
      place?: string
      details?: string
      /** The provider tells of what we sent, too, and not whether it is that. */
      mayBeOurs?: true
    }
  | ({ kind: 'receipt'; route: string } & Receipt)
  /** A receipt that names no message: all that was sent to the customer until then came so far. */
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
      /** How far it has come: in which of its parts, and how much of all of it. */
      progress?: { phase: number; percent: number }
      /** The owner does not share it. */
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
  /** Whom the owner has in the address book of their phone, or no longer has. */
  | {
      kind: 'address_book'
      route: string
      entries: { customer: CustomerRef; name: string | null; isRemoved: boolean }[]
    }
  /** The customer is now known by other ids. */
  /** `change`: an account has other ids than before. `mapping`: all these ids are one account's. */
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
  /** The customer lets the business write no more, or again, without a word about marketing. */
  | { kind: 'reach'; route: string; customer: CustomerRef; isReachable: boolean; at: Date | null }
  /** The customer wants no marketing from the channel, or will have it again: no opt-out. */
  | { kind: 'marketing'; route: string; customer: CustomerRef; isWanted: boolean; at: Date | null }
  | {
      kind: 'channel_state'
      account: string
      isConnected: boolean
      /** The provider's word, where there is no sentence of ours. */
      reason: string
      why?: Fact
      /** The number that it turned out to have. Digits; one channel of a type has it. */
      displayNumber?: string
    }
  /** The provider only says that there is something: the adapter's `readMore` asks what it is. */
  | { kind: 'to_read'; route: string; what: Readonly<Record<string, string>> }
  | { kind: 'ignored'; why: string }
