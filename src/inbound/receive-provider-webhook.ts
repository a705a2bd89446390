/**
 * What a provider posts, from raw bytes to facts taken in. The signature is checked over the bytes
 * before anything is believed or parsed: only the channels that the body names are asked for their
 * secrets, and only those whose own secret made it may be spoken for. Each fact is one transaction; a
 * webhook that is delivered again finds its facts known, so a fault in the middle is answered with an
 * error and the provider delivers it once more. A fact that no store can hold is logged and set aside.
 */
import type { KeyRing } from '../accounts/key-ring.ts'
import type { Inbound } from '../channels/channel-adapter.ts'
import { findNamedChannels, type NamedChannels } from '../channels/find-named-channels.ts'
import type { Channel } from '../channels/load-channel.ts'
import { parseWhatsAppWebhook } from '../channels/whatsapp/parse.ts'
import { isPlainId, peekRoutes, type Peeked } from '../channels/whatsapp/peek-routes.ts'
import { verifyWhatsAppSignature } from '../channels/whatsapp/signature.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import { PROVIDER_LIMITS } from '../limits.ts'
import { takeInFact } from './take-in-fact.ts'
import type { Turns } from './take-turns.ts'

export type WebhookTaken =
  | { ok: true }
  /**
   * `not_signed`: by none of the channels that it names, or it names none of ours. `too_complex`: no
   * webhook is like this. `faulty`: some facts could not be taken in; deliver again.
   */
  | { ok: false; reason: 'not_signed' | 'too_complex' | 'faulty' }
  /**
   * A channel that it names may have signed it, but its credentials cannot be read. What it told of others
   * is taken in.
   */
  | { ok: false; reason: 'unreadable'; isSigned: boolean; channelIds: string[] }

type Deps = Context & { keyRing: KeyRing; turns: Turns }

/** @throws when the database is away: nothing is lost, the provider delivers again. */
export async function receiveWhatsAppWebhook(
  context: Deps,
  rawBody: Uint8Array,
  signature: string,
): Promise<WebhookTaken> {
  const { turns } = context
  const peeked = await peek(rawBody, turns)
  if (peeked.isTooComplex) return { ok: false, reason: 'too_complex' }
  const named = await findNamedChannels(context, { type: 'whatsapp', ...peeked })
  const channels = await channelsThatSigned(named.channels, rawBody, signature, turns)
  if (channels.length === 0) {
    return named.unreadable.length === 0
      ? { ok: false, reason: 'not_signed' }
      : unreadableOf(named.unreadable, { isSigned: false })
  }
  await turns.take(rawBody.length)
  const facts = parseWhatsAppWebhook(rawBody, { receivedAt: context.clock.now() })
  if (peeked.isCut || named.isCut) await addOthers(context, facts, { ...named, channels })
  const unreadable = new Set<{ id: string }>()
  let faults = 0
  for (const fact of facts) {
    const isOf = 'route' in fact && named.unreadable.find(({ route }) => route === fact.route)
    if (isOf) {
      unreadable.add(isOf)
      continue
    }
    try {
      await takeIn(context, channels, fact)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      const isHopeless = cannotBeStored(error)
      if (!isHopeless) faults += 1
      context.log.error(
        { err: error, kind: fact.kind, isHopeless },
        'a fact of a provider could not be taken in',
      )
    }
  }
  if (faults > 0) return { ok: false, reason: 'faulty' }
  return unreadable.size === 0 ? { ok: true } : unreadableOf([...unreadable], { isSigned: true })
}

function unreadableOf(
  channels: { id: string }[],
  { isSigned }: { isSigned: boolean },
): WebhookTaken {
  return { ok: false, reason: 'unreadable', isSigned, channelIds: channels.map(({ id }) => id) }
}

/**
 * Of a stranger's body only so many names are looked up. Once its secret is known, so are all other channels
 * of the same secret that the facts name.
 */
async function addOthers(context: Deps, facts: Inbound[], named: NamedChannels): Promise<void> {
  const { appSecret } = named.channels[0]!.credentials
  const routes = new Set(facts.flatMap((fact) => ('route' in fact ? fact.route : [])))
  const accounts = new Set(facts.flatMap((fact) => ('account' in fact ? fact.account : [])))
  for (const some of inParts([...routes].filter(isPlainId), [...accounts].filter(isPlainId))) {
    const others = await findNamedChannels(context, { type: 'whatsapp', ...some })
    const known = new Set([...named.channels, ...named.unreadable].map(({ id }) => id))
    named.unreadable.push(...others.unreadable.filter(({ id }) => !known.has(id)))
    named.channels.push(
      ...others.channels.filter(
        ({ id, credentials }) => credentials.appSecret === appSecret && !known.has(id),
      ),
    )
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

async function takeIn(context: Context, channels: Channel[], fact: Inbound): Promise<void> {
  if (fact.kind === 'ignored') {
    context.log.debug({ why: fact.why }, 'part of a provider webhook ignored')
    return
  }
  const named =
    'route' in fact
      ? channels.filter((channel) => channel.route === fact.route)
      : channels.filter((channel) => channel.providerAccount === fact.account)
  if (named.length === 0) {
    const name = 'route' in fact ? fact.route : fact.account
    context.log.warn({ name, kind: fact.kind }, 'a provider told of a channel that is not ours')
  }
  for (const channel of named) await takeInFact(context, channel, fact)
}

async function peek(rawBody: Uint8Array, turns: Turns): Promise<Peeked> {
  const walk = peekRoutes(rawBody)
  for (;;) {
    const { done, value } = walk.next()
    if (done) return value
    await turns.take(value)
  }
}

/** Those whose secret made the signature. Each distinct secret is tried once, others' work in between. */
async function channelsThatSigned(
  channels: readonly Channel[],
  rawBody: Uint8Array,
  signature: string,
  turns: Turns,
): Promise<Channel[]> {
  const bySecret = Map.groupBy(channels, ({ credentials }) => credentials.appSecret)
  for (const [appSecret, ofSecret] of bySecret) {
    await turns.take(rawBody.length)
    if (verifyWhatsAppSignature(rawBody, signature, appSecret)) return ofSecret
  }
  return []
}
