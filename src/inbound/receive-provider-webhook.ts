/**
 * What a provider posts, from raw bytes to facts taken in. The signature is checked over the bytes
 * before anything is believed or parsed: only the channels that the body names are asked for their
 * secrets, and only those whose own secret made it may be spoken for. Each fact is one transaction; a
 * webhook that is delivered again finds its facts known, so a fault in the middle is answered with an
 * error and the provider delivers it once more. A fact that no store can hold is logged and set aside.
 */
import type { KeyRing } from '../accounts/key-ring.ts'
import type { Inbound } from '../channels/channel-adapter.ts'
import { findNamedChannels } from '../channels/find-named-channels.ts'
import type { Channel } from '../channels/load-channel.ts'
import { parseWhatsAppWebhook } from '../channels/whatsapp/parse.ts'
import { peekRoutes, type Peeked } from '../channels/whatsapp/peek-routes.ts'
import { verifyWhatsAppSignature } from '../channels/whatsapp/signature.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import { takeInFact } from './take-in-fact.ts'
import type { Turns } from './take-turns.ts'

export type WebhookTaken =
  | { ok: true }
  /**
   * `not_signed`: by none of the channels that it names, or it names none of ours. `too_complex`: no
   * webhook is like this. `faulty`: some facts could not be taken in; deliver again.
   */
  | { ok: false; reason: 'not_signed' | 'too_complex' | 'faulty' }
  /** A channel that it names may have signed it, but its credentials cannot be read. */
  | { ok: false; reason: 'unreadable'; channelIds: string[] }

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
      : { ok: false, reason: 'unreadable', channelIds: named.unreadable }
  }
  await turns.take(rawBody.length)
  const facts = parseWhatsAppWebhook(rawBody, { receivedAt: context.clock.now() })
  let faults = 0
  for (const fact of facts) {
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
  return faults === 0 ? { ok: true } : { ok: false, reason: 'faulty' }
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
