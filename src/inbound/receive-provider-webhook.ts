/**
 * What a provider posts, from raw bytes to facts taken in. The signature is checked over the bytes
 * before anything is believed or parsed: only the channels that the body names are asked for their
 * secrets, and only those whose own secret made it may be spoken for. What comes together is taken in
 * together, of however many webhooks; one that is delivered again finds its facts known, so a fault in the
 * middle is answered with an error and the provider delivers it once more. A fact that no store can hold is
 * logged and set aside.
 */
import type {
  ChannelAdapter,
  Inbound,
  NamedInWebhook,
  RawWebhook,
} from '../channels/channel-adapter.ts'
import type { KnownChannels, NamedChannels } from '../channels/known-channels.ts'
import { ChannelGone, type OpenedChannel } from '../channels/load-channel.ts'
import { isPlainName } from '../channels/plain-name.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import { isCrowdedOut } from '../database/transaction.ts'
import { INBOUND_LIMITS, PROVIDER_LIMITS } from '../limits/messaging.ts'
import type { FactDesk } from './fact-desk.ts'
import type { FrequentFact } from './take-in-batch.ts'
import { takeInRareFact } from './take-in-rare-fact.ts'
import { walkByTurns, type Turns } from './take-turns.ts'

export type WebhookTaken =
  | { ok: true }
  /**
   * `not_signed`: by none of the channels that it names, or it names none of ours. `too_complex`: no
   * webhook is like this. `too_costly`: a stranger's, so large that not all secrets were tried.
   * `crowded_out`: others were in the way of some facts for too long. `faulty`: some facts could not be
   * taken in. Both: deliver again.
   */
  | {
      ok: false
      reason: 'not_signed' | 'too_complex' | 'too_costly' | 'crowded_out' | 'faulty'
    }
  /**
   * A channel that it names may have signed it, but its credentials cannot be read. What it told of others
   * is taken in.
   */
  | { ok: false; reason: 'unreadable'; isSigned: boolean; channelIds: string[] }

type Deps = Context & {
  knownChannels: KnownChannels
  turns: Turns
  takeInFrequent: FactDesk
  /** Its address sent something rightly signed of late. */
  isKnown: boolean
}

/** The channels that may be spoken for, and what else is known of those that are named. */
type Signed = NamedChannels & { signer: string | null }

/** @throws when the database is away: nothing is lost, the provider delivers again. */
export async function receiveProviderWebhook(
  context: Deps,
  adapter: ChannelAdapter,
  raw: RawWebhook,
): Promise<WebhookTaken> {
  const names = await walkByTurns(adapter.namesIn(raw.body), context.turns)
  if (names.isTooComplex) return { ok: false, reason: 'too_complex' }
  const recalled = context.knownChannels.recall(adapter.type, names.routes)
  try {
    return await receive(context, adapter, raw, { names, recalled })
  } catch (error) {
    if (!(error instanceof ChannelGone)) throw error
    return receive(context, adapter, raw, { names, recalled: null })
  }
}

