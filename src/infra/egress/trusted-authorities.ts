import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

const contexts = new Map<string, SecureContext>()

/**
 * Whom connections trust: the default roots, and `extraCa` (PEM) besides them, never in their place. Of the
 * same authorities there is one context: to read all the roots takes many times as long as a request.
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
