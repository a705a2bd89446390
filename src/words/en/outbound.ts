import type { OutboundFacts } from '../../facts/outbound.ts'
import { inEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const CHAIN = 'The chain of certificates is incomplete. Configure the full chain on the server.'

export const EN_OUTBOUND: Sentences<OutboundFacts> = {
  host_not_public: () => 'The host name cannot be used: it needs a dot and must be a public name.',
  host_without_address: () =>
    'The host name has no address. Check its spelling and its DNS records.',
  host_of_too_many_addresses: () =>
    'The host name has far too many addresses. Check its DNS records.',
  host_lookup_slow: ({ seconds }) =>
    `The host name was not resolved within ${seconds} s. Check its DNS servers.`,
  name_servers_silent: () =>
    'The DNS servers of the host name did not answer. Check that they are up.',
  address_not_public: () => 'The address in the URL is not public.',
  host_leads_inside: () =>
    'The host name leads to an address that is not public. Check all its DNS records.',
  connection_led_elsewhere: () => 'The connection led elsewhere.',
  not_an_https_url: () => 'The URL is not one of an https server.',
  port_not_usable: () => 'This port cannot be used.',
  request_not_writable: ({ fault }) => `The request cannot be written: ${inEnglish(fault)}.`,
  server_unreachable: () =>
    'The server cannot be reached. Check that it is up and its network open.',
  connection_refused: () =>
    'The server refused the connection. Check the port and that the server is running.',
  connection_unanswered: () => 'The server did not answer to the connection. Check that it is up.',
  connection_slow: ({ seconds }) =>
    `No connection was opened within ${seconds} s. Check that the server is up and that its firewall lets us in.`,
  tls_closed: () => 'The server closed the connection during the TLS handshake.',
  tls_failed_by: ({ fault }) =>
    `The TLS handshake failed (${inEnglish(fault)}). Check that the port speaks HTTPS with TLS 1.2 or newer.`,
  tls_slow: ({ seconds }) =>
    `The server accepted the connection but did not finish the TLS handshake within ${seconds} s.`,
  tls_broke: ({ fault }) => `TLS failed in mid-connection (${inEnglish(fault)}).`,
  certificate_expired: () => 'The certificate has expired. Renew it.',
  certificate_not_valid_yet: () =>
    'The certificate is not valid yet. Check the clock of the server.',
  certificate_self_signed: () => 'The certificate is self-signed. Use one from a public authority.',
  certificate_private_authority: () =>
    'The certificate comes from an authority that is not public. Use one from a public authority.',
  certificate_chain_incomplete: () => CHAIN,
  certificate_other_host: () =>
    'The certificate is for another host name. Check the URL and the certificate.',
  interim_answers_without_end: () =>
    'The server sent interim answers without end instead of its answer.',
  headers_too_long: () => 'The headers of the answer are too long.',
  protocol_changed: () => 'The server answered by changing the protocol, which was not asked for.',
  answer_not_http: () => 'What the server sent is not a valid HTTP answer.',
  no_answer: ({ seconds }) =>
    `No answer came within ${seconds} s. Answer first and do the work afterwards.`,
  answer_not_ended: ({ seconds }) => `The answer had not ended after ${seconds} s.`,
  closed_before_answer: () =>
    'The server closed the connection before it had answered. Check its error log.',
  connection_gone: () => 'The connection is gone.',
  call_could_not_be_made: () => 'The call could not be made.',
  server_busy: () => 'Too many calls to this server were under way at the same time.',
  service_stopping: () => 'The service is stopping. The call was not made.',
  signing_secret_unreadable: () => 'The signing secret could not be read here.',
  body_gone: () => 'The body of the event is no longer kept.',
  redirects_to: ({ origin }) => `It leads to ${inEnglish(origin)}.`,
  redirects_within: () => 'It leads to another path of the same server.',
}
