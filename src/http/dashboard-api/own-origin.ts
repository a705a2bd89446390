import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'

type Headers = {
  origin: string | undefined
  secFetchSite: string | undefined
  hasSessionCookie: boolean
}

/**
 * Requires that a request comes from the service's own pages, whatever its method. The caller leaves out requests that
 * only read. A browser states the origin in `Origin` or at least in `Sec-Fetch-Site`. A program sends neither, which is
 * accepted only where no cookie authenticates the request.
 * @throws wrong_origin
 */
export function requireOwnOrigin(publicUrl: string, headers: Headers): void {
  if (headers.origin !== undefined) {
    if (isOwn(headers.origin, publicUrl)) return
    throw new ServiceError(
      'wrong_origin',
      fact('wrong_origin', { origin: new URL(publicUrl).origin }),
    )
  }
  if (headers.secFetchSite !== undefined) {
    if (headers.secFetchSite === 'same-origin') return
    throw new ServiceError('wrong_origin', fact('not_same_origin'))
  }
  if (headers.hasSessionCookie) {
    throw new ServiceError(
      'wrong_origin',
      fact('origin_missing', { origin: new URL(publicUrl).origin }),
    )
  }
}

/** Returns whether an origin is the same; for a loopback address also under another name, at the same port. */
function isOwn(origin: string, publicUrl: string): boolean {
  const own = new URL(publicUrl)
  if (origin === own.origin) return true
  const other = URL.parse(origin)
  return (
    other !== null &&
    own.protocol === 'http:' &&
    other.protocol === 'http:' &&
    other.port === own.port &&
    isLoopbackHost(own.hostname) &&
    isLoopbackHost(other.hostname)
  )
}

/** Returns whether a host name is this machine: `localhost`, `[::1]` or 127.0.0.0/8. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
