import { fact, type Fact } from '../../core/facts/fact.ts'
import type { OutboundFacts } from '../../core/facts/outbound.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import type { AttemptError } from '../../core/vocabulary/deliveries.ts'

/** The explanation of a failed attempt. */
export type AttemptHint = {
  /** A sentence about the event itself. */
  message: Fact
  /** An instruction for the reader. */
  hint: Fact
  /** An additional fact; null when there is none. */
  detail: Fact | null
}

/** Facts that also say what to do, more exactly than the hint of their error. */
const EXACT_HINTS: ReadonlySet<string> = new Set<keyof OutboundFacts>([
  'host_without_address',
  'host_of_too_many_addresses',
  'host_lookup_slow',
  'name_servers_silent',
  'host_leads_inside',
  'server_unreachable',
  'tls_failed_by',
  'certificate_expired',
  'certificate_not_valid_yet',
  'certificate_self_signed',
  'certificate_private_authority',
  'certificate_chain_incomplete',
  'certificate_other_host',
])
/** Facts that repeat the message and the hint of their error. */
const SAID_ALREADY: ReadonlySet<string> = new Set<keyof OutboundFacts>([
  'connection_refused',
  'connection_unanswered',
  'connection_slow',
  'answer_not_http',
  'closed_before_answer',
  'no_answer',
])

/**
 * Returns the meaning of an attempt's error word and what its reader can do, each stated once. `known` is a fact that
 * was observed about the failure. HTTP statuses that receivers often return have their own hints.
 * Spec: Deliveries › Answer.
 */
export function attemptHint(
  error: AttemptError,
  httpStatus: number | null,
  known: Fact | null = null,
): AttemptHint {
  const said = byError(error, httpStatus)
  if (known === null || SAID_ALREADY.has(known.code)) return { ...said, detail: null }
  if (EXACT_HINTS.has(known.code)) return { ...said, hint: known, detail: null }
  return { ...said, detail: known }
}

function byError(error: AttemptError, httpStatus: number | null): Omit<AttemptHint, 'detail'> {
  if (error === 'http_error') {
    const status = httpStatus ?? 0
    return { message: fact('attempt_http_error', { status }), hint: hintOfStatus(status) }
  }
  if (error === 'connect_timeout') {
    const seconds = DELIVERY_LIMITS.connectMs / SECOND_MS
    const message = fact('attempt_connect_timeout', { seconds })
    return { message, hint: fact('hint_connect_timeout') }
  }
  if (error === 'timeout') {
    const seconds = DELIVERY_LIMITS.answerMs / SECOND_MS
    return { message: fact('attempt_timeout', { seconds }), hint: fact('hint_timeout') }
  }
  return { message: fact(`attempt_${error}`), hint: fact(`hint_${error}`) }
}

function hintOfStatus(status: number): Fact {
  switch (status) {
    case 400:
    case 401:
    case 403:
    case 404:
    case 405:
    case 415:
    case 429:
      return fact(`hint_http_${status}`)
    case 413:
      return fact('hint_http_413', { kilobytes: DELIVERY_LIMITS.bodyBytes / 1_024 })
    default:
      return fact(status >= 500 ? 'hint_http_5xx' : 'hint_http_other')
  }
}
