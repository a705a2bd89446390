import type { ProviderWebhook } from '../channel-adapter.ts'
import type { MetaCredentials } from './form-fields.ts'
import { answerHandshake } from './handshake.ts'
import { isMetaSignature, META_SIGNATURE_HEADER, verifyMetaSignature } from './signature.ts'

/** Returns the webhook part of a Meta product's adapter: signatures by the app secret, and the address's challenge. */
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
