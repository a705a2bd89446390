/**
 * Receives a provider's webhook, from raw bytes to ingested events. The signature is verified over the bytes before
 * anything is parsed: only the secrets of the channels named in the body are tried, and only channels whose own
 * secret matches are accepted. Ingestion is idempotent, so a partial failure returns an error and the provider
 * redelivers. An event that can never be stored is logged and skipped.
 */
import {
  ProviderRefused,
  type ChannelAdapter,
  type WebhookNames,
  type ProviderWebhook,
  type RawWebhook,
} from '../channels/channel-adapter.ts'
import type { ProviderEvent } from '../channels/inbound.ts'
import type { ChannelCache, NamedChannels } from '../channels/channel-cache.ts'
import { ChannelGone, type OpenedChannel } from '../channels/load-channel.ts'
import { isPlainName } from '../channels/plain-name.ts'
import { PROVIDER_LIMITS } from '../../core/limits/messaging.ts'
import { SecretUnreadable } from '../../infra/secrets/key-ring.ts'
import { acknowledge, ingestProviderEvents, type IngestDeps } from './ingest.ts'
import { runInSlices, type TimeSlicer } from './time-slicer.ts'

/** The result of a provider's webhook, which decides the HTTP response. */
export type WebhookResult =
  | { ok: true }
  /**
   * The webhook was rejected. With `not_signed`, it is not signed by a named channel, or names no known channel. With
   * `too_complex`, the body exceeds any plausible webhook. With `too_costly`, an unauthenticated client's body was
   * too large to try all secrets. For `crowded_out` and `faulty` see `IngestFailure`. With `not_read`, the provider
   * did not return the data that the webhook refers to. The last three ask for redelivery.
   */
  | {
      ok: false
      reason: 'not_signed' | 'too_complex' | 'too_costly' | 'crowded_out' | 'faulty' | 'not_read'
    }
  /**
   * A named channel may have signed it, but its credentials cannot be decrypted. Events of other channels were
   * ingested.
   */
  | { ok: false; reason: 'unreadable'; isSigned: boolean; channelIds: string[] }

type Deps = IngestDeps & {
  knownChannels: ChannelCache
  slicer: TimeSlicer
  /** States whether a correctly signed webhook came from this address recently. */
  isKnown: boolean
  finishBeforeStop(work: Promise<unknown>): void
}

/** The channels that signed, and what is known of the other named ones. */
type Signed = NamedChannels & { signer: string | null }

/** An adapter whose provider sends webhooks. */
export type WebhookAdapter = ChannelAdapter & { webhook: ProviderWebhook }

/**
 * Verifies a provider's webhook by its signature, and ingests its events.
 * @param channelId the channel whose own address was used; null at the address of a whole type.
 * @throws when the database is unavailable: nothing is lost, as the provider redelivers.
 */
export async function receiveProviderWebhook(
  context: Deps,
  adapter: WebhookAdapter,
  raw: RawWebhook,
  channelId: string | null,
): Promise<WebhookResult> {
  if (channelId !== null) return receiveAtOwnAddress(context, adapter, raw, channelId)
  const names = await runInSlices(adapter.webhook.namesIn!(raw.body), context.slicer)
  if (names.isTooComplex) return { ok: false, reason: 'too_complex' }
  const recalled = context.knownChannels.recall(adapter.type, names.routes)
  try {
    return await receive(context, adapter, raw, { names, recalled })
  } catch (error) {
    if (!(error instanceof ChannelGone)) throw error
    return receive(context, adapter, raw, { names, recalled: null })
  }
}

/**
 * Receives at a channel's own address: tries the cached channel, then, when that did not sign or is gone, the stored
 * one.
 */
async function receiveAtOwnAddress(
  context: Deps,
  adapter: WebhookAdapter,
  raw: RawWebhook,
  channelId: string,
): Promise<WebhookResult> {
  const { knownChannels, slicer, clock } = context
  for (const find of ['byId', 'reload'] as const) {
    try {
      await slicer.take(PROVIDER_LIMITS.lookUpBytes)
      const channel = await knownChannels[find](channelId)
      if (channel?.type !== adapter.type) break
      const signer = adapter.webhook.signerOf(channel.credentials, channel.settings)
      if (!(await runInSlices(adapter.webhook.isSignedBy(raw, signer), slicer))) continue
      await slicer.take(raw.body.length)
      const parsed = adapter.webhook.parse(raw.body, { receivedAt: clock.now(), channel })
      const events = await resolveReferences(context, adapter, channel, parsed)
      if (!events) return { ok: false, reason: 'not_read' }
      const fault = await ingestProviderEvents(context, [channel], events)
      if (fault) return { ok: false, reason: fault }
      context.finishBeforeStop(acknowledge(context, adapter, [channel], events))
      return { ok: true }
    } catch (error) {
      if (error instanceof SecretUnreadable) return toUnreadable([{ id: channelId }], UNSIGNED)
      if (!(error instanceof ChannelGone)) throw error
    }
  }
  return { ok: false, reason: 'not_signed' }
}

/** Returns the events with the provider's data in place of references to it; null when the provider refuses a request. */
async function resolveReferences(
  { log }: Pick<Deps, 'log'>,
  { webhook }: WebhookAdapter,
  channel: OpenedChannel,
  parsed: ProviderEvent[],
): Promise<ProviderEvent[] | null> {
  const events: ProviderEvent[] = []
  for (const event of parsed) {
    if (event.kind !== 'to_read' || !webhook.readMore) events.push(event)
    else {
      try {
        events.push(...(await webhook.readMore(channel, event.what)))
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error
        log.warn({ channelId: channel.id, code: error.error.code }, 'provider request failed')
        return null
      }
    }
  }
  return events
}

