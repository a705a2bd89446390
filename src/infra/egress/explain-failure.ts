import { fact, type Fact } from '../../core/facts/fact.ts'
import { OutboundError } from './outbound-error.ts'

type Coded = Error & { code?: string; errors?: Coded[] }

/** Certificate errors that a merchant can fix, by the names of OpenSSL and Node. */
const CERTIFICATE_FAULTS: Record<string, Fact> = {
  CERT_HAS_EXPIRED: fact('certificate_expired'),
  CERT_NOT_YET_VALID: fact('certificate_not_valid_yet'),
  DEPTH_ZERO_SELF_SIGNED_CERT: fact('certificate_self_signed'),
  SELF_SIGNED_CERT_IN_CHAIN: fact('certificate_private_authority'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: fact('certificate_chain_incomplete'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: fact('certificate_chain_incomplete'),
  ERR_TLS_CERT_ALTNAME_INVALID: fact('certificate_other_host'),
}

const UNREACHABLE = ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']

/**
 * Returns the error that explains why a connection was not opened. `isTcpOpen` is true when the TLS handshake failed.
 */
export function explainConnectFailure(error: Error, isTcpOpen: boolean): OutboundError {
  const codes = codesOf(error)
  if (isTcpOpen) {
    const fault = codes.map((code) => CERTIFICATE_FAULTS[code]).find(Boolean)
    if (fault !== undefined) return new OutboundError('tls_failed', fault)
    const isClosed = codes.includes('ECONNRESET') || codes.includes('EPIPE')
    return new OutboundError(
      'tls_failed',
      isClosed ? fact('tls_closed') : fact('tls_failed_by', { fault: codes[0] ?? 'no code' }),
    )
  }
  if (codes.includes('ETIMEDOUT')) {
    return new OutboundError('connect_timeout', fact('connection_unanswered'))
  }
  const isUnreachable = codes.some((code) => UNREACHABLE.includes(code))
  return new OutboundError(
    'connect_refused',
    fact(isUnreachable ? 'server_unreachable' : 'connection_refused'),
  )
}

/** Returns the error that explains why no complete response came over an open connection. */
export function explainExchangeFailure(error: Error): OutboundError {
  if (error instanceof OutboundError) return error
  const code = codesOf(error)[0] ?? ''
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return new OutboundError('url_refused', fact('request_not_writable', { fault: error.message }))
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new OutboundError('bad_response', fact('headers_too_long'))
  }
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad upgrade') {
    return new OutboundError('bad_response', fact('protocol_changed'))
  }
  const isNotHttp =
    error.name === 'HTTPParserError' ||
    // A status below 100.
    error.name === 'AssertionError' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ||
    (code === 'UND_ERR_SOCKET' && error.message === 'bad response')
  if (isNotHttp) {
    return new OutboundError('bad_response', fact('answer_not_http'))
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return new OutboundError('tls_failed', fact('tls_broke', { fault: code }))
  }
  return new OutboundError('connection_reset', fact('closed_before_answer'))
}

/** Returns the codes of an error and, when several addresses were tried, of the error of each. */
function codesOf(error: Coded): string[] {
  return [error, ...(error.errors ?? [])].flatMap(({ code }) => (code === undefined ? [] : [code]))
}
