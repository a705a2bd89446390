import type { OutboundFacts } from '../../core/facts/outbound.ts'
import { inEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const CHAIN = 'The certificate chain is incomplete. Configure the full chain on the server.'

export const EN_OUTBOUND: Catalog<OutboundFacts> = {
  host_not_public: () => 'This host name can’t be used. It needs a dot and must be public.',
  host_without_address: () =>
    'The host name doesn’t resolve to an address. Check its spelling and DNS records.',
  host_of_too_many_addresses: () =>
    'The host name resolves to too many addresses. Check its DNS records.',
  host_lookup_slow: ({ seconds }) =>
    `The host name didn’t resolve within ${seconds} s. Check its DNS servers.`,
  name_servers_silent: () => 'The host name’s DNS servers didn’t respond. Check that they’re up.',
  address_not_public: () => 'The address in the URL isn’t public.',
  host_leads_inside: () =>
    'The host name resolves to an address that isn’t public. Check all its DNS records.',
  connection_led_elsewhere: () => 'The connection went to an unexpected address.',
  not_an_https_url: () => 'The URL isn’t an https URL.',
  port_not_usable: () => 'This port isn’t allowed.',
  request_not_writable: ({ fault }) => `The request couldn’t be built: ${inEnglish(fault)}.`,
  server_unreachable: () =>
    'The server can’t be reached. Check that it’s up and accepts connections from the internet.',
  connection_refused: () =>
    'The server refused the connection. Check the port and that the server is running.',
  connection_unanswered: () => 'The server didn’t respond to the connection. Check that it’s up.',
  connection_slow: ({ seconds }) =>
    `No connection within ${seconds} s. Check that the server is up and its firewall allows us.`,
  tls_closed: () => 'The server closed the connection during the TLS handshake.',
  tls_failed_by: ({ fault }) =>
    `The TLS handshake failed (${inEnglish(fault)}). Check that the port speaks HTTPS with TLS 1.2 or newer.`,
  tls_slow: ({ seconds }) =>
    `The server accepted the connection but did not finish the TLS handshake within ${seconds} s.`,
  tls_broke: ({ fault }) => `TLS failed during the connection (${inEnglish(fault)}).`,
  certificate_expired: () => 'The certificate has expired. Renew it.',
  certificate_not_valid_yet: () => 'The certificate isn’t valid yet. Check the server’s clock.',
  certificate_self_signed: () => 'The certificate is self-signed. Use one from a public authority.',
  certificate_private_authority: () =>
    'The certificate comes from a private authority. Use one from a public authority.',
  certificate_chain_incomplete: () => CHAIN,
  certificate_other_host: () =>
    'The certificate is for a different host name. Check the URL and the certificate.',
  interim_answers_without_end: () =>
    'The server kept sending interim (1xx) responses instead of a final one.',
  headers_too_long: () => 'The response headers are too long.',
  protocol_changed: () => 'The server switched protocols, which we didn’t ask for.',
  answer_not_http: () => 'The server didn’t send a valid HTTP response.',
  no_answer: ({ seconds }) =>
    `No response within ${seconds} s. Respond first and do the work afterwards.`,
  answer_not_ended: ({ seconds }) => `The response wasn’t complete after ${seconds} s.`,
  closed_before_answer: () =>
    'The server closed the connection before responding. Check its error log.',
  connection_gone: () => 'The connection was lost.',
  call_could_not_be_made: () => 'The call couldn’t be made.',
  server_busy: () => 'Too many calls to this server were in progress at once.',
  service_stopping: () => 'The service is stopping, so the call wasn’t made.',
  signing_secret_unreadable: () => 'The signing secret couldn’t be read.',
  body_gone: () => 'The event’s body is no longer stored.',
  redirects_to: ({ origin }) => `It redirects to ${inEnglish(origin)}.`,
  redirects_within: () => 'It redirects to another path on the same server.',
}
