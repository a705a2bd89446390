import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'

export type ProviderRequest = {
  origin: string
  path: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | Readable
}

/**
 * `not_sent`: surely no byte of the request was written. `lost`: it may have been, and no complete
 * answer was read. `code` is a word for the log, never the client library's sentence.
 */
export type ProviderExchange =
  | {
      outcome: 'answered'
      status: number
      retryAfter: string | undefined
      /** Where it lies instead; nobody goes there by itself. */
      location: string | undefined
      bytes: Buffer
    }
  | { outcome: 'not_sent'; code: string }
  | { outcome: 'lost'; code: string }

export const ANSWER_TOO_LARGE = 'answer_too_large'

/**
 * One HTTP exchange that is written at most once, with a deadline over all of it. It never rejects.
 * The client library waits out a dead keep-alive socket by connecting again, which is safe only
 * until it starts to write; the handler is told of that moment and allows it once.
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
  const { answerBytes: mostBytes = PROVIDER_LIMITS.answerBytes } = limits
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
    function giveUp(code: string): void {
      settle({ outcome: controller === null ? 'not_sent' : 'lost', code })
      controller?.abort(new Error(code))
    }
    function onAbort(): void {
      giveUp('aborted')
    }
    const deadline = setTimeout(() => giveUp('timeout'), limits.deadlineMs)
    limits.signal?.addEventListener('abort', onAbort, { once: true })
    if (limits.signal?.aborted) {
      giveUp('aborted')
      return
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        if (isSettled || controller !== null) {
          giveUp('written_twice')
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
        if (bytes > mostBytes) {
          giveUp(ANSWER_TOO_LARGE)
        } else {
          chunks.push(chunk)
        }
      },
      onResponseEnd() {
        const answer = { status, retryAfter, location, bytes: Buffer.concat(chunks) }
        settle({ outcome: 'answered', ...answer })
      },
      onResponseError(_, error) {
        giveUp((error as NodeJS.ErrnoException).code ?? 'request_failed')
      },
    }
    const { body, ...line } = request
    dispatcher.dispatch(
      // The one deadline above covers headers and body.
      { ...line, ...(body === undefined ? {} : { body }), headersTimeout: 0, bodyTimeout: 0 },
      handler,
    )
  })
}
