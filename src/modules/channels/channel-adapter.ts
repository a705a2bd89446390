/**
 * The boundary between the service and a provider. Parsing a webhook (`parse`) is pure and total: it converts bytes
 * to events, sends nothing and never throws. Sending (`send`) does the I/O.
 *
 * Anything that must not raise an event (receipts, echoes, history, edits, reactions) is another kind of provider
 * event, not a message with a flag: only `message` may start or resume anything.
 */
import type { Fact } from '../../core/facts/fact.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { FileToSend, Outbound, TemplatePage } from './outbound.ts'
import type { TypingIndicator } from './typing-indicator.ts'
import type { CustomerRef, MediaRef, ProviderError, ProviderEvent } from './inbound.ts'
import type { FormValues, ChannelIdentity, ChannelAccess } from './channel-access.ts'

/** The options of a poll. */
export type PollOptions = {
  /** Loads stored state by name, decrypted. */
  recall(names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The long-polling timeout, in ms. */
  waitMs: number
  /** Aborts when the result is no longer needed. */
  signal: AbortSignal
  /** The channel's webhook address; null without a webhook. */
  webhookUrl: string | null
  receivedAt: Date
}

/** The result of a poll. */
export type PollOutcome =
  | {
      outcome: 'polled'
      /** The events in their order; all are ingested before state is stored. */
      events: ProviderEvent[]
      /** State to store by name; null deletes a value. */
      keep?: Readonly<Record<string, string | null>>
      /** The minimum delay until the next poll, in ms. */
      againInMs: number
      /** A reason why no events arrive although the provider responds. */
      problem?: Fact
    }
  | { outcome: 'refused'; error: ProviderError }

export type { Annotation } from './annotation.ts'
export type { FileToSend, Outbound } from './outbound.ts'

/** A downloaded attachment. `lost`: the provider will never deliver it. */
export type FetchedMedia =
  | { outcome: 'fetched'; bytes: Buffer }
  | { outcome: 'refused'; error: ProviderError }
  | { outcome: 'lost'; why: Fact }

/** A customer's name at the provider; null when it is not disclosed. */
export type FetchedProfile =
  | { outcome: 'fetched'; name: string | null }
  | { outcome: 'refused'; error: ProviderError }

/**
 * The result of a send. `unknown`: the request may have reached the provider, but no response came. It must not be
 * sent again; a receipt with this service's reference decides.
 */
export type SendResult =
  | { outcome: 'accepted'; providerMessageId: string; customer?: CustomerRef }
  | { outcome: 'refused'; error: ProviderError }
  | { outcome: 'unknown' }

/**
 * The use of a secret. `authenticates`: it authenticates the channel to the provider, which can confirm it; only its
 * end is displayed. `verifies`: it verifies the provider's webhooks. `confirms`: the provider presents it to confirm
 * the webhook address; it is generated if left out, and then displayed once.
 */
export type SecretUse = 'authenticates' | 'verifies' | 'confirms'

/** The form to connect, edit and view a channel. */
export type CredentialsForm = {
  /** The rules of each field. */
  fields: z.ZodObject<Record<string, z.ZodType<string | undefined, string | undefined>>>
  /** The fields that are stored encrypted. Another channel at the provider requires them again, except for `confirms`. */
  secrets: Readonly<Record<string, SecretUse>>
}

/** The parts of a webhook request that the adapter verifies. They are untrusted. */
export type RawWebhook = { headers: IncomingHttpHeaders; body: Uint8Array }

/**
 * The provider's ids that an unverified body names: of channels (`routes`, such as a phone number id) and of accounts
 * that own several channels. Each appears once, up to a limit.
 */
export type WebhookNames = {
  routes: string[]
  accounts: string[]
  /** States whether the body names more than these. */
  isCut: boolean
  /** States whether the body is deeper or larger than any genuine webhook, so that it is not parsed. */
  isTooComplex: boolean
}

/** The response to a provider's verification of a webhook address. */
export type HandshakeAnswer = { status: 200; body: string } | { status: 403 }

/** The result of checking a channel's credentials. */
export type ChannelCheck = { ok: true; label: string } | { ok: false; error: ProviderError }
/** The result of checking whether the provider posts to the service. */
export type PostsCheck = { ok: true } | { ok: false; error: ProviderError }

/** An error for a provider request, other than a send, that was refused or got no response. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  readonly error: ProviderError
  constructor(error: ProviderError) {
    super(error.message || error.code)
    this.error = error
  }
}

/** The webhooks of a provider: verification, and parsing into provider events. */
export type ProviderWebhook<Credentials extends FormValues = FormValues> = {
  /** Returns whether a request may be genuine by its headers, before its body is read. */
  mayBeGenuine(headers: IncomingHttpHeaders): boolean
  /**
   * Returns the ids of the channels and accounts that an unverified body names, and yields the size in bytes of each
   * slice that it reads next, for the time slicer. Total. Without it each channel has a separate webhook address.
   */
  namesIn?(body: Uint8Array): Generator<number, WebhookNames, void>
  /** Returns the part of the credentials that verifies webhooks; channels may share it. */
  signerOf(credentials: Credentials, settings: FormValues): string
  /**
   * States that the provider issues this secret, so that a signature vouches for the sender's address. Otherwise a
   * member chooses the secret.
   */
  readonly isProvidersSecret?: true
  /** Verifies a signature in constant time. Yields how many bytes it hashes next. */
  isSignedBy(raw: RawWebhook, signer: string): Generator<number, boolean, void>
  /**
   * Returns the events of a genuine body, in its order. Pure and total. `receivedAt` dates events without a time;
   * `channel` is the one whose address was used, null at the address of a whole type.
   */
  parse(
    body: Uint8Array,
    context: { receivedAt: Date; channel: ChannelAccess<Credentials> | null },
  ): ProviderEvent[]
  /** Loads the events that a `to_read` of a channel's own address refers to. @throws ProviderRefused */
  readMore?(
    channel: ChannelAccess<Credentials>,
    what: Readonly<Record<string, string>>,
  ): Promise<ProviderEvent[]>
  /** Answers a GET that verifies the webhook address. */
  handshake?(
    query: URLSearchParams,
    isOurs: (secret: string) => Promise<boolean>,
  ): Promise<HandshakeAnswer>
}

/** A provider as the service sees it. Only the adapter's folder knows more. */
export type ChannelAdapter<Credentials extends FormValues = FormValues> = {
  readonly type: ChannelType
  readonly form: CredentialsForm
  /**
   * States that the provider does not offer this and may block numbers that use it: a member has to accept the risk.
   */
  readonly isUnofficial?: true
  /** Form fields that decide who receives the credentials: after a change they are checked again. */
  readonly recipientFields?: readonly string[]
  /** States that stored state is valid for one route only: a new route needs a new channel. */
  readonly isOfOneRoute?: true
  /** Returns whether a channel that is connected now talks to the simulator. */
  usesSimulator?(): boolean
  /** Returns the parts of a form that are no secrets, and the country that they imply, or null. */
  identify(values: FormValues): ChannelIdentity & { country: string | null }
  /** Returns the form fields without secrets, as `identify` stored them. */
  openFields(identity: ChannelIdentity): Record<string, string | null>
  /** The webhooks of the provider; null when it has none. */
  readonly webhook: ProviderWebhook<Credentials> | null
  /**
   * Polls the provider once for events since the last poll, or maintains its webhook. One process at a time polls a
   * channel; returned state is stored once the events are ingested.
   */
  poll?(channel: ChannelAccess<Credentials>, about: PollOptions): Promise<PollOutcome>
  /** Acknowledges ingested events to the provider, if it expects that. Best effort. */
  acknowledge?(channel: ChannelAccess<Credentials>, events: readonly ProviderEvent[]): Promise<void>
  /** Sends once, without a retry. @throws only before anything was sent */
  send(
    channel: ChannelAccess<Credentials>,
    to: CustomerRef,
    message: Outbound,
    options: { ourReference: string; file: FileToSend | null },
  ): Promise<SendResult>
  /** The typing indicator; undefined when the provider has none. */
  readonly typing?: TypingIndicator<Credentials>
  /** Downloads an attachment of up to `maxBytes`. Without this method, attachments are lost. */
  fetchMedia?(
    channel: ChannelAccess<Credentials>,
    media: MediaRef,
    limits: { maxBytes: number },
  ): Promise<FetchedMedia>
  /** Loads a customer's name, when webhooks do not contain it. */
  fetchProfile?(channel: ChannelAccess<Credentials>, customer: CustomerRef): Promise<FetchedProfile>
  /** Loads a page of templates; the first one without `after`. @throws ProviderRefused */
  listTemplates?(channel: ChannelAccess<Credentials>, after: string | null): Promise<TemplatePage>
  /** The deregistration at the provider when a channel is disconnected or deleted. */
  readonly deregistration?: {
    /**
     * Names of stored state that outlives a disconnection (`keeps`), and that a reconnection deletes
     * (`deletesOnConnect`).
     */
    keeps: readonly string[]
    deletesOnConnect: readonly string[]
    /** Deregisters the channel. @throws ProviderRefused */
    deregister(channel: ChannelAccess<Credentials>): Promise<void>
  }
  /** Deletes the webhook of a deleted channel. @throws ProviderRefused */
  deleteWebhook?(channel: ChannelAccess<Credentials>, webhookUrl: string): Promise<void>
  /** True when `check` also checks the secret that signs webhooks. */
  checksSigner?: boolean
  /** Checks whether the provider accepts the channel's credentials. */
  check(channel: ChannelAccess<Credentials>): Promise<ChannelCheck>
  /** Checks whether the provider posts the channel's events to this webhook address. */
  checkPosts?(channel: ChannelAccess<Credentials>, webhookUrl: string): Promise<PostsCheck>
  /** Returns a provider's error as a sentence for the member who connects a channel. */
  explain(error: ProviderError): Fact
  /** Closes idle connections after the calls in flight. */
  close(): Promise<void>
}
