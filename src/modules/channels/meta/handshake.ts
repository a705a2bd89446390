import type { HandshakeAnswer } from '../channel-adapter.ts'

/** Kept plain, because it is sent back as it came. */
const CHALLENGE = /^[A-Za-z0-9._~-]{1,256}$/

/**
 * The answer to `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…`.
 * Meta subscribes a callback URL by asking for its own challenge back: given to whoever knows a
 * verify token of ours, else 403. `isKnownVerifyToken` is asked only where the rest is as it must be.
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
