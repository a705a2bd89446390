import type { CallMethod } from '../../core/vocabulary/calls.ts'
import { setHeader } from '../../rules/calls/call-headers.ts'
import { encodeValue } from '../../rules/calls/call-path.ts'
import type { FilledRequest } from '../../rules/calls/fill-request.ts'
import { credentialPart, type Credential } from './credential.ts'
import type { ConnectionForCall } from './begin-calls.sql.ts'
import { ACCEPTED_ENCODINGS } from './unpack-answer.ts'

type Headers = [string, string][]

/** A request as it is displayed, with a mask in place of the credential. Never stored. */
export type SentRequest = {
  method: CallMethod
  url: string
  headers: Headers
  body: string | null
  /** States whether the request contained a credential. */
  isCredentialSent: boolean
}

/** The mask of a credential, independent of its length. */
const CREDENTIAL_MASK = '••••'

const USER_AGENT = 'Service-Automations/1.0'

/**
 * Builds a request from the service's headers, the connection's, the request's own and the credential. The credential
 * replaces any other header or parameter of its name, in any case. `sent` is the request with the credential masked.
 * Spec: Calls › Headers.
 */
export function buildRequest(
  connection: ConnectionForCall,
  method: CallMethod,
  filled: FilledRequest,
  credential: Credential | null,
): { url: string; headers: Headers; body: Uint8Array | null; sent: SentRequest } {
  const part = credentialPart(connection.auth, credential)
  let headers: Headers = [
    ['User-Agent', USER_AGENT],
    ['Accept', 'application/json'],
    ['Accept-Encoding', ACCEPTED_ENCODINGS],
  ]
  for (const { name, value } of connection.headers) headers = setHeader(headers, name, value)
  for (const [name, value] of filled.headers) headers = setHeader(headers, name, value)
  if (filled.body !== null) {
    headers = setHeader(headers, 'Content-Type', 'application/json; charset=utf-8')
  }
  headers = withoutName(headers, part.header?.[0])
  const query = withoutName(filled.query, part.query && encodeValue(part.query[0]))
  const masked = maskedPart(part)
  const target = connection.baseUrl.replace(/\/$/, '') + filled.path
  return {
    url: target + queryText(part.query ? [...query, encoded(part.query)] : query),
    headers: part.header ? [...headers, part.header] : headers,
    body: filled.body === null ? null : Buffer.from(filled.body, 'utf8'),
    sent: {
      method,
      url: target + queryText(masked.query ? [...query, masked.query] : query),
      headers: masked.header ? [...headers, masked.header] : headers,
      body: filled.body,
      isCredentialSent: credential !== null,
    },
  }
}

/** Returns a credential's header or parameter for display: its name and, for a header, its scheme. */
function maskedPart({ header, query }: ReturnType<typeof credentialPart>): {
  header?: [string, string]
  query?: [string, string]
} {
  if (query) return { query: [encodeValue(query[0]), CREDENTIAL_MASK] }
  if (!header) return {}
  const [name, value] = header
  const scheme = name === 'Authorization' ? /^(Bearer|Basic) /.exec(value)?.[0] : undefined
  return { header: [name, `${scheme ?? ''}${CREDENTIAL_MASK}`] }
}

function withoutName(pairs: Headers, name: string | undefined): Headers {
  if (name === undefined) return pairs
  return pairs.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
}

const encoded = ([name, value]: [string, string]): [string, string] => [
  encodeValue(name),
  encodeValue(value),
]

function queryText(query: Headers): string {
  if (query.length === 0) return ''
  return `?${query.map(([name, value]) => `${name}=${value}`).join('&')}`
}
