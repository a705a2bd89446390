import { OutboundError } from './outbound-error.ts'

type Coded = Error & { code?: string; errors?: Coded[] }

/** Certificate faults that a merchant can put right, by OpenSSL's and Node's names for them. */
const CERTIFICATE_FAULTS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate has expired. Renew it.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet. Check the clock of the server.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed. Use one from a public authority.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'The certificate comes from an authority that is not public. Use one from a public authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The chain of certificates is incomplete. Configure the full chain on the server.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The chain of certificates is incomplete. Configure the full chain on the server.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for another host name. Check the URL and the certificate.',
}

const UNREACHABLE = ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']

/** Says why a connection was not opened. `isTcpOpen`: the fault is one of the TLS handshake. */
export function explainConnectFailure(error: Error, isTcpOpen: boolean): OutboundError {
  const codes = codesOf(error)
  if (isTcpOpen) {
    const fault = codes.map((code) => CERTIFICATE_FAULTS[code]).find(Boolean)
    if (fault !== undefined) return new OutboundError('tls_failed', fault)
    const isClosed = codes.includes('ECONNRESET') || codes.includes('EPIPE')
    return new OutboundError(
      'tls_failed',
      isClosed
        ? 'The server closed the connection during the TLS handshake.'
        : `The TLS handshake failed (${codes[0] ?? 'no code'}). Check that the port speaks HTTPS with TLS 1.2 or newer.`,
    )
  }
  if (codes.includes('ETIMEDOUT')) {
    const message = 'The server did not answer to the connection. Check that it is up.'
    return new OutboundError('connect_timeout', message)
  }
  const isUnreachable = codes.some((code) => UNREACHABLE.includes(code))
  return new OutboundError(
    'connect_refused',
    isUnreachable
      ? 'The server cannot be reached. Check that it is up and its network open.'
      : 'The server refused the connection. Check the port and that the server is running.',
  )
}

/** Says why no answer, or no whole answer, came over an open connection. */
export function explainExchangeFailure(error: Error): OutboundError {
  if (error instanceof OutboundError) return error
  const code = codesOf(error)[0] ?? ''
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return new OutboundError('url_refused', `The request cannot be written: ${error.message}.`)
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new OutboundError('bad_response', 'The headers of the answer are too long.')
  }
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad upgrade') {
    const message = 'The server answered by changing the protocol, which was not asked for.'
    return new OutboundError('bad_response', message)
  }
  const isNotHttp =
    error.name === 'HTTPParserError' ||
    // A status below 100.
    error.name === 'AssertionError' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ||
    (code === 'UND_ERR_SOCKET' && error.message === 'bad response')
  if (isNotHttp) {
    return new OutboundError('bad_response', 'What the server sent is not a valid HTTP answer.')
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return new OutboundError('tls_failed', `TLS failed in mid-connection (${code}).`)
  }
  return new OutboundError(
    'connection_reset',
    'The server closed the connection before it had answered. Check its error log.',
  )
}

/** An error that stands for several addresses carries one error for each. */
function codesOf(error: Coded): string[] {
  return [error, ...(error.errors ?? [])].flatMap(({ code }) => (code === undefined ? [] : [code]))
}
