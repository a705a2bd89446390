/**
 * Webhook addresses of the providers, one for each channel type or for each channel. They answer 200 once everything
 * is stored, 401 for a request without a valid signature, and 503 while the database is unavailable: the provider
 * delivers again. Any client can post here, so the cost of a request is bounded before its signature is checked.
 *
 * See docs/decisions/0022.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { CELL_PATTERN } from '../core/ids.ts'
import type { ChannelAdapter } from '../modules/channels/channel-adapter.ts'
import { AccountOnHold } from '../modules/accounts/account-hold.ts'
import { isVerifyToken } from '../modules/channels/find-verify-token.ts'
import { WEBHOOKS_PREFIX } from '../modules/channels/webhook-path.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import {
  receiveProviderWebhook,
  type WebhookAdapter,
  type WebhookResult,
} from '../modules/inbound/receive-provider-webhook.ts'
import { createTimeSlicer } from '../modules/inbound/time-slicer.ts'
import { BODY_LIMITS } from '../core/limits/http.ts'
import { PROVIDER_LIMITS } from '../core/limits/messaging.ts'
import { MINUTE_MS, SECOND_MS } from '../core/limits/units.ts'
import { createSparseWarning } from '../infra/log.ts'
import type { ChannelType } from '../core/vocabulary/channels.ts'
import { createBodyBudget, type BodySender } from './body-memory-budget.ts'
import { endRequest, dropIfClosing } from './raw-response.ts'
import type { HttpDeps } from './http-deps.ts'
import { createDelayedRejections } from './delayed-rejections.ts'
import { withBody, type BodyRefusal } from './read-body.ts'
import { createUnsignedLimit } from './unsigned-rate-limiter.ts'
import { UUID_PATTERN } from '../rules/text/uuid.ts'

type Answer = { status: number; headers?: Record<string, string>; text?: string }
/** The adapter of an address, and the channel's id where the address belongs to one channel. */
type Addressee = { adapter: WebhookAdapter; channelId: string | null }
/** The outcome of a request, as the limit of its address counts it. */
type Outcome = Answer & { isSigned: boolean | null }
type SparseWarning = ReturnType<typeof createSparseWarning>

/** Creates the handler of providers' webhooks. */
export function createProviderWebhookHandler(deps: HttpDeps) {
  const { clock, log, clientAddress, adapters } = deps
  const budget = createBodyBudget(BODY_LIMITS.providerBudgetBytes, { keepsForKnown: true })
  const unsigned = createUnsignedLimit()
  const slicer = {
    known: createTimeSlicer(),
    strangers: createTimeSlicer({ pauseMs: PROVIDER_LIMITS.unauthenticatedPauseMs }),
  }
  const refuseLate = createDelayedRejections()
  const warn = createSparseWarning({ clock, log })

  async function handle(
    addressee: Addressee,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (dropIfClosing(request)) return
    const address = clientAddress(request)
    const { type, webhook } = addressee.adapter
    if (unsigned.isRefused(type, address, clock.now())) {
      warn('provider webhook refused: too many unsigned requests of its address', { address })
      const headers = { 'retry-after': String(MINUTE_MS / SECOND_MS) }
      return refuseLate(request, response, () => end(request, response, { status: 429, headers }))
    }
    let outcome: Outcome
    try {
      outcome = await answer(addressee, request, {
        address,
        isKnown: unsigned.isVouched(type, address, clock.now()),
      })
    } catch (error) {
      if (response.destroyed) {
        // The client disconnected, so no response can reach it.
        unsigned.count(address, clock.now())
        return
      }
      if (!isDatabaseUnavailable(error) && !(error instanceof AccountOnHold))
        log.error({ err: error, type }, 'provider webhook failed')
      const hasMoved = error instanceof AccountOnHold && error.code === 'account_moved'
      outcome = { status: hasMoved ? 410 : 503, headers: LATER, isSigned: null }
    }
    if (outcome.isSigned === true && webhook.isProvidersSecret) {
      unsigned.vouch(type, address, clock.now())
    }
    if (outcome.isSigned === false) unsigned.count(address, clock.now())
    const respond = () => end(request, response, outcome)
    if (outcome === REFUSED.no_memory) refuseLate(request, response, respond)
    else respond()
  }

  async function answer(
    { adapter, channelId }: Addressee,
    request: IncomingMessage,
    sender: BodySender,
  ): Promise<Outcome> {
    if (request.method === 'GET' && adapter.webhook.handshake)
      return handshake(deps, adapter, request)
    if (request.method !== 'POST') {
      const allow = adapter.webhook.handshake ? 'GET, POST' : 'POST'
      return { status: 405, headers: { allow }, isSigned: null }
    }
    const { headers } = request
    if (!adapter.webhook.mayBeGenuine(headers)) return notSigned(warn, adapter)
    const its = {
      isKnown: sender.isKnown,
      slicer: sender.isKnown ? slicer.known : slicer.strangers,
    }
    const limits = { limit: PROVIDER_LIMITS.webhookBytes, budget, sender, slicer: its.slicer }
    return withBody(request, limits, async (body) => {
      if (typeof body === 'string') return REFUSED[body]
      const context = { ...deps, ...deps.requestContext, ...its }
      const raw = { headers, body }
      const taken = await receiveProviderWebhook(context, adapter, raw, channelId)
      return taken.ok ? { status: 200, isSigned: true } : refuse(warn, adapter, taken)
    })
  }

  return { find: (path: string) => addresseeOf(path, adapters), handle }
}

