/**
 * What a provider posts, from raw bytes to facts taken in. The signature is checked over the bytes
 * before anything is believed or parsed: only the channels that the body names are asked for their
 * secrets, and only those whose own secret made it may be spoken for. What comes together is taken in
 * together, of however many webhooks; one that is delivered again finds its facts known, so a fault in the
 * middle is answered with an error and the provider delivers it once more. A fact that no store can hold is
 * logged and set aside.
 */
import {
  ProviderRefused,
  type ChannelAdapter,
  type NamedInWebhook,
  type ProviderWebhook,
  type RawWebhook,
} from '../channels/channel-adapter.ts'
import type { ProviderEvent } from '../channels/inbound.ts'
import type { ChannelCache, NamedChannels } from '../channels/channel-cache.ts'
import { ChannelGone, type OpenedChannel } from '../channels/load-channel.ts'
import { isPlainName } from '../channels/plain-name.ts'
import { PROVIDER_LIMITS } from '../../core/limits/messaging.ts'
import { SecretUnreadable } from '../../infra/secrets/key-ring.ts'
import { acknowledge, ingestProviderEvents, type TakeInDeps } from './ingest.ts'
import { runInSlices, type Turns } from './time-slicer.ts'

export type WebhookTaken =
  | { ok: true }
  /**
   * `not_signed`: by none of the channels that it names, or it names none of ours. `too_complex`: no
   * webhook is like this. `too_costly`: a stranger's, so large that not all secrets were tried.
   * `crowded_out`: others were in the way of some facts for too long. `faulty`: some facts could not be
   * taken in. `not_read`: the provider did not say what it pointed to. All three: deliver again.
   */
  | {
      ok: false
      reason: 'not_signed' | 'too_complex' | 'too_costly' | 'crowded_out' | 'faulty' | 'not_read'
    }
  /**
   * A channel that it names may have signed it, but its credentials cannot be read. What it told of others
   * is taken in.
   */
  | { ok: false; reason: 'unreadable'; isSigned: boolean; channelIds: string[] }

type Deps = TakeInDeps & {
  knownChannels: ChannelCache
  turns: Turns
  /** Its address sent something rightly signed of late. */
  isKnown: boolean
}

/** The channels that may be spoken for, and what else is known of those that are named. */
type Signed = NamedChannels & { signer: string | null }

/** An adapter whose provider posts. */
export type PostedTo = ChannelAdapter & { webhook: ProviderWebhook }

/**
 * `channelId` is of the channel whose own address it came to; null at the address of all of a type.
 * @throws when the database is away: nothing is lost, the provider delivers again.
 */
export async function receiveProviderWebhook(
  context: Deps,
  adapter: PostedTo,
  raw: RawWebhook,
  channelId: string | null,
): Promise<WebhookTaken> {
  if (channelId !== null) return receiveAtOwnAddress(context, adapter, raw, channelId)
  const names = await runInSlices(adapter.webhook.namesIn!(raw.body), context.turns)
  if (names.isTooComplex) return { ok: false, reason: 'too_complex' }
  const recalled = context.knownChannels.recall(adapter.type, names.routes)
  try {
    return await receive(context, adapter, raw, { names, recalled })
  } catch (error) {
    if (!(error instanceof ChannelGone)) throw error
    return receive(context, adapter, raw, { names, recalled: null })
  }
}

/** Of the channel as it is remembered; where that did not sign it, or is gone, as it is now. */
async function receiveAtOwnAddress(
  context: Deps,
  adapter: PostedTo,
  raw: RawWebhook,
  channelId: string,
): Promise<WebhookTaken> {
  const { knownChannels, turns, clock } = context
  for (const find of ['byId', 'invalidateAfter'] as const) {
    try {
      await turns.take(PROVIDER_LIMITS.lookUpBytes)
      const channel = await knownChannels[find](channelId)
      if (channel?.type !== adapter.type) break
      const signer = adapter.webhook.signerOf(channel.credentials, channel.settings)
      if (!(await runInSlices(adapter.webhook.isSignedBy(raw, signer), turns))) continue
      await turns.take(raw.body.length)
      const told = adapter.webhook.parse(raw.body, { receivedAt: clock.now(), channel })
      const facts = await readPointed(context, adapter, channel, told)
      if (!facts) return { ok: false, reason: 'not_read' }
      const fault = await ingestProviderEvents(context, [channel], facts)
      if (fault) return { ok: false, reason: fault }
      void acknowledge(context, adapter, [channel], facts)
      return { ok: true }
    } catch (error) {
      if (error instanceof SecretUnreadable) return unreadableOf([{ id: channelId }], UNSIGNED)
      if (!(error instanceof ChannelGone)) throw error
    }
  }
  return { ok: false, reason: 'not_signed' }
}

/** With what the provider says when it is asked; null when it does not. */
async function readPointed(
  { log }: Pick<Deps, 'log'>,
  { webhook }: PostedTo,
  channel: OpenedChannel,
  told: ProviderEvent[],
): Promise<ProviderEvent[] | null> {
  const facts: ProviderEvent[] = []
  for (const fact of told) {
    if (fact.kind !== 'to_read' || !webhook.readMore) facts.push(fact)
    else {
      try {
        facts.push(...(await webhook.readMore(channel, fact.what)))
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error
        log.warn({ channelId: channel.id, code: error.error.code }, 'a provider was asked in vain')
        return null
      }
    }
  }
  return facts
}

