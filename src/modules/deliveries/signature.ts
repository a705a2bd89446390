import { createHmac } from 'node:crypto'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'

/**
 * Returns the value of `X-Service-Signature` for a body: `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. There is one `v1`
 * per secret, in the order given: the old one first while it is still valid. Sign again for each attempt, as
 * receivers refuse a `t` older than five minutes.
 * @throws RangeError unless there are one or two secrets, none of them empty.
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
