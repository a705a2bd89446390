import { createHmac } from 'node:crypto'

/** Returns the value of `X-Hub-Signature-256` for a body: HMAC-SHA256 with the app secret, in hex. */
export function signMetaWebhook(rawBody: Uint8Array, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(rawBody).digest('hex')}`
}
