/** Reasons why a request to a merchant's server failed. */
export const REQUEST_FAILURES = [
  'dns_failed',
  'address_refused',
  'url_refused',
  'connect_refused',
  'connect_timeout',
  'tls_failed',
  'connection_reset',
  'timeout',
  'bad_response',
  'redirect_refused',
  'http_error',
] as const
