/**
 * Where WhatsApp posts: 200 once everything is stored, 401 for what is not the provider's, 503 while the
 * database is away (the provider delivers again, for up to 7 days). Anybody can post here: what a
 * stranger costs is bounded before it is known that it is one.
 *
 * See docs/decisions/0022.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isVerifyToken } from '../channels/find-verify-token.ts'
import { answerHandshake } from '../channels/whatsapp/handshake.ts'
import { isWhatsAppSignature } from '../channels/whatsapp/signature.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import { receiveWhatsAppWebhook, type WebhookTaken } from '../inbound/receive-provider-webhook.ts'
import { createTurns } from '../inbound/take-turns.ts'
import { BODY_LIMITS, MINUTE_MS, PROVIDER_LIMITS, SECOND_MS } from '../limits.ts'
import { createSparseWarning } from '../log.ts'
import { createBodyRoom, type BodySender } from './body-room.ts'
import { endRequest, isClosing } from './end-request.ts'
import type { HttpDeps } from './http-deps.ts'
import { withBody, type BodyRefusal } from './read-body.ts'
import { createUnsignedLimit } from './unsigned-limit.ts'

type Answer = { status: number; headers?: Record<string, string>; text?: string }
/** What became of a request, as the limit of its address counts it. */
type Outcome = Answer & { isSigned: boolean | null }

export function createWhatsAppWebhookHost(deps: HttpDeps) {
  const { clock, log, clientAddress } = deps
  const room = createBodyRoom(BODY_LIMITS.providerRoomBytes, { keepsForKnown: true })
  const unsigned = createUnsignedLimit()
  const context = { ...deps, turns: createTurns() }
  const warn = createSparseWarning({ clock, log })

  return async function hostWebhook(request: IncomingMessage, response: ServerResponse) {
    if (isClosing(request)) return
    const address = clientAddress(request)
    if (unsigned.isRefused(address, clock.now())) {
      warn('requests to the WhatsApp webhook are refused: too many of one address are not signed', {
        address,
      })
      const headers = { 'retry-after': String(MINUTE_MS / SECOND_MS) }
      return end(request, response, { status: 429, headers })
    }
    let outcome: Outcome
    try {
      outcome = await answer(request, {
        address,
        isKnown: unsigned.isVouched(address, clock.now()),
      })
    } catch (error) {
      if (response.destroyed) {
        // The client broke off: nobody is there to be answered.
        unsigned.count(address, clock.now())
        return
      }
      if (!isDatabaseAway(error)) log.error({ err: error }, 'a WhatsApp webhook failed')
      outcome = { status: 503, headers: LATER, isSigned: null }
    }
    if (outcome.isSigned === true) unsigned.vouch(address, clock.now())
    if (outcome.isSigned === false) unsigned.count(address, clock.now())
    end(request, response, outcome)
  }

  async function answer(request: IncomingMessage, sender: BodySender): Promise<Outcome> {
    if (request.method === 'GET') return handshake(request)
    if (request.method !== 'POST') {
      return { status: 405, headers: { allow: 'GET, POST' }, isSigned: null }
    }
    const signature = request.headers['x-hub-signature-256']
    if (typeof signature !== 'string' || !isWhatsAppSignature(signature)) return notSigned()
    const { turns } = context
    const limits = { limit: PROVIDER_LIMITS.webhookBytes, room, sender, turns }
    return withBody(request, limits, async (body) => {
      if (typeof body === 'string') return REFUSED[body]
      const taken = await receiveWhatsAppWebhook(context, body, signature)
      if (taken.ok) deps.wake()
      return taken.ok ? { status: 200, isSigned: true } : refuse(taken)
    })
  }

  function refuse(taken: Exclude<WebhookTaken, { ok: true }>): Outcome {
    switch (taken.reason) {
      case 'not_signed':
        return notSigned()
      case 'too_complex':
        return { status: 413, isSigned: false }
      case 'unreadable':
        warn(
          'a WhatsApp webhook could not be checked: the credentials of its channel are unreadable',
          {
            channelIds: taken.channelIds,
          },
        )
        if (taken.isSigned) deps.wake()
        return { status: 503, headers: LATER, isSigned: taken.isSigned }
      case 'faulty':
        deps.wake()
        return { status: 500, isSigned: true }
    }
  }

  function notSigned(): Outcome {
    warn('a WhatsApp webhook without a valid signature was refused')
    return { status: 401, isSigned: false }
  }

  /** `hub.challenge`: the provider checks that this address is ours. */
  async function handshake(request: IncomingMessage): Promise<Outcome> {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams
    const given = await answerHandshake(query, (token) => isVerifyToken(deps, 'whatsapp', token))
    return given.status === 200
      ? { status: 200, text: given.body, isSigned: null }
      : { status: 403, isSigned: false }
  }
}

const LATER = { 'retry-after': String(BODY_LIMITS.retryAfterMs / SECOND_MS) }

const REFUSED: Record<BodyRefusal, Outcome> = {
  too_large: { status: 413, isSigned: false },
  too_slow: { status: 408, isSigned: false },
  // It may be the provider's own: others fill the room.
  no_room: { status: 503, headers: LATER, isSigned: null },
}

function end(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers = {}, text = '' }: Answer,
): void {
  const type = 'text/plain; charset=utf-8'
  endRequest(request, response, { status, type, text, headers, isRestTaken: false })
}
