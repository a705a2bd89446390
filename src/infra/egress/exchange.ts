import { wordSet } from '../../core/vocabulary/word-set.ts'
import { fact } from '../../core/facts/fact.ts'
import type { Client, Dispatcher } from 'undici'
import { explainExchangeFailure } from './explain-failure.ts'
import { OutboundError } from './outbound-error.ts'

/** Maximum size of the headers of one response and of all interim responses (1xx) before it; more is an attack. */
export const MAX_HEADER_BYTES = 16_384
/** Approximate size of a status line and the empty line. */
const STATUS_LINE_BYTES = 24
/** Maximum size of the stored response headers, in bytes of names and values, besides the deciding one. */
const KEPT_HEADER_BYTES = 8_192

/** One request over an open connection. */
export type ExchangeRequest = {
  method: string
  /** Path and query, percent-encoded. */
  path: string
  headers: readonly (readonly [string, string])[]
  body: Uint8Array | null
  /** Time left for the response. */
  waitMs: number
  /** Maximum number of bytes of the body that are read. */
  answerBytes: number
  /** True when an error within the body counts as an error of the request. */
  readWholeAnswer: boolean
}

/** The result of one request over one open connection. */
export type ExchangeResult = {
  /** The status, null when no status line came. */
  status: number | null
  headers: [string, string][]
  /** True when there were more headers than are stored. */
  areHeadersCut: boolean
  /** The first `answerBytes` of the body. */
  head: Buffer
  truncated: boolean
  /** Time from the request's start to the end of the response's headers; null if they never ended. */
  answerMs: number | null
  error: OutboundError | null
  /** The connection is whole and may carry another request. */
  isReusable: boolean
  /** True when not one byte of the request was written: the connection was lost before. */
  isUnsent: boolean
  /** True when not one byte of a response came: on a kept-alive connection the peer may just have closed it. */
  isUnanswered: boolean
}

/**
 * Sends one request and reads its response until its end, `answerBytes` or the deadline. Unless `readWholeAnswer`,
 * the status line and headers decide, and later errors only truncate the body. Never rejects.
 */
export function exchange(client: Client, request: ExchangeRequest): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    const reader = new AnswerReader(request, resolve)
    client.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: writableHeaders(request.headers),
        body: request.body,
        // One absolute deadline covers all; undici's timeouts restart with every byte.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      reader,
    )
  })
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #request: ExchangeRequest
  readonly #resolve: (result: ExchangeResult) => void
  readonly #startedAt = performance.now()
  readonly #deadline: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #length = 0
  #isTruncated = false
  #isDone = false
  #isSent = false
  #hasBegun = false
  #interimBytes = 0
  #status: number | null = null
  #headers: [string, string][] = []
  #areHeadersCut = false
  #answerMs: number | null = null

  constructor(request: ExchangeRequest, resolve: (result: ExchangeResult) => void) {
    this.#request = request
    this.#resolve = resolve
    this.#deadline = setTimeout(() => this.#onDeadline(), Math.max(0, request.waitMs))
  }

  onRequestStart(): void {
    this.#isSent = true
  }

  onResponseStarted(): void {
    this.#hasBegun = true
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (this.#isDone) return
    if (status < 200) {
      this.#interimBytes += STATUS_LINE_BYTES + headerBytes(controller.rawHeaders)
      if (this.#interimBytes <= MAX_HEADER_BYTES) return
      return this.#fail(new OutboundError('bad_response', fact('interim_answers_without_end')))
    }
    this.#status = status
    const { headers, areCut } = keptHeaders(controller.rawHeaders)
    this.#headers = headers
    this.#areHeadersCut = areCut
    this.#answerMs = performance.now() - this.#startedAt
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDone || this.#isTruncated) return
    const room = this.#request.answerBytes - this.#length
    // Copied, because a slice would keep the whole network buffer alive.
    this.#chunks.push(Buffer.from(chunk.subarray(0, room)))
    this.#length += Math.min(room, chunk.length)
    if (chunk.length <= room) return
    this.#isTruncated = true
    // If the end of the response has already arrived with this chunk, it is handled before the microtask, and the
    // connection is kept. Nothing more is read to keep it.
    queueMicrotask(() => this.#finish(null, false))
  }

  onResponseEnd(): void {
    this.#finish(null, true)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(explainExchangeFailure(error))
  }

  #onDeadline(): void {
    // The time may have been used up before this exchange began.
    const seconds = Math.max(0, Math.round(this.#request.waitMs / 100) / 10)
    const late = fact(this.#status === null ? 'no_answer' : 'answer_not_ended', { seconds })
    this.#fail(new OutboundError('timeout', late))
  }

  #fail(error: OutboundError): void {
    const isDecided = this.#status !== null && !this.#request.readWholeAnswer
    if (isDecided) this.#isTruncated = true
    this.#finish(isDecided ? null : error, false)
  }

  #finish(error: OutboundError | null, isReusable: boolean): void {
    if (this.#isDone) return
    this.#isDone = true
    clearTimeout(this.#deadline)
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      areHeadersCut: this.#areHeadersCut,
      head: this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks),
      truncated: this.#isTruncated,
      answerMs: this.#answerMs,
      error,
      isReusable,
      isUnsent: !this.#isSent,
      isUnanswered: !this.#hasBegun,
    })
  }
}

type RawHeaders = Dispatcher.DispatchController['rawHeaders']

/** The header without which a body cannot be read, so it is kept at any position. */
const DECIDING_HEADER = 'content-encoding'

function keptHeaders(raw: RawHeaders): { headers: [string, string][]; areCut: boolean } {
  const headers: [string, string][] = []
  if (!Array.isArray(raw)) return { headers, areCut: false }
  let bytes = 0
  let areCut = false
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = latin1(raw[i])
    const value = latin1(raw[i + 1])
    bytes += name.length + value.length
    areCut ||= bytes > KEPT_HEADER_BYTES
    if (!areCut || name.toLowerCase() === DECIDING_HEADER) headers.push([name, value])
  }
  return { headers, areCut }
}

function headerBytes(raw: RawHeaders): number {
  if (!Array.isArray(raw)) return 0
  return raw.reduce((bytes: number, text) => bytes + text.length, 0)
}

const latin1 = (text: Buffer | string | undefined): string =>
  typeof text === 'string' ? text : (text?.toString('latin1') ?? '')

/** Headers that belong to the connection, and not to the request. */
const OUR_HEADERS = wordSet(
  `connection content-length expect host keep-alive te trailer transfer-encoding upgrade`,
)

function writableHeaders(headers: ExchangeRequest['headers']): string[] {
  const flat: string[] = []
  for (const [name, value] of headers) {
    if (OUR_HEADERS.has(name.toLowerCase())) continue
    flat.push(name, Buffer.from(value, 'utf8').toString('latin1'))
  }
  return flat
}
