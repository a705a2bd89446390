/**
 * The boundary between the house and a provider. Reading what a provider posts (`parse`) is pure and
 * total: bytes become facts, nothing is sent and nothing thrown. Writing (`send`) is the only I/O.
 *
 * What must not raise an event (receipts, echoes, history, edits, reactions) is a fact of another
 * kind, not a message with a flag: only `message` may start or resume anything.
 */
import type { Fact } from '../../core/facts/fact.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { FileToSend, Outbound, TemplatePage } from './outbound.ts'
import type { Polled, PollOptions } from './polled.ts'
import type { ShowsTyping } from './shows-typing.ts'
import type { CustomerRef, MediaRef, ProviderError, ProviderEvent } from './inbound.ts'
import type { FormValues, ChannelIdentity, ChannelAccess } from './channel-access.ts'

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
  ): ProviderEvent[]
  /** The facts that a `to_read` of a channel's own address stands for. @throws ProviderRefused */
  readMore?(
    channel: ChannelAccess<Credentials>,
    what: Readonly<Record<string, string>>,
  ): Promise<ProviderEvent[]>
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
  acknowledge?(channel: ChannelAccess<Credentials>, facts: readonly ProviderEvent[]): Promise<void>
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
  deleteWebhook?(channel: ChannelAccess<Credentials>, webhookUrl: string): Promise<void>
  /** Asks the provider whether it accepts the channel's credentials. */
  check(channel: ChannelAccess<Credentials>): Promise<ChannelCheck>
  /** Asks the provider whether it posts what happens on the channel to this address of ours. */
  checkPosts?(channel: ChannelAccess<Credentials>, webhookUrl: string): Promise<PostsCheck>
  /** A provider's error in a sentence for whoever connects a channel. */
  explain(error: ProviderError): Fact
  /** Ends idle connections after the calls in flight. */
  close(): Promise<void>
}