const UNSIGNED = { isSigned: false }

/** Receives at the address of a type. @throws ChannelGone when a channel has changed since it was read: retry. */
async function receive(
  context: Deps,
  adapter: WebhookAdapter,
  raw: RawWebhook,
  known: { names: WebhookNames; recalled: OpenedChannel[] | null },
): Promise<WebhookResult> {
  const signed = await findSigner(context, adapter, raw, known)
  if (signed === 'too_costly') return { ok: false, reason: 'too_costly' }
  if (signed.signer === null) {
    return signed.unreadable.length === 0
      ? { ok: false, reason: 'not_signed' }
      : toUnreadable(signed.unreadable, UNSIGNED)
  }
  await context.slicer.take(raw.body.length)
  const events = adapter.webhook.parse(raw.body, {
    receivedAt: context.clock.now(),
    channel: null,
  })
  if (signed.isCut) await addChannelsOfSecret(context, adapter, events, signed)
  const unreadable = new Set<{ id: string }>()
  const readable = events.filter((event) => {
    const isOf = 'route' in event && signed.unreadable.find(({ route }) => route === event.route)
    if (isOf) unreadable.add(isOf)
    return !isOf
  })
  const fault = await ingestProviderEvents(context, signed.channels, readable)
  if (fault) return { ok: false, reason: fault }
  context.finishBeforeStop(acknowledge(context, adapter, signed.channels, readable))
  return unreadable.size === 0 ? { ok: true } : toUnreadable([...unreadable], { isSigned: true })
}

function toUnreadable(
  channels: { id: string }[],
  { isSigned }: { isSigned: boolean },
): WebhookResult {
  return { ok: false, reason: 'unreadable', isSigned, channelIds: channels.map(({ id }) => id) }
}

/**
 * Returns the named channels whose secret made the signature: cached ones first, then stored ones. Tries each
 * distinct secret once, in time slices; for an unauthenticated client only as many as the cost limit allows.
 */
async function findSigner(
  context: Deps,
  adapter: WebhookAdapter,
  raw: RawWebhook,
  { names, recalled }: { names: WebhookNames; recalled: OpenedChannel[] | null },
): Promise<Signed | 'too_costly'> {
  const { knownChannels, slicer, isKnown } = context
  const maxTries = isKnown ? Infinity : PROVIDER_LIMITS.hashedBytesUnauthenticated / raw.body.length
  const tried = new Set<string>()
  async function trySigners(channels: readonly OpenedChannel[]) {
    const bySigner = Map.groupBy(channels, ({ credentials, settings }) =>
      adapter.webhook.signerOf(credentials, settings),
    )
    for (const [signer, ofSigner] of bySigner) {
      if (tried.has(signer)) continue
      if (tried.size + 1 > maxTries) return 'too_costly'
      tried.add(signer)
      const isSigned = await runInSlices(adapter.webhook.isSignedBy(raw, signer), slicer)
      if (isSigned) return { signer, channels: ofSigner }
    }
    return null
  }
  const ofCached = recalled && (await trySigners(recalled))
  if (ofCached === 'too_costly') return ofCached
  // The named accounts have not been looked up yet.
  if (ofCached) return { ...ofCached, unreadable: [], isCut: true }
  const unreadable: NamedChannels['unreadable'] = []
  let looked = 0
  for await (const page of knownChannels.find(adapter.type, names, slicer.take)) {
    unreadable.push(...page.unreadable)
    const ofStored = await trySigners(page.channels)
    if (ofStored === 'too_costly') return ofStored
    if (ofStored) return { ...ofStored, unreadable, isCut: page.isCut || names.isCut }
    looked += page.channels.length + page.unreadable.length
    if (looked >= PROVIDER_LIMITS.channelsOfWebhook) break
  }
  return { signer: null, channels: [], unreadable, isCut: false }
}

/**
 * Adds the channels beyond the look-up limit for unauthenticated clients: once the secret is known, all named
 * channels with the same secret.
 */
async function addChannelsOfSecret(
  { knownChannels, slicer }: Deps,
  adapter: WebhookAdapter,
  events: ProviderEvent[],
  signed: Signed,
): Promise<void> {
  const known = new Set(signed.channels.map(({ route }) => route))
  const routes = new Set(events.flatMap((event) => ('route' in event ? event.route : [])))
  const accounts = new Set(events.flatMap((event) => ('account' in event ? event.account : [])))
  const others = [...routes.difference(known)].filter(isPlainName)
  for (const some of inParts(others, [...accounts].filter(isPlainName))) {
    for await (const page of knownChannels.find(adapter.type, some, slicer.take)) {
      const ids = new Set([...signed.channels, ...signed.unreadable].map(({ id }) => id))
      signed.unreadable.push(...page.unreadable.filter(({ id }) => !ids.has(id)))
      signed.channels.push(
        ...page.channels.filter(
          ({ id, credentials, settings }) =>
            adapter.webhook.signerOf(credentials, settings) === signed.signer && !ids.has(id),
        ),
      )
    }
  }
}

function* inParts(routes: string[], accounts: string[]) {
  const size = PROVIDER_LIMITS.webhookNames
  for (let at = 0; at < Math.max(routes.length, accounts.length); at += size) {
    yield { routes: routes.slice(at, at + size), accounts: accounts.slice(at, at + size) }
  }
}
