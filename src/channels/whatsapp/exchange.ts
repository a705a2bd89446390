import type { Dispatcher } from 'undici'
import { PROVIDER_LIMITS } from '../../limits.ts'

export type ExchangeRequest = {
  origin: string
  path: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

/**
 * `not_sent`: surely no byte of the request was written. `lost`: it may have been, and no complete
 * answer was read. `code` is a word for the log, never the client library's sentence.
 */
export type Exchange =
  | { outcome: 'answered'; status: number; retryAfter: string | undefined; body: string }
  | { outcome: 'not_sent'; code: string }
  | { outcome: 'lost'; code: string }

/**
 * One HTTP exchange that is written at most once, with a deadline over all of it. It never rejects.
 * The client library waits out a dead keep-alive socket by connecting again, which is safe only
 * until it starts to write; the handler is told of that moment and allows it once.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  limits: { deadlineMs: number; signal?: AbortSignal | undefined },
): Promise<Exchange> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null
    let isSettled = false
    let status = 0
    let retryAfter: string | undefined
    const chunks: Buffer[] = []
    let bytes = 0

    function settle(result: Exchange): void {
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
        const value = headers['retry-after']
        retryAfter = typeof value === 'string' ? value : undefined
      },
      onResponseData(_, chunk) {
        bytes += chunk.length
        if (bytes > PROVIDER_LIMITS.answerBytes) {
          giveUp('answer_too_large')
        } else {
          chunks.push(chunk)
        }
      },
      onResponseEnd() {
        const body = Buffer.concat(chunks).toString('utf8')
        settle({ outcome: 'answered', status, retryAfter, body })
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
