/**
 * Hook URLs on the raw request: the reference fixes the order of the checks and the one shape of
 * every answer, so no framework stands in between. What can be decided without the database is
 * decided here: the per-address limit, method, content type, size.
 *
 * Spec: Hooks › Request; Errors › Hook statuses.
 */
import { fact } from '../core/facts/fact.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HookResponse } from '../contract/hook-response.ts'
import { HOOK_STATUS_HTTP } from '../core/vocabulary/hooks.ts'
import { answer } from '../modules/hooks/check-request.ts'
import { BODY_LIMITS } from '../core/limits/http.ts'
import { HOOK_LIMITS } from '../core/limits/hooks.ts'
import type { HttpDeps } from './http-deps.ts'
import { createBodyBudget } from './body-memory-budget.ts'
import { endRequest, isClosing } from './raw-response.ts'
import { withBody } from './read-body.ts'

export const HOOKS_PREFIX = '/hooks'

export function createHookHandler({
  clock,
  log,
  answerHook,
  addressLimit,
  clientAddress,
  metrics,
  onUnavailable,
}: HttpDeps & { onUnavailable(): void }) {
  const room = createBodyBudget(BODY_LIMITS.hookRoomBytes, { keepsForKnown: false })

  return async function hostHook(request: IncomingMessage, response: ServerResponse) {
    if (isClosing(request)) return
    // 1. Per-address limit: the one answer that is plain text.
    const address = clientAddress(request)
    if (!addressLimit.admit(address, clock.now())) {
      metrics.hookAnswered('address_limited')
      return endRequest(request, response, { ...TOO_MANY, isRestTaken: true })
    }
    let given: HookResponse
    try {
      given = await answerRequest(request, address)
    } catch (error) {
      // The client broke off in the middle of its body: nobody is there to be answered.
      if (response.destroyed || request.destroyed) return
      log.error({ err: error }, 'a hook request failed')
      given = answer('service_unavailable', fact('hook_not_taken_in'))
    }
    if (given.status === 'service_unavailable') onUnavailable()
    metrics.hookAnswered(given.status)
    endRequest(request, response, {
      status: HOOK_STATUS_HTTP[given.status],
      type: JSON_TYPE,
      text: JSON.stringify(given),
      headers: given.status === 'method_not_allowed' ? { allow: 'POST' } : {},
      isRestTaken: true,
    })
  }

  async function answerRequest(request: IncomingMessage, address: string): Promise<HookResponse> {
    if (request.method !== 'POST') return answer('method_not_allowed', fact('hook_needs_post'))
    // 2. Content type and size.
    if (!isJson(request)) {
      return answer('unsupported_media_type', fact('hook_type_not_json'))
    }
    const sender = { address, isKnown: false }
    return withBody(request, { limit: HOOK_LIMITS.bodyBytes, room, sender }, (body) => {
      if (body === 'too_large') {
        const why = fact('hook_body_too_large', { most: HOOK_LIMITS.bodyBytes })
        return Promise.resolve(answer('payload_too_large', why))
      }
      if (typeof body === 'string') {
        return Promise.resolve(answer('service_unavailable', fact('hook_too_many_bodies')))
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
 * The path segment after `/hooks/`, decoded; empty when it cannot be. What is no token, as when there
 * is more than one segment, is told by its own form.
 */
function tokenOf(url: string): string {
  const path = url.split('?', 1)[0]!
  try {
    return decodeURIComponent(path.slice(HOOKS_PREFIX.length + 1))
  } catch {
    return ''
  }
}

/** `application/json` or any `+json` type, in any case and with any parameters, not compressed. */
function isJson(request: IncomingMessage): boolean {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  if (encoding && encoding !== 'identity') return false
  const essence = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return essence === 'application/json' || /^[a-z]+\/[^\s/]+\+json$/.test(essence)
}
