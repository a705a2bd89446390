import type { None } from './none.ts'

/**
 * Reasons why no complete answer came from a merchant's server. No fact contains an address, which would map the
 * internal network for an attacker.
 */
export type OutboundFacts = {
  host_not_public: None
  host_without_address: None
  host_of_too_many_addresses: None
  host_lookup_slow: { seconds: number }
  name_servers_silent: None
  address_not_public: None
  host_leads_inside: None
  connection_led_elsewhere: None
  not_an_https_url: None
  port_not_usable: None
  request_not_writable: { fault: string }
  server_unreachable: None
  connection_refused: None
  connection_unanswered: None
  connection_slow: { seconds: number }
  tls_closed: None
  tls_failed_by: { fault: string }
  tls_slow: { seconds: number }
  tls_broke: { fault: string }
  certificate_expired: None
  certificate_not_valid_yet: None
  certificate_self_signed: None
  certificate_private_authority: None
  certificate_chain_incomplete: None
  certificate_other_host: None
  interim_answers_without_end: None
  headers_too_long: None
  protocol_changed: None
  answer_not_http: None
  no_answer: { seconds: number }
  answer_not_ended: { seconds: number }
  closed_before_answer: None
  connection_gone: None
  /** The redirect's target, reduced to its origin. */
  redirects_to: { origin: string }
  redirects_within: None
  call_could_not_be_made: None
  server_busy: None
  service_stopping: None
  signing_secret_unreadable: None
  body_gone: None
}