function refuse(
  warn: SparseWarning,
  adapter: ChannelAdapter,
  taken: Exclude<WebhookResult, { ok: true }>,
): Outcome {
  switch (taken.reason) {
    case 'not_signed':
      return notSigned(warn, adapter)
    case 'too_complex':
      return { status: 413, isSigned: false }
    case 'too_costly':
      return { status: 503, headers: LATER, isSigned: false }
    case 'unreadable':
      warn('provider webhook not verified: credentials of its channel unreadable', {
        channelIds: taken.channelIds,
      })
      return { status: 503, headers: LATER, isSigned: taken.isSigned }
    case 'crowded_out':
    case 'not_read':
      return { status: 503, headers: LATER, isSigned: true }
    case 'faulty':
      return { status: 500, isSigned: true }
  }
}

function notSigned(warn: SparseWarning, { type }: ChannelAdapter): Outcome {
  warn('provider webhook refused: no valid signature', { type })
  return { status: 401, isSigned: false }
}

/** Returns the adapter and channel of a path; null where it has none. */
function addresseeOf(path: string, adapters: HttpDeps['adapters']): Addressee | null {
  const [, type = '', channelId = null] = ADDRESS.exec(path) ?? []
  const adapter = Object.hasOwn(adapters, type) ? adapters[type as ChannelType] : null
  if (!adapter || !isPostedTo(adapter)) return null
  const hasOwnAddresses = !adapter.webhook.namesIn
  return hasOwnAddresses === (channelId !== null) ? { adapter, channelId } : null
}

/** Answers the request by which a provider verifies this address. */
async function handshake(
  deps: HttpDeps,
  adapter: WebhookAdapter,
  request: IncomingMessage,
): Promise<Outcome> {
  const query = new URL(request.url ?? '', 'http://localhost').searchParams
  const isKnownToken = (secret: string) => isVerifyToken(deps, adapter.type, secret)
  const given = await adapter.webhook.handshake!(query, isKnownToken)
  return given.status === 200
    ? { status: 200, text: given.body, isSigned: null }
    : { status: 403, isSigned: false }
}

/**
 * The path of a webhook address. Its cell code is for routers in front of the service: it is optional, and not checked.
 */
const ADDRESS = new RegExp(
  `^${WEBHOOKS_PREFIX}([a-z_]+)(?:/${CELL_PATTERN})?(?:/(${UUID_PATTERN}))?$`,
)

function isPostedTo(adapter: ChannelAdapter): adapter is WebhookAdapter {
  return adapter.webhook !== null
}

const LATER = { 'retry-after': String(BODY_LIMITS.retryAfterMs / SECOND_MS) }

const REFUSED: Record<BodyRefusal, Outcome> = {
  too_large: { status: 413, isSigned: false },
  too_slow: { status: 408, isSigned: false },
  // The request may be a genuine one: others fill the budget.
  no_memory: { status: 503, headers: LATER, isSigned: null },
}

function end(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers = {}, text = '' }: Answer,
): void {
  const type = 'text/plain; charset=utf-8'
  endRequest(request, response, { status, type, text, headers, readsRest: false })
}
