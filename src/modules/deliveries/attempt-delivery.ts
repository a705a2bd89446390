import { fact, type Fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import type { OutboundAnswer, OutboundClient } from '../../infra/egress/outbound-client.ts'
import { classifyRedirect } from '../../rules/calls/classify-redirect.ts'
import { attemptErrorOf } from '../../rules/deliveries/delivery-outcome.ts'
import type { ClaimedDelivery } from './claim-deliveries.sql.ts'
import { encryptionContext } from '../endpoints/create-endpoint.ts'
import type { RecordedAttempt } from './recorded-attempt.ts'
import { signWebhook } from './signature.ts'

/**
 * Makes one attempt of a claimed delivery and returns its outcome, which the caller records. The frozen body is signed
 * with the delivery's secrets at the current time. Never throws: an internal error, such as a secret that cannot be
 * decrypted, becomes a failed attempt with its reason.
 *
 * Spec: Deliveries › Request; Deliveries › Signature; Deliveries › Retries.
 */
export async function attemptDelivery(
  { outbound, keyRing, clock, ids }: Deps,
  delivery: ClaimedDelivery,
): Promise<RecordedAttempt> {
  const startedAt = clock.now()
  const fromMs = performance.now()
  // A test is signed with the current secret only, which is the last one: older secrets come first.
  const signing = delivery.kind === 'test' ? delivery.secrets.slice(-1) : delivery.secrets
  const { body } = delivery
  const answer =
    body === null
      ? unreadable(fact('body_gone'))
      : await post({ outbound, keyRing, startedAt }, { ...delivery, body }, signing)
  const endedAt = clock.now()
  return {
    attemptId: ids.uuid(),
    deliveryId: delivery.id,
    companyId: delivery.companyId,
    endpointId: delivery.endpointId,
    claimId: delivery.claimId,
    number: delivery.attempts + 1,
    isTest: delivery.kind === 'test',
    isBodyGone: body === null,
    url: delivery.url,
    startedAt,
    endedAt,
    // The clock may be set during the attempt, so the duration is not `endedAt - startedAt`.
    durationMs: Math.round(performance.now() - fromMs),
    dnsMs: rounded(answer.timings.dnsMs),
    connectMs: rounded(answer.timings.connectMs),
    answerMs: rounded(answer.timings.answerMs),
    httpStatus: answer.kind === 'answer' ? answer.status : null,
    error: attemptErrorOf(answer),
    errorDetail: storeDetail(delivery.url, answer),
    remoteAddress: answer.remoteAddress,
    answerHeaders:
      answer.kind === 'answer'
        ? Buffer.from(
            answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
            'latin1',
          )
        : null,
    answerHead: answer.kind === 'answer' ? answer.head : null,
    answerIsCut: answer.kind === 'answer' ? answer.truncated : null,
    headersAreCut: answer.kind === 'answer' ? answer.areHeadersCut : null,
    signedWith: signing.map((secret) => secret.lastFour),
  }
}

/** Returns the details of a failure beyond its code, or null without any. */
function storeDetail(url: string, answer: OutboundAnswer): string | null {
  if (answer.kind === 'error') return serializeFact(answer.detail)
  if (attemptErrorOf(answer) !== 'redirect_refused') return null
  const target = classifyRedirect(url, answer.headers)
  if (target.kind === 'unknown') return null
  return serializeFact(
    target.kind === 'same_server'
      ? fact('redirects_within')
      : fact('redirects_to', { origin: target.origin }),
  )
}

type Deps = {
  outbound: OutboundClient
  keyRing: Pick<KeyRing, 'decrypt'>
  clock: Clock
  ids: Ids
}

async function post(
  { outbound, keyRing, startedAt }: Pick<Deps, 'outbound' | 'keyRing'> & { startedAt: Date },
  delivery: ClaimedDelivery & { body: Buffer },
  signing: ClaimedDelivery['secrets'],
): Promise<OutboundAnswer> {
  let signature: string
  try {
    const secrets = signing.map(({ id, secret }) =>
      keyRing.decrypt(secret, encryptionContext(id, delivery.companyId)),
    )
    signature = signWebhook(delivery.body, secrets, startedAt)
  } catch {
    return unreadable(fact('signing_secret_unreadable'))
  }
  return outbound.send({
    method: 'POST',
    url: delivery.url,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['user-agent', 'Service-Webhooks/1.0'],
      ['x-service-signature', signature],
      ['x-service-event', delivery.eventType],
      ['x-service-delivery', delivery.id],
    ],
    body: delivery.body,
    deadlineMs: DELIVERY_LIMITS.answerMs,
    connectMs: DELIVERY_LIMITS.connectMs,
    answerBytes: DELIVERY_LIMITS.answerKeptBytes,
    readWholeAnswer: false,
  })
}

/** Returns an internal failure: nothing was sent, and the endpoint's health is not affected. */
function unreadable(detail: Fact): OutboundAnswer {
  const timings = { dnsMs: null, connectMs: null, answerMs: null }
  return { kind: 'error', error: 'unreadable', detail, remoteAddress: null, timings }
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms)
}
