import type { AttemptError } from '../vocabulary.ts'

export type AttemptHint = {
  /** What happened. */
  message: string
  /** What to do about it. */
  hint: string
}

const HINTS: Record<Exclude<AttemptError, 'http_error'>, AttemptHint> = {
  dns_failed: {
    message: 'The host name could not be looked up.',
    hint: 'Check the host of the endpoint URL and its DNS records. The attempt is repeated by itself.',
  },
  address_refused: {
    message: 'The host name leads to an address that is not public, so nothing was sent.',
    hint: 'Point the host at a public address. Private, loopback and reserved addresses are never called.',
  },
  url_refused: {
    message: 'The endpoint URL cannot be called.',
    hint: 'Edit the endpoint: an https URL without a user name, on a port that a web server may use.',
  },
  connect_refused: {
    message: 'The server did not take the connection.',
    hint: 'Check that the server runs, that it listens on this port and that no firewall refuses us.',
  },
  connect_timeout: {
    message: 'The connection was not made within 5 seconds.',
    hint: 'Check that the server is up and that no firewall drops connections without a word.',
  },
  tls_failed: {
    message: 'The secure connection could not be made.',
    hint: 'Check the certificate: not expired, for this host, with its full chain, from a public authority.',
  },
  connection_reset: {
    message: 'The connection was closed before an answer came.',
    hint: "Read your server's error log at this time. A proxy or a crash often ends connections.",
  },
  timeout: {
    message: 'No answer came within 10 seconds.',
    hint: 'Answer 200 first and do the work afterwards. You may have received this event: keep its id.',
  },
  bad_response: {
    message: 'What the server sent is not an HTTP answer.',
    hint: 'Check that this port serves HTTPS, and what stands between us and your program.',
  },
  redirect_refused: {
    message: 'The answer was a redirect. Redirects are not followed.',
    hint: 'Put the final address into the endpoint URL. Look for http, a missing www or a last slash.',
  },
  gone: {
    message: 'The answer was 410 Gone. It switches the endpoint off at once, unless it was a test.',
    hint: 'Answer 410 only to receive nothing more. Switch the endpoint on again, then send what was held.',
  },
  unreadable: {
    message: 'The event could not be prepared on our side, so nothing was sent.',
    hint: 'Tell the operator of the service: a stored secret or body cannot be read.',
  },
}

const BY_STATUS: Record<number, string> = {
  400: 'Your program finds the request wrong. Verify the raw body bytes, before any parsing.',
  401: 'Check that the signature is verified with the whole secret, whsec_ included, on the raw body, and that no login guards this URL.',
  403: 'Check firewalls and bot protection, and that the signature is verified on the raw body.',
  404: 'Check the path of the endpoint URL.',
  405: 'Let the endpoint URL take POST.',
  413: 'Let your server take bodies of 64 KB.',
  415: 'Let your server take application/json; charset=utf-8.',
  429: 'Your server limits our requests. Let it take them faster, or answer first and work later.',
}

/**
 * What an attempt's error word means and what its reader can do. An HTTP error has a hint of its own
 * for the statuses that receivers often answer. Spec: Deliveries › Answer.
 */
export function attemptHint(error: AttemptError, httpStatus: number | null): AttemptHint {
  if (error !== 'http_error') return HINTS[error]
  const status = httpStatus ?? 0
  return {
    message: `The server answered ${status}. Only an answer from 200 to 299 is a success.`,
    hint: BY_STATUS[status] ?? hintOfClass(status),
  }
}

function hintOfClass(status: number): string {
  return status >= 500
    ? 'Your server failed. Read its error log at this time; the answer below may say more.'
    : 'Answer from 200 to 299 once the event is safely kept. The answer below may say more.'
}
