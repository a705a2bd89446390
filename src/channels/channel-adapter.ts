/**
 * The boundary between the house and a provider. Reading what a provider posts (`parse`) is pure and
 * total: bytes become facts, nothing is sent and nothing thrown. Writing (`send`) is the only I/O.
 *
 * What must not raise an event (receipts, echoes, history, edits, reactions) is a fact of another
 * kind, not a message with a flag: only `message` may start or resume anything.
 */
import type { Fact } from '../facts/fact.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { ChannelType, MessageType } from '../vocabulary/channels.ts'
import type { Annotation } from './annotation.ts'
import type { FileToSend, Outbound, TemplatePage } from './outbound.ts'
import type { Polled, PollOptions } from './polled.ts'
import type { ShowsTyping } from './shows-typing.ts'

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

export type { Annotation } from './annotation.ts'
export type { FileToSend, Outbound } from './outbound.ts'
export type { Polled, PollOptions } from './polled.ts'

/** A file that a customer sent, fetched. `lost`: the provider will never give it. */
export type FetchedMedia =
  | { outcome: 'fetched'; bytes: Buffer }
  | { outcome: 'refused'; error: ProviderError }
  | { outcome: 'lost'; why: Fact }

/** What a customer is called at the provider; null where nobody may know. */
export type FetchedProfile =
  | { outcome: 'fetched'; name: string | null }
  | { outcome: 'refused'; error: ProviderError }

/**
 * `unknown`: the request may have reached the provider but no answer came. It must not be sent
 * again; a receipt that carries our reference will tell.
 */
export type SendResult =
  | { outcome: 'accepted'; providerMessageId: string; customer?: CustomerRef }
  | { outcome: 'refused'; error: ProviderError }
  | { outcome: 'unknown' }

/** What a member types to connect a channel, by field. Of the secrets among it only the adapter knows. */
export type FormValues = Readonly<Record<string, string>>

/**
 * What a secret is for. `speaks`: it is shown to the provider, who can vouch for it; of these alone the
 * end is shown, to tell one from another. `signs`: what the provider posts is signed with it. `ours`: the
 * provider shows it to us when it is told our address; made where it is left out, and shown that once.
 */
export type SecretUse = 'speaks' | 'signs' | 'ours'

/** One form to connect, to edit and to view. */
export type CredentialsForm = {
  /** Every field with its rule. */
  fields: z.ZodObject<Record<string, z.ZodType<string | undefined, string | undefined>>>
  /** Those stored encrypted. Another channel at the provider needs them again, but for `ours`. */
  secrets: Readonly<Record<string, SecretUse>>
}

/** What a channel is at its provider, as its row keeps it in the open. */
export type ChannelIdentity = {
  /** The provider's name for it in what it posts: phone number id, page id, bot id. One channel has it. */
  route: string
  /** The provider's account that it belongs to. */
  account: string | null
  /** By which people know it. */
  displayNumber: string | null
  /** Open fields of the form that say how it works here, and not what it is at the provider. */
  settings: FormValues
}

/** A channel as its adapter is given it. */
export type ChannelAccess<Credentials = FormValues> = Omit<ChannelIdentity, 'displayNumber'> & {
  /** As far as it is known. */
  displayNumber?: string | null
  /** Its provider is the simulator on this machine: the same adapter on another base URL. */
  isSimulated: boolean
  credentials: Credentials
}

/** Of a request of a provider what its adapter judges. Nothing in it is to be believed yet. */
export type RawWebhook = { headers: IncomingHttpHeaders; body: Uint8Array }

/** What an unproven body names: plain names, each once, a bounded number of each. */
export type NamedInWebhook = {
  routes: string[]
  accounts: string[]
  /** More are named than these. */
  isCut: boolean
  /** Deeper, or of more pieces, than any webhook: it is not to be parsed at all. */
  isTooComplex: boolean
}

export type HandshakeAnswer = { status: 200; body: string } | { status: 403 }

export type ChannelCheck = { ok: true; label: string } | { ok: false; error: ProviderError }
export type PostsCheck = { ok: true } | { ok: false; error: ProviderError }

