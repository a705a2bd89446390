/**
 * What a provider posts, from raw bytes to facts taken in. The signature is checked over the bytes
 * before anything is believed: only channels whose own secret made it may be spoken for. Each fact is
 * one transaction; a webhook that is delivered again finds its facts known, so a fault in the middle
 * is answered with an error and the provider delivers it once more. A fact that no store can hold is
 * logged and set aside.
 */
import type { KeyRing } from '../accounts/key-ring.ts'
import type { Inbound } from '../channels/channel-adapter.ts'
import { loadChannels, type Channel } from '../channels/load-channel.ts'
import { parseWhatsAppWebhook } from '../channels/whatsapp/parse.ts'
import { readRoutes } from '../channels/whatsapp/peek-routes.ts'
import { verifyWhatsAppSignature } from '../channels/whatsapp/signature.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import { takeInFact } from './take-in-fact.ts'

export type WebhookTaken =
  | { ok: true }
  /** `not_signed`: nothing was stored. `faulty`: some facts could not be taken in; deliver again. */
  | { ok: false; reason: 'not_signed' | 'faulty' }

/** @throws when the database is away: nothing is lost, the provider delivers again. */
export async function receiveWhatsAppWebhook(
  context: Context & { keyRing: KeyRing },
  rawBody: Uint8Array,
  signature: string | undefined,
): Promise<WebhookTaken> {
  const channels = await channelsThatSigned(context, rawBody, signature)
  if (channels.length === 0) return { ok: false, reason: 'not_signed' }
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

/** The channels whose secret made the signature: those that the body names, or else any. */
async function channelsThatSigned(
  { db, keyRing }: Context & { keyRing: KeyRing },
  rawBody: Uint8Array,
  signature: string | undefined,
): Promise<Channel[]> {
  if (!signature) return []
  const verified = (channels: Channel[]) => {
    const verdicts = new Map<string, boolean>()
    return channels.filter(({ credentials: { appSecret } }) => {
      if (!verdicts.has(appSecret)) {
        verdicts.set(appSecret, verifyWhatsAppSignature(rawBody, signature, appSecret))
      }
      return verdicts.get(appSecret)
    })
  }
  const named = await loadChannels(db.kysely, keyRing, { type: 'whatsapp', ...readRoutes(rawBody) })
  if (named.length > 0) return verified(named)
  // A body that names no channel of ours may still be the provider's own.
  return verified(await loadChannels(db.kysely, keyRing, { type: 'whatsapp' }))
}
