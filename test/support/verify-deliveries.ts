import Stripe from 'stripe'
import { verifySignature } from '../../examples/verify-signature.mjs'
import type { ReceivedDelivery } from './receiver.ts'

/**
 * Checks what a merchant received with two verifiers that share no code with the service: Stripe's
 * SDK, which knows the same scheme, and the one that merchants copy. Throws at the first forgery.
 */
export async function verifyDeliveries(
  deliveries: readonly ReceivedDelivery[],
  secret: string,
  now: Date,
): Promise<void> {
  for (const { headers, body, event } of deliveries) {
    const header = headers['x-service-signature'] ?? ''
    const verified: unknown = await Stripe.webhooks.constructEventAsync(
      body,
      header,
      secret,
      300,
      undefined,
      now.getTime(),
    )
    if (JSON.stringify(verified) !== JSON.stringify(event)) throw new Error('another body')
    if (!verifySignature({ header, body, secrets: [secret], now })) throw new Error('not genuine')
  }
}