const UNSIGNED = { isSigned: false }

/** @throws ChannelGone when a channel is not what it was when it was read: all is to be done again. */
async function receive(
  context: Deps,
  adapter: PostedTo,
  raw: RawWebhook,
  known: { names: NamedInWebhook; recalled: OpenedChannel[] | null },
): Promise<WebhookTaken> {
  const signed = await whoSigned(context, adapter, raw, known)
  if (signed === 'too_costly') return { ok: false, reason: 'too_costly' }
  if (signed.signer === null) {
    return signed.unreadable.length === 0
      ? { ok: false, reason: 'not_signed' }
      : unreadableOf(signed.unreadable, UNSIGNED)
  }
  await context.turns.take(raw.body.length)
  const facts = adapter.webhook.parse(raw.body, {
    receivedAt: context.clock.now(),
    channel: null,
  })
  if (signed.isCut) await addOthers(context, adapter, facts, signed)
  const unreadable = new Set<{ id: string }>()
  const readable = facts.filter((fact) => {
    const isOf = 'route' in fact && signed.unreadable.find(({ route }) => route === fact.route)
    if (isOf) unreadable.add(isOf)
    return !isOf
  })
  const fault = await ingestProviderEvents(context, signed.channels, readable)
  if (fault) return { ok: false, reason: fault }
  void acknowledge(context, adapter, signed.channels, readable)
  return unreadable.size === 0 ? { ok: true } : unreadableOf([...unreadable], { isSigned: true })
}

function unreadableOf(
  channels: { id: string }[],
  { isSigned }: { isSigned: boolean },
): WebhookTaken {
  return { ok: false, reason: 'unreadable', isSigned, channelIds: channels.map(({ id }) => id) }
}

/**
 * Those named channels whose secret made the signature: of the remembered ones, else as they are now.
 * Each distinct secret is tried once, others' work in between; of a stranger's body only as many as it may
 * cost.
 */
async function whoSigned(
  context: Deps,
  adapter: PostedTo,
  raw: RawWebhook,
  { names, recalled }: { names: NamedInWebhook; recalled: OpenedChannel[] | null },
): Promise<Signed | 'too_costly'> {
  const { knownChannels, turns, isKnown } = context
  const mostTries = isKnown ? Infinity : PROVIDER_LIMITS.hashedBytesOfStranger / raw.body.length
  const tried = new Set<string>()
  async function among(channels: readonly OpenedChannel[]) {
    const bySigner = Map.groupBy(channels, ({ credentials, settings }) =>
      adapter.webhook.signerOf(credentials, settings),
    )
    for (const [signer, ofSigner] of bySigner) {
      if (tried.has(signer)) continue
      if (tried.size + 1 > mostTries) return 'too_costly'
      tried.add(signer)
      const isSigned = await runInSlices(adapter.webhook.isSignedBy(raw, signer), turns)
      if (isSigned) return { signer, channels: ofSigner }
    }
    return null
  }
  const byMemory = recalled && (await among(recalled))
  if (byMemory === 'too_costly') return byMemory
  // Of the accounts that it names nobody was asked yet.
  if (byMemory) return { ...byMemory, unreadable: [], isCut: true }
  const unreadable: NamedChannels['unreadable'] = []
  let looked = 0
  for await (const page of knownChannels.find(adapter.type, names, turns.take)) {
    unreadable.push(...page.unreadable)
    const byRows = await among(page.channels)
    if (byRows === 'too_costly') return byRows
    if (byRows) return { ...byRows, unreadable, isCut: page.isCut || names.isCut }
    looked += page.channels.length + page.unreadable.length
    if (looked >= PROVIDER_LIMITS.channelsOfWebhook) break
  }
  return { signer: null, channels: [], unreadable, isCut: false }
}

/**
 * Of a stranger's body only so many names are looked up. Once its secret is known, so are all other channels
 * of the same secret that the facts name.
 */
async function addOthers(
  { knownChannels, turns }: Deps,
  adapter: PostedTo,
  facts: ProviderEvent[],
  signed: Signed,
): Promise<void> {
  const known = new Set(signed.channels.map(({ route }) => route))
  const routes = new Set(facts.flatMap((fact) => ('route' in fact ? fact.route : [])))
  const accounts = new Set(facts.flatMap((fact) => ('account' in fact ? fact.account : [])))
  const others = [...routes.difference(known)].filter(isPlainName)
  for (const some of inParts(others, [...accounts].filter(isPlainName))) {
    for await (const page of knownChannels.find(adapter.type, some, turns.take)) {
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
  const most = PROVIDER_LIMITS.webhookNames
  for (let at = 0; at < Math.max(routes.length, accounts.length); at += most) {
    yield { routes: routes.slice(at, at + most), accounts: accounts.slice(at, at + most) }
  }
}
