import { createHmac, timingSafeEqual } from 'node:crypto'

/** The value of `X-Hub-Signature-256` for a body: HMAC-SHA256 with the app secret, in hex. */
export function signWhatsAppWebhook(rawBody: Uint8Array, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(rawBody).digest('hex')}`
}

const FORM = /^sha256=([0-9a-f]{64})$/i

/** Whether the header has the form of a signature at all, which can be told before a body is read. */
export function isWhatsAppSignature(header: string): boolean {
  return FORM.test(header)
}

/**
 * True when the header signs exactly these bytes with this app secret; compared in constant time.
 * Any other scheme, a missing header and an empty secret are false. Never verify a body that was
 * parsed and written again: WhatsApp escapes what is not ASCII.
 */
export function verifyWhatsAppSignature(
  rawBody: Uint8Array,
  header: string | undefined,
  appSecret: string,
): boolean {
  const hex = FORM.exec(header ?? '')?.[1]
  if (hex === undefined || appSecret === '') {
    return false
  }
  const expected = createHmac('sha256', appSecret).update(rawBody).digest()
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected)
}
