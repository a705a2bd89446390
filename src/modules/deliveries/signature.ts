import { createHmac } from 'node:crypto'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'

/**
 * Signs the body of a delivery as it will be sent: the value of `X-Service-Signature`,
 * `t=<unix seconds>,v1=<hex>[,v1=<hex>]`, with one `v1` for each secret in the order given (the old
 * one first while it still signs). Sign anew for each attempt: receivers refuse a `t` older than five
 * minutes. Throws a RangeError unless one or two secrets are given, none of them empty.
 * Spec: Deliveries › Signature.
 */
export function signWebhook(body: Uint8Array, secrets: readonly string[], at: Date): string {
  if (secrets.length < 1 || secrets.length > DELIVERY_LIMITS.secretsThatSign) {
    throw new RangeError(`a delivery is signed with one or two secrets, not ${secrets.length}`)
  }
  const t = Math.floor(at.getTime() / 1000)
  let header = `t=${t}`
  for (const secret of secrets) {
    if (secret === '') throw new RangeError('an empty secret signs nothing')
    header += `,v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`
  }
  return header
}
