import type { HandshakeAnswer } from '../channel-adapter.ts'

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
