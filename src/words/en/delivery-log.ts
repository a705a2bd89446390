import type { DeliveryLogFacts, WhatNow } from '../../facts/delivery-log.ts'
import { counted, written } from '../counted.ts'
import { moment } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const WHAT_NOW: Record<WhatNow, string> = {
  send_another_test: 'Put right what its attempt tells, then send another test.',
  endpoint_deleted: 'Its endpoint is deleted.',
  back_to_plan: 'Return to the Business plan to resend it.',
  resend: 'Put right what its attempts tell, then resend it.',
  switch_on: 'Put right what its attempts tell, switch the endpoint on, then resend it.',
  resend_untried: 'It can be resent.',
  switch_on_untried: 'Switch the endpoint on, then resend it.',
  resend_delivered: 'It was resent since, and the resend was delivered.',
  resend_waits: 'It was resent since, and the resend is not delivered yet.',
}

const WHY_DEAD = {
  test: () => 'The test failed. Tests are never retried.',
  gone: () => 'The endpoint answered 410 Gone, so it is not tried again.',
  all_failed: (attempts: number) => `All attempts failed (${attempts}).`,
}

const WHY_HELD = {
  plan: 'Held: the plan has no webhooks. Return to the Business plan, then send it.',
  off: 'Held: the endpoint is off. Switch it on, then send what was held.',
  was_off: 'Held while the endpoint was off or the plan had no webhooks. Send what was held.',
}

export const EN_DELIVERY_LOG: Sentences<DeliveryLogFacts> = {
  no_such_delivery: () => 'This company has no such delivery.',
  test_not_resent: () => 'A test is not resent. Send another test instead.',
  event_too_old: ({ days }) => `The event is older than ${days} days: its body is not kept.`,
  tests_and_resends_a_minute: ({ most, freeAt }) =>
    `An account has ${most} tests and resends a minute. Try again from ${moment(freeAt)}.`,
  log_watchers: ({ most }) =>
    `At most ${written(most)} pages of an account watch changes at a time. Close one first.`,
  session_watchers: ({ most }) =>
    `At most ${written(most)} live streams of a session are open at a time. Close one first.`,
  no_such_job: () => 'This company has no such job.',
  job_over: ({ state }) => `The job is over: it is ${state}.`,
  job_under_way: () => 'The endpoint has a job that is not over. Wait for it, or cancel it first.',

  delivery_waits: () => 'It waits for its first attempt.',
  delivery_waits_again: ({ attempts, dueAt }) =>
    `Attempt ${attempts} failed. The next one is due at ${moment(dueAt)}.`,
  delivery_delivered: () => 'The endpoint took it.',
  delivery_dead: ({ why, attempts, now }) => `${WHY_DEAD[why](attempts)} ${WHAT_NOW[now]}`,
  delivery_held: ({ why, attempts, days }) =>
    `${WHY_HELD[why]}${attempts === 0 ? '' : ` It was tried ${counted(attempts, 'time', 'times')} before, so your server may have it: the event id is the same.`} It expires ${days} days after it was made.`,
  delivery_superseded: () =>
    'A resend of this event was delivered meanwhile, so nothing more is sent.',
  delivery_cancelled: () => 'The endpoint was deleted while it waited.',
  delivery_expired: ({ days, now }) =>
    `It waited for ${counted(days, 'day', 'days')} without being delivered. ${WHAT_NOW[now]}`,

  attempt_dns_failed: () => 'The host name could not be looked up.',
  attempt_address_refused: () =>
    'The host name leads to an address that is not public, so nothing was sent.',
  attempt_url_refused: () => 'The endpoint URL cannot be called.',
  attempt_connect_refused: () => 'The server did not take the connection.',
  attempt_connect_timeout: ({ seconds }) =>
    `The connection was not made within ${counted(seconds, 'second', 'seconds')}.`,
  attempt_tls_failed: () => 'The secure connection could not be made.',
  attempt_connection_reset: () => 'The connection was closed before an answer came.',
  attempt_timeout: ({ seconds }) =>
    `No answer came within ${counted(seconds, 'second', 'seconds')}.`,
  attempt_bad_response: () => 'What the server sent is not an HTTP answer.',
  attempt_redirect_refused: () => 'The answer was a redirect. Redirects are not followed.',
  attempt_gone: () =>
    'The answer was 410 Gone. It switches the endpoint off at once, unless it was a test.',
  attempt_unreadable: () => 'The event could not be prepared on our side, so nothing was sent.',
  attempt_http_error: ({ status }) =>
    `The server answered ${status}. Only an answer from 200 to 299 is a success.`,

  hint_dns_failed: () =>
    'Check the host of the endpoint URL and its DNS records. The attempt is repeated by itself.',
  hint_address_refused: () =>
    'Point the host at a public address. Private, loopback and reserved addresses are never called.',
  hint_url_refused: () =>
    'Edit the endpoint: an https URL without a user name, on a port that a web server may use.',
  hint_connect_refused: () =>
    'Check that the server runs, that it listens on this port and that no firewall refuses us.',
  hint_connect_timeout: () =>
    'Check that the server is up and that no firewall drops connections without a word.',
  hint_tls_failed: () =>
    'Check the certificate: not expired, for this host, with its full chain, from a public authority.',
  hint_connection_reset: () =>
    "Read your server's error log at this time. A proxy or a crash often ends connections.",
  hint_timeout: () =>
    'Answer 200 first and do the work afterwards. You may have received this event: keep its id.',
  hint_bad_response: () =>
    'Check that this port serves HTTPS, and what stands between us and your program.',
  hint_redirect_refused: () =>
    'Put the final address into the endpoint URL. Look for http, a missing www or a last slash.',
  hint_gone: () =>
    'Answer 410 only to receive nothing more. Switch the endpoint on again, then send what was held.',
  hint_unreadable: () =>
    'Tell the operator of the service: a stored secret or body cannot be read.',
  hint_http_400: () =>
    'Your program finds the request wrong. Verify the raw body bytes, before any parsing.',
  hint_http_401: () =>
    'Check that the signature is verified with the whole secret, whsec_ included, on the raw body, and that no login guards this URL.',
  hint_http_403: () =>
    'Check firewalls and bot protection, and that the signature is verified on the raw body.',
  hint_http_404: () => 'Check the path of the endpoint URL.',
  hint_http_405: () => 'Let the endpoint URL take POST.',
  hint_http_413: ({ kilobytes }) => `Let your server take bodies of ${kilobytes} KB.`,
  hint_http_415: () => 'Let your server take application/json; charset=utf-8.',
  hint_http_429: () =>
    'Your server limits our requests. Let it take them faster, or answer first and work later.',
  hint_http_5xx: () =>
    'Your server failed. Read its error log at this time; the answer below may say more.',
  hint_http_other: () =>
    'Answer from 200 to 299 once the event is safely kept. The answer below may say more.',

  job_by_member: () => 'A member stopped it.',
  job_endpoint_off: () => 'The endpoint is off. Switch it on, then resume the job.',
  job_endpoint_deleted: () => 'The endpoint was deleted.',
  job_not_in_plan: () =>
    'The plan has no webhooks. Return to the Business plan, then resume the job.',
}
