/**
 * Hook URLs on the raw request: the specification fixes the order of the checks and the one shape of
 * every answer, so no framework stands in between. What can be decided without the database is
 * decided here: the per-address limit, method, content type, size.
 *
 * Spec: Start an automation; Errors › Hook errors.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { HOOK_STATUS_HTTP, type HookResponse } from '../contract/hook-response.ts'
import { answer } from '../hooks/answer-hook.ts'
import { HOOK_LIMITS } from '../limits.ts'
import type { HttpDeps } from './http-deps.ts'
import { readBody } from './read-body.ts'

export const HOOKS_PREFIX = '/hooks'

export function createHookHost({
  clock,
  log,
  answerHook,
  addressLimit,
  clientAddress,
  metrics,
  wake,
}: HttpDeps) {
  return async function hostHook(request: IncomingMessage, response: ServerResponse) {
    if (closing.has(request.socket)) {
      request.resume()
      return
    }
    // 1. Per-address limit: the one answer that is plain text.
    if (!addressLimit.admit(clientAddress(request), clock.now())) {
      metrics.hookAnswered('address_limited')
      return end(request, response, 429, 'text/plain; charset=utf-8', 'Too many requests')
    }
    let given: HookResponse
    try {
      given = await answerRequest(request)
    } catch (error) {
      // The client broke off in the middle of its body: nobody is there to be answered.
      if (response.destroyed || request.destroyed) return
      log.error({ err: error }, 'a hook request failed')
      given = answer('service_unavailable', 'The request could not be taken in. Send it again.')
    }
    metrics.hookAnswered(given.status)
    if (given.status === 'accepted') wake()
    const headers = given.status === 'method_not_allowed' ? { allow: 'POST' } : {}
    const json = JSON.stringify(given)
    end(request, response, HOOK_STATUS_HTTP[given.status], JSON_TYPE, json, headers)
  }

  async function answerRequest(request: IncomingMessage): Promise<HookResponse> {
    if (request.method !== 'POST') return answer('method_not_allowed', 'Send a POST request.')
    // 2. Content type and size.
    if (!isJson(request)) {
      return answer(
        'unsupported_media_type',
        'Send the body as application/json, without a Content-Encoding.',
      )
    }
    const body = await readBody(request, HOOK_LIMITS.bodyBytes)
    if (body === 'too_large') {
      return answer('payload_too_large', `The body is larger than ${HOOK_LIMITS.bodyBytes} bytes.`)
    }
    return answerHook({
      token: tokenOf(request.url ?? ''),
      idempotencyKey: request.headers['idempotency-key'] as string | undefined,
      body,
    })
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

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

function end(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed) return
  const body = Buffer.from(text)
  response.writeHead(status, {
    'content-type': type,
    'content-length': body.length,
    'cache-control': 'no-store',
    ...headers,
    // A body that was not read to its end cannot be followed by another request.
    ...(request.complete ? {} : { connection: 'close' }),
  })
  const sent = request.method === 'HEAD' ? '' : body
  if (request.complete) {
    response.end(sent)
    return
  }
  // A connection that is closed while its client still sends is reset, and the answer lost with it:
  // the rest of the body is dropped unread for a moment.
  closing.add(request.socket)
  response.flushHeaders()
  if (sent !== '') response.write(sent)
  const close = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(close, LINGER_MS)
  request.once('end', close)
  request.once('close', close)
  request.once('error', close)
  request.resume()
}

/** Connections on which nothing more is answered: what follows there is not to be acted on either. */
const closing = new WeakSet<Socket>()

/** How long a client that is refused in the middle of its body may go on sending it. */
const LINGER_MS = 500
