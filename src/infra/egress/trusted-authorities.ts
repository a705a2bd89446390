import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

const contexts = new Map<string, SecureContext>()

/**
 * Returns a TLS context that trusts the default roots and `extraCa` (PEM). Contexts are cached, because reading all
 * roots takes many times as long as a request.
 */
export function trustedAuthorities(extraCa: readonly string[]): SecureContext {
  const key = extraCa.join('\n')
  const known = contexts.get(key)
  if (known) return known
  const context = createSecureContext(
    extraCa.length > 0 ? { ca: [...getCACertificates('default'), ...extraCa] } : {},
  )
  contexts.set(key, context)
  return context
}