/** The provider said no, or nothing, to something that is no send. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  readonly error: ProviderError
  constructor(error: ProviderError) {
    super(error.message || error.code)
    this.error = error
  }
}

/** The posts of a provider. */
export type ProviderWebhook<Credentials extends FormValues = FormValues> = {
  /** Whether a request has the form of a genuine one, which is told before its body is read. */
  mayBeGenuine(headers: IncomingHttpHeaders): boolean
  /**
   * Which channels a body names. Total, and by steps: yields how many bytes it looks at next, so that
   * the caller can let others go first. Without it each channel has an address of its own, which names it.
   */
  namesIn?(body: Uint8Array): Generator<number, NamedInWebhook, void>
  /** What of the credentials tells the provider's posts from others'; channels may have it in common. */
  signerOf(credentials: Credentials, settings: FormValues): string
  /** The provider issues that secret: what it signs proves an address. Without it a member chooses the secret. */
  readonly isProvidersSecret?: true
  /** In constant time. Yields how many bytes it hashes next. */
  isSignedBy(raw: RawWebhook, signer: string): Generator<number, boolean, void>
  /**
   * The facts in a genuine body, in its order. Pure and total. `receivedAt` dates what has no time;
   * `channel` is the one whose address it came to, null at the address of all channels of the type.
   */
  parse(
    body: Uint8Array,
    context: { receivedAt: Date; channel: ChannelAccess<Credentials> | null },
  ): Inbound[]
  /** The facts that a `to_read` of a channel's own address stands for. @throws ProviderRefused */
  readMore?(
    channel: ChannelAccess<Credentials>,
    what: Readonly<Record<string, string>>,
  ): Promise<Inbound[]>
  /** The answer to a GET; without it there is none. */
  handshake?(
    query: URLSearchParams,
    isOurs: (secret: string) => Promise<boolean>,
  ): Promise<HandshakeAnswer>
}

/** A provider as the house knows it. Nobody outside the adapter's folder knows more of it. */
export type ChannelAdapter<Credentials extends FormValues = FormValues> = {
  readonly type: ChannelType
  readonly form: CredentialsForm
  /** Its provider offers no such thing, and may close the numbers of those who do it: someone accepts that. */
  readonly isUnofficial?: true
  /** Open fields that say to whom its credentials are shown: with another they are tried anew. */
  readonly shownBy?: readonly string[]
  /** What is kept and told of it has names of one route alone: another route is another channel. */
  readonly isOfOneRoute?: true
  /** Whether what is connected now is connected at the simulator: nobody else plays the provider here. */
  isPlayed?(): boolean
  /** What of a filled form is no secret, and the country that it tells of; null where it tells none. */
  identify(values: FormValues): ChannelIdentity & { country: string | null }
  /** The open fields of the form, as `identify` has kept them. */
  openFields(identity: ChannelIdentity): Record<string, string | null>
  /** How the provider posts; null where it does not. */
  readonly webhook: ProviderWebhook<Credentials> | null
  /**
   * Asks the provider once for what happened since the last time, or tends its posts. One process of all
   * nodes asks for a channel at a time; what the answer says is kept once its facts are taken in.
   */
  poll?(channel: ChannelAccess<Credentials>, about: PollOptions): Promise<Polled>
  /** Tells the provider that these facts of the channel are taken in, where it wants to hear. Best effort. */
  acknowledge?(channel: ChannelAccess<Credentials>, facts: readonly Inbound[]): Promise<void>
  /** Sends once. Never sends again by itself. @throws only before anything was sent. */
  send(
    channel: ChannelAccess<Credentials>,
    to: CustomerRef,
    message: Outbound,
    options: { ourReference: string; file: FileToSend | null },
  ): Promise<SendResult>
  /** How customers are shown that an answer is being written; without it they are not. */
  readonly typing?: ShowsTyping<Credentials>
  /** Fetches what a customer sent, at most so many bytes of it. Without it, what they send is lost. */
  fetchMedia?(
    channel: ChannelAccess<Credentials>,
    media: MediaRef,
    limits: { mostBytes: number },
  ): Promise<FetchedMedia>
  /** Asks what a customer is called, where what the provider posts does not tell. */
  fetchProfile?(channel: ChannelAccess<Credentials>, customer: CustomerRef): Promise<FetchedProfile>
  /** One page; the first without `after`. @throws ProviderRefused */
  listTemplates?(channel: ChannelAccess<Credentials>, after: string | null): Promise<TemplatePage>
  /** What is to be undone at the provider when a channel is taken out of use, or deleted. */
  readonly leaving?: {
    /** Names of kept values that outlive it, where the channel stays; and those that its return ends. */
    keeps: readonly string[]
    toldAnew: readonly string[]
    /** @throws ProviderRefused */
    tell(channel: ChannelAccess<Credentials>): Promise<void>
  }
  /** Sees to it that a deleted channel's provider posts to this address no more. @throws ProviderRefused */
  endPosts?(channel: ChannelAccess<Credentials>, webhookUrl: string): Promise<void>
  /** Asks the provider whether it accepts the channel's credentials. */
  check(channel: ChannelAccess<Credentials>): Promise<ChannelCheck>
  /** Asks the provider whether it posts what happens on the channel to this address of ours. */
  checkPosts?(channel: ChannelAccess<Credentials>, webhookUrl: string): Promise<PostsCheck>
  /** A provider's error in a sentence for whoever connects a channel. */
  explain(error: ProviderError): Fact
  /** Ends idle connections after the calls in flight. */
  close(): Promise<void>
}
