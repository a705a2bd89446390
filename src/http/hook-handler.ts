/**
 * Hook URLs on the raw request, without a framework: the reference fixes the order of the checks and the shape of
 * every response. The checks that need no database are made here: the per-address limit, method, content type and
 * size.
 *
 * Spec: Hooks › Request; Errors › Hook statuses.
 */
import { fact } from '../core/facts/fact.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HookResponse } from '../contract/hook-response.ts'
import { HOOK_STATUS_HTTP } from '../core/vocabulary/hooks.ts'
import { refusalResponse } from '../modules/hooks/check-request.ts'
import { BODY_LIMITS } from '../core/limits/http.ts'
import { HOOK_LIMITS } from '../core/limits/hooks.ts'
import type { HttpDeps } from './http-deps.ts'
import { createBodyBudget } from './body-memory-budget.ts'
import { endRequest, dropIfClosing } from './raw-response.ts'
import { withBody } from './read-body.ts'

/** The first segment of every hook URL. */
export const HOOKS_PREFIX = '/hooks'

/** Creates the handler of requests to hook URLs. */
export function createHookHandler({
  clock,
  log,
  answerHook,
  addressLimit,
  clientAddress,
  metrics,
  onUnavailable,
}: HttpDeps & { onUnavailable(): void }) {
  const budget = createBodyBudget(BODY_LIMITS.hookBudgetBytes, { keepsForKnown: false })

  return async function handleHook(request: IncomingMessage, response: ServerResponse) {
    if (dropIfClosing(request)) return
    // 1. Per-address limit: the only response in plain text.
    const address = clientAddress(request)
    if (!addressLimit.admit(address, clock.now())) {
      metrics.hookAnswered('address_limited')
      return endRequest(request, response, { ...TOO_MANY, readsRest: true })
    }
    let given: HookResponse
    try {
      given = await answerRequest(request, address)
    } catch (error) {
      // The client disconnected while sending its body, so no response can reach it.
      if (response.destroyed || request.destroyed) return
      log.error({ err: error }, 'a hook request failed')
      given = refusalResponse('service_unavailable', fact('hook_not_taken_in'))
    }
    if (given.status === 'service_unavailable') onUnavailable()
    metrics.hookAnswered(given.status)
    endRequest(request, response, {
      status: HOOK_STATUS_HTTP[given.status],
      type: JSON_TYPE,
      text: JSON.stringify(given),
      headers: given.status === 'method_not_allowed' ? { allow: 'POST' } : {},
      readsRest: true,
    })
  }

  async function answerRequest(request: IncomingMessage, address: string): Promise<HookResponse> {
    if (request.method !== 'POST')
      return refusalResponse('method_not_allowed', fact('hook_needs_post'))
    // 2. Content type and size.
    if (!isJson(request)) {
      return refusalResponse('unsupported_media_type', fact('hook_type_not_json'))
    }
    const sender = { address, isKnown: false }
    return withBody(request, { limit: HOOK_LIMITS.bodyBytes, budget, sender }, (body) => {
      if (body === 'too_large') {
        const why = fact('hook_body_too_large', { max: HOOK_LIMITS.bodyBytes })
        return Promise.resolve(refusalResponse('payload_too_large', why))
      }
      if (typeof body === 'string') {
        return Promise.resolve(refusalResponse('service_unavailable', fact('hook_too_many_bodies')))
      }
      return answerHook({
        token: tokenOf(request.url ?? ''),
        idempotencyKey: request.headers['idempotency-key'] as string | undefined,
        body,
      })
    })
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'
const TOO_MANY = { status: 429, type: 'text/plain; charset=utf-8', text: 'Too many requests' }

/**
 * Returns the decoded path segment after `/hooks/`; empty when it cannot be decoded. Text with more than one segment
 * is returned too: the check of the token's form refuses it.
 */
function tokenOf(url: string): string {
  const path = url.split('?', 1)[0]!
  try {
    return decodeURIComponent(path.slice(HOOKS_PREFIX.length + 1))
  } catch {
    return ''
  }
}

/**
 * Returns whether the body is uncompressed `application/json`, or any `+json` type, in any case and with any
 * parameters.
 */
function isJson(request: IncomingMessage): boolean {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  if (encoding && encoding !== 'identity') return false
  const essence = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return essence === 'application/json' || /^[a-z]+\/[^\s/]+\+json$/.test(essence)
}
