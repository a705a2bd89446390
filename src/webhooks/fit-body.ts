import type { WebhookEnvelope } from '../contract/webhook-envelope.ts'
import { DELIVERY_LIMITS } from '../limits.ts'

/**
 * The bytes of an envelope, at most 64 KB. Only a run's variables and a contact's custom fields can
 * make one larger; the longest of them are shortened until it fits, so that the JSON stays valid and
 * the event is never dropped.
 *
 * Spec: Limits › Webhook body; docs/decisions (a body over the limit is shortened).
 */
export function fitBody(envelope: WebhookEnvelope): Buffer {
  const body = Buffer.from(JSON.stringify(envelope))
  if (body.length <= DELIVERY_LIMITS.bodyBytes) return body
  const shortened = structuredClone(envelope)
  const strings = shortenable(shortened)
  let excess = body.length - DELIVERY_LIMITS.bodyBytes
  while (excess > 0) {
    const longest = strings.reduce((a, b) => (a.bytes() >= b.bytes() ? a : b))
    if (longest.bytes() === 0) break
    longest.halve()
    excess = Buffer.byteLength(JSON.stringify(shortened)) - DELIVERY_LIMITS.bodyBytes
  }
  return Buffer.from(JSON.stringify(shortened))
}

/** The values of the envelope that may be shortened: those of `variables` and `fields`. */
function shortenable(envelope: WebhookEnvelope) {
  const data = envelope.data as {
    run?: { variables?: Record<string, string | null> }
    contact?: { fields?: Record<string, string | null> } | null
  }
  return [data.run?.variables, data.contact?.fields].flatMap((record) =>
    Object.keys(record ?? {}).map((key) => ({
      bytes: () => Buffer.byteLength(record![key] ?? ''),
      halve() {
        const text = record![key] ?? ''
        const half = text.slice(0, Math.floor(text.length / 2))
        // Never half of a surrogate pair.
        record![key] = half.isWellFormed() ? half : half.slice(0, -1)
      },
    })),
  )
}
