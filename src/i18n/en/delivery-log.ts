import type { DeliveryLogFacts, WhatNow } from '../../core/facts/delivery-log.ts'
import { counted, written } from '../counted.ts'
import { moment } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const WHAT_NOW: Record<WhatNow, string> = {
  send_another_test: 'Fix the problem shown in the attempt, then send another test.',
  endpoint_deleted: 'Its endpoint was deleted.',
  back_to_plan: 'Return to the Business plan to resend it.',
  resend: 'Fix the problem shown in the attempts, then resend it.',
  switch_on: 'Fix the problem shown in the attempts, switch the endpoint on, then resend it.',
  resend_untried: 'You can resend it.',
  switch_on_untried: 'Switch the endpoint on, then resend it.',
  resend_delivered: 'It was resent later, and the resend was delivered.',
  resend_waits: 'It was resent later, and the resend isn’t delivered yet.',
}

const WHY_DEAD = {
  test: () => 'The test failed. Tests aren’t retried.',
  gone: () => 'The endpoint returned 410 Gone, so it isn’t retried.',
  all_failed: (attempts: number) => `All attempts failed (${attempts}).`,
}

const WHY_HELD = {
  plan: 'Held because the plan doesn’t include webhooks. Return to the Business plan, then send it.',
  off: 'Held because the endpoint is off. Switch it on, then send the held deliveries.',
  was_off:
    'Held while the endpoint was off or the plan didn’t include webhooks. Send the held deliveries.',
}

export const EN_DELIVERY_LOG: Catalog<DeliveryLogFacts> = {
  no_such_delivery: () => 'No delivery with this ID.',
  test_not_resent: () => 'Tests can’t be resent. Send another test instead.',
  event_too_old: ({ days }) =>
    `The event is older than ${days} days, so its body is no longer stored.`,
  tests_and_resends_a_minute: ({ max, freeAt }) =>
    `You can send ${max} tests and resends a minute. Try again at ${moment(freeAt)}.`,
  log_watchers: ({ max }) =>
    `At most ${written(max)} pages per account can show live updates at once. Close one first.`,
  session_watchers: ({ max }) =>
    `A session can have at most ${written(max)} live streams open at the same time. Close one first.`,
  no_such_job: () => 'No job with this ID.',
  job_over: ({ state }) => `The job has already ended: it’s ${state}.`,
  job_under_way: () =>
    'The endpoint already has a job in progress. Wait for it to finish, or cancel it first.',

  delivery_waits: () => 'Waiting for its first attempt.',
  delivery_waits_again: ({ attempts, dueAt }) =>
    `Attempt ${attempts} failed. Next retry at ${moment(dueAt)}.`,
  delivery_delivered: () => 'Delivered.',
  delivery_dead: ({ why, attempts, now }) => `${WHY_DEAD[why](attempts)} ${WHAT_NOW[now]}`,
  delivery_held: ({ why, attempts, days }) =>
    `${WHY_HELD[why]}${attempts === 0 ? '' : ` It was tried ${counted(attempts, 'time', 'times')} before, so your server may already have it. The event ID is the same.`} It expires ${days} days after it was created.`,
  delivery_superseded: () =>
    'A resend of this event was delivered in the meantime, so nothing more is sent.',
  delivery_cancelled: () => 'The endpoint was deleted before this was delivered.',
  delivery_expired: ({ days, now }) =>
    `It wasn’t delivered within ${counted(days, 'day', 'days')}. ${WHAT_NOW[now]}`,

  attempt_dns_failed: () => 'The DNS lookup of the host name failed.',
  attempt_address_refused: () =>
    'The host name resolves to an address that isn’t public, so nothing was sent.',
  attempt_url_refused: () => 'This endpoint URL isn’t allowed.',
  attempt_connect_refused: () => 'Your server refused the connection.',
  attempt_connect_timeout: ({ seconds }) =>
    `No connection within ${counted(seconds, 'second', 'seconds')}.`,
  attempt_tls_failed: () => 'A secure connection couldn’t be established.',
  attempt_connection_reset: () => 'The connection was closed before your server responded.',
  attempt_timeout: ({ seconds }) => `No response within ${counted(seconds, 'second', 'seconds')}.`,
  attempt_bad_response: () => 'Your server didn’t send a valid HTTP response.',
  attempt_redirect_refused: () => 'Your server returned a redirect. Redirects aren’t followed.',
  attempt_gone: () =>
    'Your server returned 410 Gone. Unless it was a test, this switches the endpoint off immediately.',
  attempt_unreadable: () => 'We couldn’t prepare the event, so nothing was sent.',
  attempt_http_error: ({ status }) =>
    `Your server returned ${status}. Only a status from 200 to 299 counts as success.`,

  hint_dns_failed: () =>
    'Check the host name in the endpoint URL and its DNS records. We retry automatically.',
  hint_address_refused: () =>
    'Point the host name to a public address. Private, loopback and reserved addresses are never called.',
  hint_url_refused: () =>
    'Edit the endpoint: use an https URL without a username, on a port meant for web servers.',
  hint_connect_refused: () =>
    'Check that your server is running, listens on this port, and isn’t blocking us with a firewall.',
  hint_connect_timeout: () =>
    'Check that your server is up and that no firewall silently drops connections.',
  hint_tls_failed: () =>
    'Check the certificate: it must be valid for this host, not expired, include the full chain, and come from a public authority.',
  hint_connection_reset: () =>
    'Check your server’s error log at this time. A proxy or a crash is a common cause.',
  hint_timeout: () =>
    'Return 200 first and do the work afterwards. You may have received this event, so remember its ID.',
  hint_bad_response: () =>
    'Check that this port serves HTTPS, and what sits between us and your application.',
  hint_redirect_refused: () =>
    'Use the final address as the endpoint URL. Look for http, a missing www or a trailing slash.',
  hint_gone: () =>
    'Return 410 only if you want no more events. Switch the endpoint on again, then send the held deliveries.',
  hint_unreadable: () =>
    'Tell the operator of this service: a stored secret or body can’t be read.',
  hint_http_400: () =>
    'Your application rejected the request as malformed. Verify the raw body bytes before parsing them.',
  hint_http_401: () =>
    'Check that you verify the signature on the raw body with the whole secret, including whsec_, and that this URL needs no login.',
  hint_http_403: () =>
    'Check firewalls and bot protection, and that you verify the signature on the raw body.',
  hint_http_404: () => 'Check the path of the endpoint URL.',
  hint_http_405: () => 'Make sure the endpoint URL accepts POST.',
  hint_http_413: ({ kilobytes }) =>
    `Make sure your server accepts bodies of up to ${kilobytes} KB.`,
  hint_http_415: () => 'Make sure your server accepts application/json; charset=utf-8.',
  hint_http_429: () =>
    'Your server is rate limiting us. Allow more requests, or respond first and do the work later.',
  hint_http_5xx: () =>
    'Your server failed. Check its error log at this time; the response below may tell you more.',
  hint_http_other: () =>
    'Return a status from 200 to 299 once you’ve stored the event. The response below may tell you more.',

  job_by_member: () => 'A team member stopped it.',
  job_endpoint_off: () => 'The endpoint is off. Switch it on, then resume the job.',
  job_endpoint_deleted: () => 'The endpoint was deleted.',
  job_not_in_plan: () =>
    'The plan doesn’t include webhooks. Return to the Business plan, then resume the job.',
}
