import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'

/** An HTTP request to a provider. */
export type ProviderRequest = {
  origin: string
  path: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | Readable
}

/**
 * The result of a request. With `not_sent`, certainly no byte of it was written. With `lost`, bytes may have been
 * written, but no complete response was read. The `code` is for the log; it is not the client library's message.
 */
export type ProviderExchange =
  | {
      outcome: 'answered'
      status: number
      retryAfter: string | undefined
      /** The target of a redirect; redirects are not followed. */
      location: string | undefined
      bytes: Buffer
    }
  | { outcome: 'not_sent'; code: string }
  | {
      outcome: 'lost'
      code: string
      /** The beginning of a response over the limit. */
      head?: Buffer
    }

/** The code for a response over the limit. */
export const ANSWER_TOO_LARGE = 'answer_too_large'
/** Bytes of such a response that are returned. Every limit is higher. */
const HEAD_BYTES = 1_000

/**
 * Runs one HTTP exchange that is written at most once, within a deadline. It never rejects. The client library
 * reconnects after a dead keep-alive socket, which is safe only before it starts to write; the handler allows one
 * start.
 */
export function exchangeOnce(
  dispatcher: Dispatcher,
  request: ProviderRequest,
  limits: {
    deadlineMs: number
    answerBytes?: number | undefined
    signal?: AbortSignal | undefined
  },
): Promise<ProviderExchange> {
  const { answerBytes: maxBytes = PROVIDER_LIMITS.answerBytes } = limits
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null
    let isSettled = false
    let status = 0
    let retryAfter: string | undefined
    let location: string | undefined
    const chunks: Buffer[] = []
    let bytes = 0

    function settle(result: ProviderExchange): void {
      if (!isSettled) {
        isSettled = true
        clearTimeout(deadline)
        limits.signal?.removeEventListener('abort', onAbort)
        resolve(result)
      }
    }
    function abort(code: string, head?: Buffer): void {
      settle(
        controller === null
          ? { outcome: 'not_sent', code }
          : { outcome: 'lost', code, ...(head && { head }) },
      )
      controller?.abort(new Error(code))
    }
    function onAbort(): void {
      abort('aborted')
    }
    const deadline = setTimeout(() => abort('timeout'), limits.deadlineMs)
    limits.signal?.addEventListener('abort', onAbort, { once: true })
    if (limits.signal?.aborted) {
      abort('aborted')
      return
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        if (isSettled || controller !== null) {
          abort('written_twice')
          started.abort(new Error('given up before it was written'))
          return
        }
        controller = started
      },
      onResponseStart(_, statusCode, headers) {
        status = statusCode
        const one = (value: unknown) => (typeof value === 'string' ? value : undefined)
        retryAfter = one(headers['retry-after'])
        location = one(headers['location'])
      },
      onResponseData(_, chunk) {
        bytes += chunk.length
        chunks.push(chunk)
        if (bytes > maxBytes) {
          abort(ANSWER_TOO_LARGE, Buffer.concat(chunks, HEAD_BYTES))
        }
      },
      onResponseEnd() {
        const answer = { status, retryAfter, location, bytes: Buffer.concat(chunks) }
        settle({ outcome: 'answered', ...answer })
      },
      onResponseError(_, error) {
        abort((error as NodeJS.ErrnoException).code ?? 'request_failed')
      },
    }
    const { body, ...line } = request
    dispatcher.dispatch(
      // The single deadline above covers headers and body.
      { ...line, ...(body === undefined ? {} : { body }), headersTimeout: 0, bodyTimeout: 0 },
      handler,
    )
  })
}
