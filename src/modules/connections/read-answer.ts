import type { OutboundAnswer } from '../../infra/egress/outbound-client.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { classifyRedirect } from '../../rules/calls/classify-redirect.ts'
import {
  compactJson,
  countCodePoints,
  cutCodePoints,
  readJson,
  type JsonValue,
} from '../../rules/text/json-text.ts'
import type { Redactor } from '../../infra/redaction/redactor.ts'
import type { CallFailure } from '../../core/vocabulary/calls.ts'
import { ANSWER_TOO_LARGE } from './explain-call.ts'
import { runInTimeSlices } from './run-in-time-slices.ts'
import { remainingEncoding } from './unpack-answer.ts'
import { TextDecoder } from 'node:util'

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Encodings in which arbitrary UTF-8 text may decode without an error. */
const LIKE_UTF8 = /^(?:utf-16|iso-2022|x-user-defined)/

/**
 * Decodes the body of a response by the charset of its Content-Type, and returns it also as UTF-8 bytes. Valid UTF-8
 * is decoded as UTF-8 whatever the header says, as JSON always is; a body that is neither is decoded as Latin-1.
 */
function decodeAnswer({ head, headers }: Extract<OutboundAnswer, { kind: 'answer' }>): {
  bytes: Buffer
  text: string
} {
  const named = decoderOf(headers)
  const decoders = named && LIKE_UTF8.test(named.encoding) ? [named, utf8] : [utf8, named]
  for (const decoder of decoders) {
    try {
      const text = decoder?.decode(head)
      if (text !== undefined) return { bytes: decoder === utf8 ? head : Buffer.from(text), text }
    } catch {
      // The next decoder is tried.
    }
  }
  return { bytes: head, text: head.toString('latin1') }
}

function decoderOf(headers: readonly (readonly [string, string])[]): TextDecoder | null {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const charset = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i.exec(type)?.[1]
  try {
    return charset === undefined ? null : new TextDecoder(charset, { fatal: true })
  } catch {
    return null
  }
}

/** The evaluation of one attempt; `failure` is null for a success. */
export type AttemptVerdict = {
  status: number | null
  failure: CallFailure | null
  detail: Fact | null
}

/**
 * Evaluates one attempt: only a complete 2xx response is a success, also when its body cannot be decompressed, which
 * `detail` reports. A received status line counts, whatever failed afterwards.
 * Spec: Calls › Answers; Errors › Failed calls.
 */
export function evaluateAttempt(answer: OutboundAnswer, url: string): AttemptVerdict {
  const status = answer.status ?? null
  if (status !== null && status >= 300 && status < 400) {
    return { status, failure: 'redirect_refused', detail: redirected(status, url, answer) }
  }
  if (status !== null && (status < 200 || status > 299)) {
    return { status, failure: 'http_error', detail: fact('call_answered', { status }) }
  }
  if (answer.kind === 'error') {
    return { status, failure: answer.error as CallFailure, detail: answer.detail }
  }
  if (answer.truncated) return { status, failure: 'answer_too_large', detail: ANSWER_TOO_LARGE }
  const packed = remainingEncoding(answer)
  if (packed !== null) {
    // The server reported success, so the request was processed; only its response is lost.
    return { status, failure: null, detail: fact('call_answer_packed', packed) }
  }
  return { status, failure: null, detail: null }
}

function redirected(status: number, url: string, answer: OutboundAnswer): Fact {
  const target = classifyRedirect(url, answer.kind === 'answer' ? answer.headers : [])
  switch (target.kind) {
    case 'elsewhere':
      return fact('call_redirected_to', { status, origin: target.origin })
    case 'same_server':
      return fact('call_redirected_within', { status })
    case 'unknown':
      return fact('call_redirected', { status })
  }
}

/**
 * Returns whether a GET is retried: after a timeout, a failed connection or a 5xx. A kept-alive connection that its
 * server had just closed counts as a failed connection.
 * Spec: Calls › HTTP steps.
 */
export function isRetryable({ failure, status }: AttemptVerdict, answer: OutboundAnswer): boolean {
  if (failure === 'http_error') return status !== null && status >= 500
  if (failure === 'connection_reset') {
    return status === null && answer.remoteAddress !== null && answer.timings.connectMs === null
  }
  return failure !== null && UNREACHED.has(failure)
}

const UNREACHED: ReadonlySet<CallFailure> = new Set([
  'timeout',
  'dns_failed',
  'connect_refused',
  'connect_timeout',
  'tls_failed',
])

/**
 * Returns the body of a response without the credential: parsed (undefined unless it is JSON), and as shortened text with
 * its full length in characters. Both are null for a response without readable text.
 */
export async function readAnswer(
  answer: OutboundAnswer,
  redactor: Redactor,
): Promise<{ json: JsonValue | undefined; text: string | null; chars: number | null }> {
  // A truncated response may end in part of a credential, which redaction would not recognise.
  if (answer.kind === 'error' || answer.truncated || remainingEncoding(answer) !== null) {
    return NOTHING
  }
  const { bytes, text: raw } = decodeAnswer(answer)
  const read = readJson(bytes)
  if (read.ok) {
    const json = await runInTimeSlices(redactor.jsonInSteps(read.value))
    return { json, ...shown(compactJson(json)) }
  }
  // A NUL means binary data, or an encoding that is not decoded.
  if (raw === '' || raw.includes('\0')) return NOTHING
  const text = await runInTimeSlices(redactor.textInSteps(raw))
  return { json: undefined, ...shown(text) }
}

const NOTHING = { json: undefined, text: null, chars: null }

const shown = (whole: string) => ({
  text: cutCodePoints(whole, CALL_LIMITS.answerShownChars).toWellFormed(),
  chars: countCodePoints(whole),
})
