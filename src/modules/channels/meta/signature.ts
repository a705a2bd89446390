import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header with Meta's signature of a webhook. */
export const META_SIGNATURE_HEADER = 'x-hub-signature-256'

const FORM = /^sha256=([0-9a-f]{64})$/i

/** Returns whether the header has the form of a signature, before the body is read. */
export function isMetaSignature(header: string): boolean {
  return FORM.test(header)
}

/**
 * Returns whether the header signs exactly these bytes with this app secret, in constant time. Other schemes, a
 * missing header and an empty secret are false. The bytes must be the original ones: Meta escapes non-ASCII
 * characters. Yields how many bytes it hashes next, for the time slicer.
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