/** @throws ChannelGone when a channel is not what it was when it was read: all is to be done again. */
async function receive(
  context: Deps,
  adapter: ChannelAdapter,
  raw: RawWebhook,
  known: { names: NamedInWebhook; recalled: OpenedChannel[] | null },
): Promise<WebhookTaken> {
  const signed = await whoSigned(context, adapter, raw, known)
  if (signed === 'too_costly') return { ok: false, reason: 'too_costly' }
  if (signed.signer === null) {
    return signed.unreadable.length === 0
      ? { ok: false, reason: 'not_signed' }
      : unreadableOf(signed.unreadable, { isSigned: false })
  }
  await context.turns.take(raw.body.length)
  const facts = adapter.parse(raw.body, { receivedAt: context.clock.now() })
  if (signed.isCut) await addOthers(context, adapter, facts, signed)
  const unreadable = new Set<{ id: string }>()
  const readable = facts.filter((fact) => {
    const isOf = 'route' in fact && signed.unreadable.find(({ route }) => route === fact.route)
    if (isOf) unreadable.add(isOf)
    return !isOf
  })
  const fault = await takeIn(context, signed.channels, readable)
  if (fault) return { ok: false, reason: fault }
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
  adapter: ChannelAdapter,
  raw: RawWebhook,
  { names, recalled }: { names: NamedInWebhook; recalled: OpenedChannel[] | null },
): Promise<Signed | 'too_costly'> {
  const { knownChannels, turns, isKnown } = context
  const mostTries = isKnown ? Infinity : PROVIDER_LIMITS.hashedBytesOfStranger / raw.body.length
  const tried = new Set<string>()
  async function among(channels: readonly OpenedChannel[]) {
    const bySigner = Map.groupBy(channels, ({ credentials }) => adapter.signerOf(credentials))
    for (const [signer, ofSigner] of bySigner) {
      if (tried.has(signer)) continue
      if (tried.size + 1 > mostTries) return 'too_costly'
      tried.add(signer)
      const isSigned = await walkByTurns(adapter.isSignedBy(raw, signer), turns)
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
  adapter: ChannelAdapter,
  facts: Inbound[],
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
          ({ id, credentials }) => adapter.signerOf(credentials) === signed.signer && !ids.has(id),
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

/**
 * The database refuses the values themselves: class 22 (data), 54 (larger than an index takes) and a
 * broken check. Delivered again, the fact would only be refused again.
 */
const HOPELESS_SQL_STATE = /^(?:22...|54...|23514)$/

function cannotBeStored(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && HOPELESS_SQL_STATE.test(code)
}

/**
 * Takes facts in, in their order: those of the kinds that come in numbers go to the desk together, a rare
 * one waits for those before it. @throws when the database is away, and ChannelGone.
 */
async function takeIn(
  context: Deps,
  channels: readonly OpenedChannel[],
  facts: readonly Inbound[],
): Promise<'crowded_out' | 'faulty' | null> {
  let fault: 'crowded_out' | 'faulty' | null = null
  function judge(error: unknown, { kind }: Inbound): void {
    if (isDatabaseAway(error) || error instanceof ChannelGone) throw error
    if (isCrowdedOut(error)) {
      fault ??= 'crowded_out'
      context.log.warn({ err: error, kind }, 'a fact of a provider is to be delivered again')
      return
    }
    const isHopeless = cannotBeStored(error)
    if (!isHopeless) fault = 'faulty'
    context.log.error(
      { err: error, kind, isHopeless },
      'a fact of a provider could not be taken in',
    )
  }
  let together: { fact: FrequentFact; taken: Promise<unknown> }[] = []
  async function end(): Promise<void> {
    const faultsOfThese = await Promise.all(together.map(({ taken }) => taken))
    faultsOfThese.forEach((error, place) => error && judge(error, together[place]!.fact))
    together = []
  }
  for (const fact of facts) {
    for (const channel of channelsOf(context, channels, fact)) {
      if (fact.kind === 'message' || fact.kind === 'receipt') {
        const taken = context.takeInFrequent({ channel, fact }).catch((error: unknown) => error)
        together.push({ fact, taken })
        if (together.length === INBOUND_LIMITS.mostInABatch) await end()
        continue
      }
      await end()
      try {
        await takeInRareFact(context, channel, fact)
      } catch (error) {
        judge(error, fact)
      }
    }
  }
  await end()
  return fault
}

/** The channels that a fact is of. */
function channelsOf(
  { log }: Pick<Context, 'log'>,
  channels: readonly OpenedChannel[],
  fact: Inbound,
): OpenedChannel[] {
  if (fact.kind === 'ignored') {
    log.debug({ why: fact.why }, 'part of a provider webhook ignored')
    return []
  }
  const named =
    'route' in fact
      ? channels.filter((channel) => channel.route === fact.route)
      : channels.filter((channel) => channel.account === fact.account)
  if (named.length === 0) {
    const name = 'route' in fact ? fact.route : fact.account
    log.warn({ name, kind: fact.kind }, 'a provider told of a channel that is not ours')
  }
  return named
}
