import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header in which Meta signs a webhook. */
export const META_SIGNATURE_HEADER = 'x-hub-signature-256'

const FORM = /^sha256=([0-9a-f]{64})$/i

/** Whether the header has the form of a signature at all, which can be told before a body is read. */
export function isMetaSignature(header: string): boolean {
  return FORM.test(header)
}

/**
 * True when the header signs exactly these bytes with this app secret; compared in constant time.
 * Any other scheme, a missing header and an empty secret are false. Never verify a body that was
 * parsed and written again: Meta escapes what is not ASCII. Yields how many bytes it hashes next, so
 * that the caller can let others go first.
 */
export function* verifyMetaSignature(
  rawBody: Uint8Array,
  header: string | undefined,
  appSecret: string,
): Generator<number, boolean, void> {
  const hex = FORM.exec(header ?? '')?.[1]
  if (hex === undefined || appSecret === '') return false
  const hmac = createHmac('sha256', appSecret)
  for (let at = 0; at < rawBody.length; at += SLICE_BYTES) {
    const slice = rawBody.subarray(at, at + SLICE_BYTES)
    yield slice.length
    hmac.update(slice)
  }
  return timingSafeEqual(Buffer.from(hex, 'hex'), hmac.digest())
}

const SLICE_BYTES = 262_144
