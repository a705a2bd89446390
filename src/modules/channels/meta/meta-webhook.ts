import type { ProviderWebhook, HandshakeAnswer } from '../channel-adapter.ts'
import type { MetaCredentials } from './form-fields.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header with Meta's signature of a webhook. */
const META_SIGNATURE_HEADER = 'x-hub-signature-256'

const FORM = /^sha256=([0-9a-f]{64})$/i

/** Returns whether the header has the form of a signature, before the body is read. */
function isMetaSignature(header: string): boolean {
  return FORM.test(header)
}

/**
 * Returns a generator whose result is whether the header signs exactly these bytes with this app secret. It yields how
 * many bytes it hashes next, for the time slicer, and compares in constant time. The result is false for other schemes,
 * a missing header and an empty secret. The bytes must be the original ones: Meta escapes non-ASCII characters.
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

/** The accepted form of a challenge: plain text, because it is sent back unchanged. */
const CHALLENGE = /^[A-Za-z0-9._~-]{1,256}$/

/**
 * Answers `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…`, by which Meta verifies a callback URL.
 * Returns the challenge for a known verify token, else 403. `isKnownVerifyToken` is called only for a well-formed
 * request.
 */
export async function answerHandshake(
  query: URLSearchParams,
  isKnownVerifyToken: (token: string) => Promise<boolean>,
): Promise<HandshakeAnswer> {
  const token = query.get('hub.verify_token') ?? ''
  const challenge = query.get('hub.challenge') ?? ''
  const isSubscription = query.get('hub.mode') === 'subscribe' && CHALLENGE.test(challenge)
  return isSubscription && token !== '' && (await isKnownVerifyToken(token))
    ? { status: 200, body: challenge }
    : { status: 403 }
}

/**
 * Returns the webhook part of a Meta product's adapter: signatures by the app secret, the challenge of the callback
 * URL, and the given parsing.
 */
export function metaWebhook({
  namesIn,
  parse,
}: Required<Pick<ProviderWebhook<MetaCredentials>, 'namesIn' | 'parse'>>) {
  return {
    mayBeGenuine({ [META_SIGNATURE_HEADER]: header }) {
      return typeof header === 'string' && isMetaSignature(header)
    },
    namesIn,
    signerOf: ({ appSecret }) => appSecret,
    isProvidersSecret: true,
    isSignedBy({ headers, body }, appSecret) {
      const header = headers[META_SIGNATURE_HEADER] as string | undefined
      return verifyMetaSignature(body, header, appSecret)
    },
    parse,
    handshake: answerHandshake,
  } satisfies ProviderWebhook<MetaCredentials>
}
