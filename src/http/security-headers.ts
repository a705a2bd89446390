import type { Context as Hc } from 'hono'

const YEAR_S = 365 * 24 * 60 * 60

const NO_PERMISSIONS =
  'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), bluetooth=()'

/** Sets the security headers of every response except those of hook URLs and provider webhooks. */
export function writeSecurityHeaders(c: Hc, publicUrl: string): void {
  c.header('x-content-type-options', 'nosniff')
  c.header('referrer-policy', 'no-referrer')
  c.header('permissions-policy', NO_PERMISSIONS)
  c.header('content-security-policy', "default-src 'self'; frame-ancestors 'none'")
  if (publicUrl.startsWith('https:')) {
    c.header('strict-transport-security', `max-age=${YEAR_S}`)
  }
}
